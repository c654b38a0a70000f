import Foundation
import Hummingbird

/// Sessions, tokens and the audit log.
struct AccessRoutes: RouteGroup {
  let state: ServiceState

  private var access: Access { state.access }

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/session", operation: "getSession", role: nil, handler: session),
      Route(method: .post, path: "/v1/session", operation: "openSession", role: nil, handler: open),
      Route(method: .delete, path: "/v1/session", operation: "closeSession", role: nil, handler: close),
      Route(method: .get, path: "/v1/tokens", operation: "listTokens", role: .publish, handler: list),
      Route(method: .post, path: "/v1/tokens", operation: "addToken", role: .publish, handler: add),
      Route(method: .delete, path: "/v1/tokens/{id}", operation: "removeToken", role: .publish, handler: remove),
      Route(method: .get, path: "/v1/audit", operation: "listAudit", role: .publish, handler: audit),
    ]
  }

  // MARK: - Sessions

  private struct SessionAnswer: Encodable {
    var authenticated: Bool
    var name: String?
    var role: Role?
    var csrf: String?
    var tokensExist: Bool

    init(_ session: Access.SessionState) {
      authenticated = session.caller != nil
      name = session.caller?.name
      role = session.caller?.role
      csrf = session.csrf
      tokensExist = session.tokensExist
    }
  }

  private func session(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try JSON.response(SessionAnswer(try await access.session(of: request)))
  }

  private func open(_ request: Request, _ context: ServiceContext) async throws -> Response {
    // Anybody may send this request, so its body may only be as long as a token needs.
    let login = try await request.object(members: "token", limit: 4 << 10, limits: state.configuration.limits)
    let token = try login.required("token").text
    let address = state.clientAddress.address(of: request, from: context.remoteAddress)
    let (cookie, session) = try await access.open(token, request, from: address, on: state.workers)
    return try JSON.response(SessionAnswer(session), headers: [.setCookie: cookie])
  }

  private func close(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let cookie = try await access.close(request, on: state.workers)
    return Response(status: .noContent, headers: [.setCookie: cookie])
  }

  // MARK: - Tokens

  private struct Token: Encodable {
    var id: String
    var name: String
    var role: String
    var createdAt: Date
    var createdBy: String
    var expiresAt: Date?
    var expired: Bool
    /// The project of events with the key of an app; nil for other tokens.
    var project: String?
    /// The token itself, only in the answer to the request that creates it.
    var token: String?

    init(_ record: TokenRecord, token: String? = nil) {
      id = record.id
      name = record.name
      role = record.role
      createdAt = record.createdAt
      createdBy = record.createdBy
      expiresAt = record.expiresAt
      expired = record.isExpired()
      project = record.project
      self.token = token
    }
  }

  private struct TokenList: Encodable {
    var tokens: [Token]
    var total: Int
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let tokens = try await state.workers.run { [access] in try access.tokens.all() }
    return try JSON.response(TokenList(tokens: tokens.map { Token($0) }, total: tokens.count))
  }

  private func add(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let wanted = try await request.object(
      members: "name", "role", "key", "project", "days", limits: state.configuration.limits)
    let name = try wanted.required("name").text
    let days = try wanted.optional("days") { try $0.integer }
    let key = try wanted.optional("key") { try $0.text }
    let project = try wanted.optional("project") { try $0.text }
    let roleName = try wanted.required("role")
    guard let role = Role(rawValue: try roleName.text) else {
      throw roleName.error("A role is one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let caller = context.caller.name
    let (record, token) = try await state.workers.run { [access] in
      do {
        return try access.tokens.add(
          name: name, role: role, key: key, project: project, days: days, by: caller, isMadeByToken: true)
      } catch let problem as ServiceTokens.Problem {
        throw ServiceError(problem)
      }
    }
    try await access.refresh()
    return try JSON.response(Token(record, token: token), status: .created)
  }

  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.parameters.get("id") ?? ""
    let caller = context.caller.name
    let isRemoved = try await state.workers.run { [access] in
      do {
        // Names are not looked up here: the name of one token could be the ID of another that has just been removed.
        return try access.tokens.remove(id: id, by: caller)
      } catch let problem as ServiceTokens.Problem {
        throw ServiceError(problem)
      }
    }
    guard isRemoved else { throw ServiceError.notFound("There is no token with this ID.") }
    try await access.refresh()
    return Response(status: .noContent)
  }

  // MARK: - Audit

  private struct AuditList: Encodable {
    var entries: [AuditStore.Entry]
    var total: Int
  }

  private func audit(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (offset, limit) = try request.listPart()
    let (entries, total) = try await state.workers.run { [audit = state.audit] in
      try audit.entries(offset: offset, limit: limit)
    }
    return try JSON.response(AuditList(entries: entries, total: total))
  }
}

extension ServiceError {
  fileprivate init(_ problem: ServiceTokens.Problem) {
    self =
      if let member = problem.member {
        .invalid(problem.description, code: problem.code, location: .init(pointer: "/\(member)"))
      } else {
        .conflict(problem.description, code: problem.code)
      }
  }
}
