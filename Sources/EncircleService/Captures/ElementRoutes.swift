import EncircleIdentity
import EncircleTree
import Foundation
import Hummingbird

/// The elements of captures.
struct ElementRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/resolve", operation: "resolveCapture", role: .read, handler: resolve),
      Route(
        method: .get, path: "/v1/captures/{id}/elements", operation: "listElements", role: .read, handler: elements),
      Route(
        method: .get, path: "/v1/captures/{id}/at", operation: "findElementsAtPoint", role: .read, handler: atPoint),
    ]
  }

  @Sendable private func resolve(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.captureBody(state.configuration.limits)
    return try await state.workers.run {
      let result = try state.captures.resolve(body.upload())
      return try response(CaptureSummary(result.record, isStored: false), result.identified)
    }
  }

  @Sendable private func elements(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard let record = try state.captures.record(id), let screen = try state.captures.screen(id) else {
        throw ServiceError.noCapture
      }
      return try response(CaptureSummary(record), screen.identified)
    }
  }

  private func response(_ summary: CaptureSummary, _ screen: IdentifiedTree) throws -> Response {
    var json = Array("{\"capture\":".utf8)
    json += try JSON.encoder.encode(summary)
    json += Array(",\"elements\":".utf8)
    ScreenElements(of: screen).appendAll(to: &json)
    json.append(UInt8(ascii: "}"))
    return JSON.response(bytes: ByteBuffer(bytes: json))
  }

  @Sendable private func atPoint(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    let (x, y) = (try request.coordinate("x"), try request.coordinate("y"))
    return try await state.workers.run {
      guard let screen = try state.captures.screen(id) else { throw ServiceError.noCapture }
      return try JSON.response(
        ElementNumbers(elements: ScreenElements(of: screen.identified).elements(atX: x, y: y).map(\.index)))
    }
  }
}

/// `{"elements": [n, …]}`
struct ElementNumbers: Encodable, Sendable {
  var elements: [Int]
}

extension Request {
  /// A coordinate in the query.
  ///
  /// - Throws: ``ServiceError`` with 400 where it is missing or no finite number.
  fileprivate func coordinate(_ name: String) throws -> Double {
    guard let number = query(name).flatMap({ Double($0) }), number.isFinite else {
      throw ServiceError.parameter(name, "\(name) must be a number.")
    }
    return number
  }
}
