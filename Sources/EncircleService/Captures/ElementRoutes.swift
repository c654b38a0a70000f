import EncircleAuthoring
import EncircleIdentity
import EncircleTree
import Foundation
import Hummingbird

/// Routes for the elements of captures.
struct ElementRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/resolve", operation: "resolveCapture", role: .read, handler: resolve),
      Route(
        method: .get, path: "/v1/captures/{id}/elements", operation: "listElements", role: .read, handler: elements),
      Route(
        method: .get, path: "/v1/captures/{id}/at", operation: "findElementsAtPoint", role: .read, handler: atPoint),
      Route(
        method: .get, path: "/v1/captures/{id}/elements/{element}", operation: "getElement", role: .read,
        handler: element),
      Route(
        method: .get, path: "/v1/captures/{id}/elements/{element}/same-kind", operation: "listSameKind", role: .read,
        handler: sameKind),
      Route(method: .get, path: "/v1/elements/{event_id}", operation: "findElements", role: .read, handler: find),
    ]
  }

  private func resolve(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.captureBody(state.configuration.limits)
    return try await state.workers.run {
      let result = try state.captures.resolve(body.upload())
      return try response(result.record, result.identified)
    }
  }

  private func elements(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard let record = try state.captures.record(id), let screen = try state.captures.screen(id) else {
        throw ServiceError.noCapture
      }
      return try response(record, screen.identified)
    }
  }

  private func response(_ record: CaptureRecord, _ screen: IdentifiedTree) throws -> Response {
    let capture = try JSON.encoder.encode(record)
    return JSON.response {
      $0.member("capture", json: capture)
      $0.array("elements") { ScreenElements(of: screen).writeAll(to: &$0) }
    }
  }

  private func atPoint(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    let (x, y) = (try request.coordinate("x"), try request.coordinate("y"))
    return try await state.workers.run {
      guard let screen = try state.captures.screen(id) else { throw ServiceError.noCapture }
      return try JSON.response(
        ElementNumbers(elements: ScreenElements(of: screen.identified).elements(atX: x, y: y).map(\.index)))
    }
  }

  private func element(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (id, number) = (context.captureID, try context.elementNumber)
    return try await state.workers.run {
      let (element, screen) = try self.element(number, of: id)
      return ElementDetail(of: element, in: screen).response()
    }
  }

  private func sameKind(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (id, number) = (context.captureID, try context.elementNumber)
    let levels = try request.query("levels", default: SameKindLevels.innermost)
    return try await state.workers.run {
      let (element, screen) = try self.element(number, of: id)
      return try JSON.response(
        ElementNumbers(elements: screen.elements(ofSameKindAs: element, levels: levels).map(\.index)))
    }
  }

  private func element(_ number: Int, of id: String) throws -> (ElementID, IdentifiedTree) {
    guard let screen = try state.captures.screen(id)?.identified else { throw ServiceError.noCapture }
    guard number < screen.tree.count else {
      throw ServiceError.notFound("The capture has \(screen.tree.count) elements, numbered from 0.")
    }
    return (ElementID(number), screen)
  }

  private func find(_ request: Request, _ context: ServiceContext) async throws -> Response {
    guard let range = EventIDRange(prefix: context.parameters.get("event_id") ?? "") else {
      throw ServiceError.parameter("event_id", "This must be an event ID, or its first 8 or more hexadecimal digits.")
    }
    let (offset, limit) = try request.listPart()
    let mayBeEmpty = try request.flag("empty")
    return try await state.workers.run {
      let (places, total) = try state.captures.elements(
        from: range.lower, through: range.upper, offset: offset, limit: limit)
      guard total > 0 || mayBeEmpty else {
        throw ServiceError.notFound("No element of a stored capture has this event ID.")
      }
      return try JSON.response(FoundElements(places, total: total, in: state.captures))
    }
  }
}

extension ServiceContext {
  /// The number of an element in the path.
  ///
  /// - Throws: ``ServiceError`` with 400.
  fileprivate var elementNumber: Int {
    get throws {
      guard let number = parameters.get("element").flatMap({ Int32($0) }), number >= 0 else {
        throw ServiceError.parameter("element", "An element has a number from 0.")
      }
      return Int(number)
    }
  }
}

/// `{"elements": [n, …]}`
struct ElementNumbers: Encodable, Sendable {
  var elements: [Int]
}

extension Request {
  /// Returns a coordinate in the query.
  ///
  /// - Throws: ``ServiceError`` with 400 if it is missing or is not a finite number.
  fileprivate func coordinate(_ name: String) throws -> Double {
    guard let number = query(name).flatMap({ Double($0) }), number.isFinite else {
      throw ServiceError.parameter(name, "\(name) must be a number.")
    }
    return number
  }
}
