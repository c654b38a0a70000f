import EncircleText
import Foundation
import HTTPTypes
import Hummingbird

/// Authenticates the sender of a request by the tokens that a service or a collector accepts.
protocol RequestAccess: Sendable {
  var origins: Origins { get }
  /// This is true if only this machine can reach the address.
  var isLoopback: Bool { get }
  /// This is true if all callers may do everything while there are no tokens, although other machines can reach the address.
  var allowsAnonymous: Bool { get }

  func hasTokens() async throws -> Bool

  /// Returns the caller with this token; nil if the token is unknown or has expired.
  func caller(ofToken token: String) async throws -> Caller?

  /// Returns the caller whose browser session the request has; nil if it has none.
  func caller(ofSession request: Request, for role: Role) async throws -> Caller?
}

extension RequestAccess {
  /// Returns the caller of a request. Its role is checked later.
  ///
  /// - Throws: ``ServiceError`` with 401 or 403. For the role collect it is always 403, because on 401 an SDK would delete its
  ///   events.
  func caller(of request: Request, for role: Role) async throws -> Caller {
    if role != .collect, Self.changes(request.method) { try origins.check(request) }
    if let header = Self.bearerHeader(request) {
      guard let token = Self.bearer(header), let caller = try await caller(ofToken: token) else {
        throw Self.unauthorized("The token is unknown, or has expired.", code: "bad-token", for: role)
      }
      return caller
    }
    let hasTokens = try await hasTokens()
    if role == .collect, hasTokens, let token = request.query("token") {
      // A token in an address can end up in logs, so it gives access to nothing else.
      guard let caller = try await caller(ofToken: token), caller.role == .collect else {
        throw Self.unauthorized(
          "The token is unknown, or has expired, or has another role than collect.", code: "bad-token", for: role)
      }
      return caller
    }
    if let caller = try await caller(ofSession: request, for: role) { return caller }
    guard !hasTokens, isLoopback || allowsAnonymous else {
      throw Self.unauthorized("This needs a token: Authorization: Bearer …", code: "unauthorized", for: role)
    }
    if isLoopback { try origins.checkLoopback(request) }
    // Without tokens, any page of another site could send events, because it would need only the address of the service.
    if role == .collect { try origins.check(request) }
    return Caller(name: "anonymous", role: .publish)
  }

  /// Returns the caller that sends events, and the project of the events, by the key of the SDK's app.
  ///
  /// The key authenticates the caller, unless the request has another token. If the key is a token, its project is returned,
  /// because tokens are never written down; otherwise the key itself is the project. Without a key, the project is nil.
  ///
  /// - Throws: ``ServiceError`` with 403.
  func sender(of request: Request, key: String?) async throws -> (caller: Caller, project: String?) {
    guard let key, try await hasTokens() else { return (try await caller(of: request, for: .collect), key) }
    let owner = try await caller(ofToken: key)
    let project = owner.map(\.project) ?? key
    guard Self.bearerHeader(request) == nil, request.query("token") == nil else {
      return (try await caller(of: request, for: .collect), project)
    }
    guard let owner, owner.role == .collect else {
      throw Self.unauthorized(
        "The app's key is not a token with the role collect, or has expired.", code: "bad-token", for: .collect)
    }
    return (owner, project)
  }

  /// Returns the header `Authorization` if it is for tokens. Any other, such as `Basic`, is for a proxy that asks for a
  /// password and passes the header on.
  private static func bearerHeader(_ request: Request) -> String? {
    guard let header = request.headers[.authorization],
      header.splitBytes(at: " ", maxSplits: 1).first?.lowercased() == "bearer"
    else { return nil }
    return header
  }

  static func bearer(_ header: String) -> String? {
    let parts = header.splitBytes(at: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1].trimmingCharacters(in: .whitespaces)
  }

  static func changes(_ method: HTTPRequest.Method) -> Bool {
    method != .get && method != .head && method != .options
  }

  static func unauthorized(_ message: String, code: String, for role: Role) -> ServiceError {
    ServiceError(role == .collect ? .forbidden : .unauthenticated, code: code, message: message)
  }
}
