import HTTPTypes
import Hummingbird

/// Decisions on events that are not stored.
struct MatchRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/match", operation: "match", role: .read) { request, _ in
        let output = try request.query("output", default: DecisionForm.decisions)
        let name = request.query("ruleset") ?? EventLibrary.ruleSet
        // Compression is recognised by the first bytes.
        if let encoding = request.headers[.contentEncoding],
          !["gzip", "x-gzip", "identity"].contains(encoding.lowercased())
        {
          throw ErrorAnswer.unknownEncoding
        }
        let rules = try await state.workers.run { try state.events.matchers.active(name, waitingForCaptures: true) }
        let type = (request.headers[.contentType] ?? "").lowercased()
        let stream = MatchStream(
          rules: rules, output: output, workers: state.workers,
          isLines: type.contains("ndjson") || type.contains("jsonl"), memory: RequestScope.current?.memory)
        // This asks a client that waits for `100 Continue` to go on, which is too late once the answer has begun.
        let body = BodyParts(of: request, limits: state.configuration.limits)
        return Response(
          status: .ok, headers: [.contentType: "application/x-ndjson; charset=utf-8"],
          body: ResponseBody { writer in try await stream.run(body, to: &writer) })
      }
    ]
  }
}
