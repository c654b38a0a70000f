import Hummingbird

/// Routes for the settings that can be changed while the service runs.
struct SettingsRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/settings", operation: "getSettings", role: .read) { _, _ in
        try JSON.response(state.settings.current)
      },
      Route(method: .put, path: "/v1/settings", operation: "putSettings", role: .publish) { request, context in
        let change = try ServiceSettings.Change(
          await request.object(
            members: "approval", "retention_days", "retention_rows", "redact", "health_alpha",
            limits: state.configuration.limits))
        let caller = context.caller.name
        return try JSON.response(
          try await state.workers.run { [settings = state.settings] in try settings.change(change, by: caller) })
      },
    ]
  }
}
