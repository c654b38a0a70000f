import HTTPTypes
import Hummingbird

extension ServiceState {
  /// A name that a client gives itself. The callers' names do not tell clients apart: a token may have many, and without tokens
  /// all have one name.
  private static let clientID = HTTPField.Name("X-Client-ID")!

  /// A route that answers a question in JSON. `answer` runs on a thread for work.
  ///
  /// - Parameters:
  ///   - bodyBytes: The longest body, where that is less than the service allows for all.
  ///   - pool: The threads.
  ///   - isSole: Whether a question ends the one that the same client has asked before, if it names itself.
  func question(
    _ path: String, _ operation: String, bodyBytes: Int = .max, on pool: WorkPool? = nil, isSole: Bool = false,
    _ answer: @escaping @Sendable (JSONBody) throws -> [UInt8]
  ) -> Route {
    Route(method: .post, path: path, operation: operation, role: .read) { request, context in
      let limits = configuration.limits
      let bytes = try await request.plainBytes(limit: min(bodyBytes, limits.bodyBytes), limits: limits)
      let client = isSole ? request.headers[Self.clientID] : nil
      // Neither names of tokens nor headers have line breaks, so no client can take another caller's name.
      let name = client.map { "\(operation)\n\(context.caller.name)\n\($0)" }
      let json = try await (pool ?? workers).run(sole: name) {
        try answer(try JSONBody(bytes.readableBytesView, limits))
      }
      return JSON.response(bytes: ByteBuffer(bytes: json))
    }
  }
}
