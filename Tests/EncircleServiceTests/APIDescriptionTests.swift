import EncircleIdentity
import Logging
import Testing

@testable import EncircleService

@Suite struct APIDescriptionTests {
  @Test func `every route of the API is described, and every described route exists`() async throws {
    let service = try RunningService()
    let paths = try #require(try await service.get("/v1/openapi.json").object["paths"] as? [String: [String: Any]])
    var described: Set<String> = []
    for (path, methods) in paths {
      for (method, operation) in methods where method != "parameters" {
        let id = try #require((operation as? [String: Any])?["operationId"] as? String, "\(method) \(path)")
        described.insert("\(method.uppercased()) \(path) \(id)")
      }
    }
    let state = try ServiceState(
      ServiceConfiguration(directory: RunningService.newDirectory().path), logger: Logger(label: "test"))
    let routes = Set(
      state.table.routes.filter { $0.operation != "page" }.map { "\($0.method) \($0.path) \($0.operation)" })
    #expect(described.subtracting(routes).sorted() == [])
    #expect(routes.subtracting(described).sorted() == [])
  }

  /// Clients that are generated from the description send a token only where it says so.
  @Test func `every route with a role takes a token or a session`() async throws {
    let service = try RunningService()
    let description = try await service.get("/v1/openapi.json").object
    let components = try #require(description["components"] as? [String: Any])
    let schemes = try #require(components["securitySchemes"] as? [String: Any])
    let ways = try #require(description["security"] as? [[String: Any]])
    #expect(Set(ways.flatMap(\.keys)) == Set(schemes.keys))
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    let state = try ServiceState(
      ServiceConfiguration(directory: RunningService.newDirectory().path), logger: Logger(label: "test"))
    for route in state.table.routes where route.role != nil {
      let operation = paths[route.path]?[route.method.rawValue.lowercased()] as? [String: Any]
      #expect(operation != nil && operation?["security"] == nil, "\(route.method) \(route.path)")
    }
  }

  @Test func `schemas of bodies with members allow no other members`() async throws {
    let service = try RunningService()
    let description = try await service.get("/v1/openapi.json").object
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    let components = try #require(description["components"] as? [String: Any])
    let schemas = try #require(components["schemas"] as? [String: [String: Any]])
    var count = 0
    for (path, methods) in paths {
      for (method, operation) in methods {
        let body = (operation as? [String: Any])?["requestBody"] as? [String: Any]
        let content = body?["content"] as? [String: [String: Any]]
        guard var schema = content?["application/json"]?["schema"] as? [String: Any] else { continue }
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
          schema = try #require(schemas["\(name)"])
        }
        guard schema["properties"] != nil else { continue }
        count += 1
        #expect(schema["additionalProperties"] as? Bool == false, "\(method) \(path)")
      }
    }
    #expect(count == 28)
  }

  @Test func `styles of paths are described`() async throws {
    let service = try RunningService()
    let components = try #require(try await service.get("/v1/openapi.json").object["components"] as? [String: Any])
    let schema = (components["schemas"] as? [String: [String: Any]])?["PathStyle"]
    #expect(Set(schema?["enum"] as? [String] ?? []) == Set(PathStyleName.allCases.map(\.rawValue)))
  }
}
