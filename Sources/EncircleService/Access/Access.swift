import EncircleText
import Foundation
import HTTPTypes
import Hummingbird

/// Authenticates the sender of a request and checks its role.
///
/// Callers show a token (`Authorization: Bearer …`), or the cookie of a session that was opened with one. Without any
/// tokens, every caller may do everything, provided that only this machine can reach the service.
struct Access: RequestAccess {
  /// The name of the cookie.
  static let cookieName = "encircle_session"
  /// The header that requests with the cookie carry when they change something.
  static let csrfHeader = HTTPField.Name("X-CSRF-Token")!

  let origins: Origins
  let tokens: ServiceTokens
  private let known: KnownCallers
  private let store: TokenStore
  private let failures = FailedLogins()
  let isLoopback: Bool
  let allowsAnonymous: Bool
  private static let sessionSeconds = 7 * 86_400

  init(store: Store, configuration: ServiceConfiguration) {
    self.store = TokenStore(store)
    tokens = ServiceTokens(self.store)
    known = KnownCallers(read: self.store.snapshot)
    origins = Origins(allowed: configuration.allowedOrigins)
    isLoopback = Origins.isLoopback(configuration.host)
    allowsAnonymous = configuration.allowAnonymous
  }

  /// Refuses a caller without the role.
  ///
  /// - Throws: ``ServiceError`` with 403.
  static func check(_ caller: Caller, has role: Role) throws {
    guard caller.role.includes(role) else {
      throw ServiceError(
        .forbidden, code: "forbidden",
        message: "This needs the role \(role); the token '\(caller.name)' has the role \(caller.role).")
    }
  }

  func hasTokens() async throws -> Bool { try await !known.snapshot().tokens.isEmpty }

  func caller(ofToken token: String) async throws -> Caller? { try await known.token(token).map { try Caller($0) } }

  func caller(ofSession request: Request, for role: Role) async throws -> Caller? {
    guard let cookie = Self.cookie(request), let (session, token) = try await known.session(cookie) else { return nil }
    // Events can be sent with GET. A page of another site can make a browser send such a request with the cookie.
    if role == .collect || Self.changes(request.method) {
      let shown = Secret.hash(of: request.headers[Self.csrfHeader] ?? "")
      guard Secret.areSame(shown, Secret.hash(of: session.csrf)) else {
        throw ServiceError(
          .forbidden, code: "csrf", message: "The header X-CSRF-Token is missing, or not of this session.")
      }
    }
    return try Caller(token)
  }

  /// Returns whether the caller of a streaming request still has a role. The token or session may have ended since the request
  /// began.
  func stillHas(_ role: Role, _ request: Request) async -> Bool {
    (try? await caller(of: request, for: role))?.role.includes(role) ?? false
  }

  /// Refuses to listen to other machines while there are no tokens.
  ///
  /// - Throws: ``ServiceStartError``.
  func checkBinding(to host: String) throws {
    guard !isLoopback, !allowsAnonymous, try tokens.all().isEmpty else { return }
    throw ServiceStartError.needsToken(host: host)
  }

  // MARK: - Sessions

  /// The answer about a browser's session.
  struct SessionState: Sendable {
    var caller: Caller?
    var csrf: String?
    var tokensExist: Bool
  }

  func session(of request: Request) async throws -> SessionState {
    let tokensExist = try await !known.snapshot().tokens.isEmpty
    var csrf: String?
    if let cookie = Self.cookie(request), let found = try await known.session(cookie) { csrf = found.session.csrf }
    // A caller without a role counts as anonymous.
    let caller = try? await caller(of: request, for: .read)
    return SessionState(caller: caller, csrf: csrf, tokensExist: tokensExist)
  }

  /// Opens a session.
  ///
  /// - Returns: The `Set-Cookie` header, and the state of the session.
  /// - Throws: ``ServiceError`` with 401, or 429 if the address has failed too often.
  func open(
    _ token: String, _ request: Request, from address: String?, on workers: WorkPool
  ) async throws -> (cookie: String, session: SessionState) {
    try origins.check(request)
    // A valid token is never refused. Otherwise others at the same address, as behind a proxy, could lock out its owner.
    guard let record = try await known.token(token) else {
      try failures.count(address ?? "")
      throw Self.unauthorized("The token is unknown, or has expired.", code: "bad-token", for: .read)
    }
    let caller = try Caller(record)
    guard caller.role.includes(.read) else {
      throw ServiceError(.forbidden, code: "forbidden", message: "This token can only send events.")
    }
    let (cookie, csrf) = (Secret(), Secret())
    let end = Date().addingTimeInterval(Double(Self.sessionSeconds))
    let session = SessionRecord(
      hash: cookie.hash, tokenID: record.id, csrf: csrf.text, expiresAt: min(end, record.expiresAt ?? end))
    try await workers.run { [store] in try store.add(session, by: caller.name) }
    try await known.refresh()
    return (
      Self.setCookie(cookie.text, seconds: Self.sessionSeconds, request),
      SessionState(caller: caller, csrf: csrf.text, tokensExist: true)
    )
  }

  /// Ends the session of a request, if it has one.
  ///
  /// - Returns: The `Set-Cookie` header that makes the browser delete the cookie.
  func close(_ request: Request, on workers: WorkPool) async throws -> String {
    try origins.check(request)
    if let cookie = Self.cookie(request) {
      try await workers.run { [store] in try store.removeSession(hash: Secret.hash(of: cookie)) }
      try await known.refresh()
    }
    return Self.setCookie("", seconds: 0, request)
  }

  /// Makes changes of tokens take effect at once.
  func refresh() async throws { try await known.refresh() }

  // MARK: - Headers

  private static func cookie(_ request: Request) -> String? {
    request.cookies[cookieName]?.value.trimmingCharacters(in: .whitespaces)
  }

  private static func setCookie(_ value: String, seconds: Int, _ request: Request) -> String {
    // A proxy that terminates TLS says so; the browser then sends the cookie over TLS only. The first of several proxies is
    // the browser's.
    let schemes = ClientAddress.parts(ofForwarded: request.headers[values: forwardedProto])
    let isSecure = schemes.first?.lowercased() == "https"
    let cookie = Cookie(
      name: cookieName, value: value, maxAge: seconds, path: "/", secure: isSecure, httpOnly: true, sameSite: .strict)
    return cookie.description
  }

  private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}

extension Caller {
  /// - Throws: ``ServiceError`` with 403 if the role is unknown, because nobody can say what the token may do.
  fileprivate init(_ token: TokenRecord) throws {
    guard let role = Role(rawValue: token.role) else {
      throw ServiceError(
        .forbidden, code: "unknown-role",
        message: """
          The token '\(token.name)' has the role '\(token.role)', which this version does not know. Remove the token, and make \
          another.
          """)
    }
    self.init(name: token.name, role: role, project: token.project ?? token.name)
  }
}
