import EncircleInput
import EncircleRules
import Foundation
import Logging
import ServiceLifecycle

/// The service: captures, rules and events of one directory over HTTP, and the page for circling elements.
public struct ServiceApplication: ServiceLifecycle.Service {
  let state: ServiceState
  private let listener: HTTPListener

  /// Opens the directory, but does not listen yet.
  ///
  /// - Parameter onListening: Called once with the port, as soon as requests are accepted.
  /// - Throws: An error if the directory cannot be used.
  public init(
    _ configuration: ServiceConfiguration, logger: Logger,
    onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
  ) throws {
    let state = try ServiceState(configuration, logger: logger)
    try state.access.checkBinding(to: configuration.host)
    if !configuration.rules.isEmpty, try state.ruleSets.isNew() {
      do {
        try RuleImport(configuration.rules).publish(in: state.ruleSets)
      } catch let problem as RuleImport.Problem {
        throw ServiceStartError.rules(problem.description, isMissing: problem.isMissing)
      }
    } else if !configuration.rules.isEmpty {
      // Without this message, a user who has changed a file would wait for the change to take effect.
      logger.info(
        "rules not published: there are rules already; PUT /v1/rulesets/NAME or the page changes them",
        metadata: ["rules": "\(configuration.rules.joined(separator: ", "))"])
    }
    self.state = state
    do {
      try CaptureImport(library: state.captures, limits: configuration.limits, logger: logger)
        .run(configuration.importedCaptures)
    } catch let failure as CaptureImport.Failure {
      throw ServiceStartError.input("\(failure)", isMissing: failure.isMissing)
    }
    if let events = configuration.importedEvents {
      do {
        try EventImport(events: state.events, retention: configuration.retention, logger: logger).run(events)
      } catch let error as InputError {
        throw ServiceStartError.input("\(events): \(error)", isMissing: error == .noSuchFile)
      }
    }
    listener = HTTPListener(
      state.table, access: state.access, metrics: state.metrics, configuration, logger: logger, onListening: onListening
    )
  }

  /// Serves requests until SIGTERM or SIGINT. It then accepts no more requests, and returns when the pending ones are answered.
  /// It waits for a limited time only, because a live stream never ends on its own.
  public func run() async throws {
    // The first request about selectors would have to read all captures, so they are read in advance.
    let preparation = Task { [state] in
      _ = try? await state.workers.run {
        let ruleSet = try state.ruleSets.published(EventLibrary.ruleSet)?.ruleSet ?? RuleSet()
        var settings = SelectionSettings(ruleSet)
        // Suggestions need the texts around elements.
        settings.readsScreens = true
        return try state.analysis.snapshot(settings).screens.count
      }
    }
    defer { preparation.cancel() }
    let upkeep = Task { [state] in
      while !Task.isCancelled {
        state.events.deleteOld()
        _ = try? await state.workers.run { try state.store.checkpoint(.passive) }
        try await Task.sleep(for: Self.upkeepInterval)
      }
    }
    defer { upkeep.cancel() }
    try await listener.run()
    try await state.analysts.stop()
    try await state.collectors.stop()
    try await state.workers.stop()
    state.events.finish()
    try state.store.close()
  }

  /// The interval at which old events are deleted and write-ahead logs are moved into the databases.
  private static let upkeepInterval = Duration.seconds(60)
}
