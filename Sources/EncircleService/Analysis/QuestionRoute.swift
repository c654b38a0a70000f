import Hummingbird

extension ServiceState {
  /// A route that answers a question in JSON. `answer` runs on a thread for work.
  ///
  /// - Parameter bodyBytes: The longest body, where that is less than the service allows for all.
  func question(
    _ path: String, _ operation: String, bodyBytes: Int = .max,
    _ answer: @escaping @Sendable (JSONBody) throws -> [UInt8]
  ) -> Route {
    Route(method: .post, path: path, operation: operation, role: .read) { request, _ in
      let limits = configuration.limits
      let bytes = try await request.plainBytes(limit: min(bodyBytes, limits.bodyBytes), limits: limits)
      let json = try await workers.run { try answer(try JSONBody(bytes.readableBytesView)) }
      return JSON.response(bytes: ByteBuffer(bytes: json))
    }
  }
}
