import EncircleAuthoring
import Foundation
import Hummingbird

/// Routes for uploading, listing and removing captures, and for resources of a whole capture.
struct CaptureRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/captures", operation: "uploadCapture", role: .author, handler: upload),
      Route(method: .get, path: "/v1/captures", operation: "listCaptures", role: .read, handler: list),
      Route(method: .get, path: "/v1/captures/{id}", operation: "getCapture", role: .read, handler: get),
      Route(method: .patch, path: "/v1/captures/{id}", operation: "renameCapture", role: .author, handler: change),
      Route(method: .delete, path: "/v1/captures/{id}", operation: "deleteCapture", role: .author, handler: delete),
      Route(method: .get, path: "/v1/captures/{id}/source", operation: "getSource", role: .author, handler: source),
      Route(
        method: .get, path: "/v1/captures/{id}/screenshot", operation: "getScreenshot", role: .read,
        handler: screenshot),
      Route(
        method: .put, path: "/v1/captures/{id}/screenshot", operation: "setScreenshot", role: .author,
        handler: setScreenshot),
      Route(
        method: .get, path: "/v1/captures/{id}/thumbnail", operation: "getThumbnail", role: .read, handler: thumbnail),
    ]
  }

  private func upload(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.captureBody(state.configuration.limits)
    let addition = try await state.workers.run {
      try state.captures.add(body.upload(), by: context.caller.name)
    }
    return try JSON.response(
      CaptureAnswer(capture: addition.record), status: addition.isNew ? .created : .ok,
      headers: [.location: "/v1/captures/\(addition.record.id)"])
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let filter = try CaptureTable.Filter(request)
    let (offset, limit) = try request.listPart()
    return try await state.workers.run {
      let (records, total) = try state.captures.records(filter, offset: offset, limit: limit)
      return try JSON.response(CaptureListAnswer(captures: records, total: total))
    }
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard let record = try state.captures.record(id) else { throw ServiceError.noCapture }
      return try JSON.response(CaptureAnswer(capture: record))
    }
  }

  private func change(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    let body = try await request.object(members: "name", "page", limits: state.configuration.limits)
    func line(_ name: String) throws -> String? {
      try body.optional(name) { member -> String in
        guard let text = try CaptureUpload.text(member.text, { member.error($0) }) else {
          throw member.error("This must not be empty.")
        }
        return text
      }
    }
    let name = try line("name")
    let page = try line("page")
    guard name != nil || page != nil else { throw try body.required("name").error("This must be a string.") }
    let caller = context.caller.name
    return try await state.workers.run {
      guard let record = try state.captures.change(id, name: name, page: page, by: caller) else {
        throw ServiceError.noCapture
      }
      return try JSON.response(CaptureAnswer(capture: record))
    }
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard try state.captures.delete(id, by: context.caller.name) else { throw ServiceError.noCapture }
      return Response(status: .noContent)
    }
  }

  private func source(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard let bytes = try state.captures.source(id) else { throw ServiceError.noCapture }
      // The answer is a download, because its content is untrusted and may include typed text.
      return Response(bytes, "application/octet-stream", saveAs: id)
    }
  }

  // MARK: - Pictures

  private func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      guard let screenshot = try state.captures.screenshot(id) else {
        throw ServiceError.notFound("The capture does not exist, or has no screenshot.")
      }
      return Response(screenshot)
    }
  }

  private func thumbnail(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    return try await state.workers.run {
      if let screenshot = try state.captures.screenshot(id) { return Response(screenshot) }
      guard try state.captures.record(id) != nil else { throw ServiceError.noCapture }
      // The drawing depends only on the capture, so a client that has it never needs a new one.
      let tag = "wireframe-1-\(id)"
      let headers: HTTPFields = [.eTag: "\"\(tag)\"", .cacheControl: "private, no-cache"]
      if Precondition.isKnown(tag, request.headers) { return Response(status: .notModified, headers: headers) }
      guard let screen = try state.captures.screen(id) else { throw ServiceError.noCapture }
      return Response(Wireframe(of: screen.identified).svg.utf8, "image/svg+xml", headers: headers)
    }
  }

  private func setScreenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    let limits = state.configuration.limits
    let body = try await request.plainBytes(limit: limits.screenshotBytes, limits: limits)
    return try await state.workers.run {
      guard try state.captures.record(id) != nil else { throw ServiceError.noCapture }
      let screenshot = try Screenshot(uploaded: Array(body.readableBytesView))
      guard let record = try state.captures.setScreenshot(screenshot, of: id, by: context.caller.name) else {
        throw ServiceError.noCapture
      }
      return try JSON.response(CaptureAnswer(capture: record))
    }
  }
}

extension Response {
  /// Answers with a picture, which clients may cache if they revalidate it each time.
  init(_ screenshot: StoredScreenshot) {
    self.init(
      screenshot.content, screenshot.type,
      headers: [.eTag: "\"\(screenshot.etag)\"", .cacheControl: "private, no-cache"])
  }
}

extension ServiceError {
  static var noCapture: Self { .notFound("There is no capture of this ID.") }
}

extension ServiceContext {
  /// The ID in the path.
  var captureID: String { parameters.get("id") ?? "" }
}

/// The body of a request with a capture, before it is parsed.
struct CaptureBody: Sendable {
  fileprivate let bytes: ByteBuffer
  fileprivate let description: CaptureUpload.Description
  fileprivate let limits: ServiceLimits

  /// Reads the capture and its screenshot from the body.
  ///
  /// - Throws: ``ServiceError``.
  func upload() throws -> CaptureUpload {
    try CaptureUpload(Array(bytes.readableBytesView), description, limits: limits)
  }
}

extension Request {
  func captureBody(_ limits: ServiceLimits) async throws -> CaptureBody {
    CaptureBody(
      bytes: try await bytes(limit: limits.captureBytes, limits: limits),
      description: CaptureUpload.Description(self), limits: limits)
  }
}

extension CaptureTable.Filter {
  /// Reads the filter in the query.
  ///
  /// - Throws: ``ServiceError`` with 400.
  init(_ request: Request) throws {
    self.init()
    let search = request.query("search") ?? ""
    guard search.utf8.count <= 200 else { throw ServiceError.parameter("search", "search has at most 200 bytes.") }
    words = search.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    // A form also sends its empty fields.
    func value(_ name: String) -> String? { request.query(name).flatMap { $0.isEmpty ? nil : $0 } }
    page = value("page")
    app = value("app")
    appVersion = value("app_version")
  }
}
