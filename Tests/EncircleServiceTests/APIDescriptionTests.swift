import Logging
import Testing

@testable import EncircleService

@Suite struct APIDescriptionTests {
  @Test func `every route of the API is described, and every described one exists`() async throws {
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
}
