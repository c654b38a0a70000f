import HTTPTypes
import Hummingbird

extension ServiceState {
  /// A name that a client chooses. A caller's name is not enough: many clients may use one token, and all clients without
  /// tokens have the same name.
  private static let clientID = HTTPField.Name("X-Client-ID")!

  /// Returns a route that answers a question in JSON. `answer` runs on a worker thread.
  ///
  /// - Parameters:
  ///   - bodyBytes: The longest body, if that is less than the service's limit.
  ///   - pool: The threads that run `answer`.
  ///   - isSole: True if a question ends the previous question of the same client, if the client names itself.
  func question(
    _ path: String, _ operation: String, bodyBytes: Int = .max, on pool: WorkPool? = nil, isSole: Bool = false,
    _ answer: @escaping @Sendable (JSONBody) throws -> [UInt8]
  ) -> Route {
    Route(method: .post, path: path, operation: operation, role: .read) { request, context in
      let limits = configuration.limits
      let bytes = try await request.plainBytes(limit: min(bodyBytes, limits.bodyBytes), limits: limits)
      let client = isSole ? request.headers[Self.clientID] : nil
      // Neither token names nor headers contain line breaks, so no client can pose as another caller.
      let name = client.map { "\(operation)\n\(context.caller.name)\n\($0)" }
      let json = try await (pool ?? workers).run(sole: name) {
        try answer(try JSONBody(bytes.readableBytesView, limits))
      }
      return JSON.response(bytes: json)
    }
  }
}
