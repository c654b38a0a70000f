import EncircleAuthoring
import EncircleInput
import EncircleText
import Foundation
import Hummingbird

/// A capture as it arrives in a request.
struct CaptureUpload: Sendable {
  /// The bytes of the capture, compressed or not.
  var capture: [UInt8]
  var screenshot: Screenshot? = nil
  /// The display name.
  var name: String? = nil
  /// The activity of an Android capture that does not name one.
  var page: String? = nil
  /// The name of the file, for errors and as a fallback for the name.
  var fileName: String? = nil

  init(capture: [UInt8]) { self.capture = capture }

  /// The description of the body in a request's headers.
  struct Description: Sendable {
    var contentType: String?
    var contentEncoding: String?
    /// The name in the query.
    var name: String?
    var page: String?

    init(_ request: Request) {
      contentType = request.headers[.contentType]
      contentEncoding = request.headers[.contentEncoding]
      name = request.query("name")
      page = request.query("page")
    }
  }

  /// Reads a body: either the capture alone, or a form with the parts `capture`, `screenshot`, `name` and `page`.
  ///
  /// - Throws: ``ServiceError`` with 400, 413, 415 or 422.
  /// - Complexity: O(bytes).
  init(_ body: [UInt8], _ description: Description, limits: ServiceLimits) throws {
    var body = body
    switch description.contentEncoding?.lowercased() {
    case nil, "", "identity": break
    case "gzip", "x-gzip": body = try Self.decompressed(body, limit: limits.captureBytes)
    default: throw ErrorAnswer.unknownEncoding
    }
    let type = HeaderValue(description.contentType ?? "")
    self.init(capture: body)
    if type.value.beginsWithBytes(of: "multipart/") {
      try readForm(body, type, screenshotLimit: limits.screenshotBytes)
    }
    if let name = description.name { self.name = try Self.text(name, "name") }
    if let page = description.page { self.page = try Self.text(page, "page") }
    guard !capture.isEmpty else {
      throw ServiceError.invalid("The capture is empty.", code: "bad-capture")
    }
  }

  private mutating func readForm(_ body: [UInt8], _ type: HeaderValue, screenshotLimit: Int) throws {
    guard type.value == "multipart/form-data" else {
      throw ErrorAnswer(
        status: .unsupportedMediaType, code: "bad-type",
        message: "A body of several parts must be multipart/form-data.")
    }
    guard let boundary = type.parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
      throw ServiceError.malformed("Content-Type names no boundary of 1 to 70 bytes.", code: "bad-form")
    }
    let form: MultipartForm
    do throws(MultipartForm.Problem) {
      form = try MultipartForm(body, boundary: boundary)
    } catch {
      let place = error.part.map { ServiceError.Location(parameter: $0.beginning(bytes: 50)) }
      throw ServiceError.malformed(error.message, code: "bad-form", location: place)
    }
    if let other = form.parts.first(where: { !["capture", "screenshot", "name", "page"].contains($0.name) }) {
      throw ServiceError.malformed(
        "The form has a part that is not known: it may have capture, screenshot, name and page.", code: "bad-form",
        location: .init(parameter: other.name.beginning(bytes: 50)))
    }
    guard let part = form["capture"] else {
      throw ServiceError.malformed(
        "The form has no part capture.", code: "bad-form", location: .init(parameter: "capture"))
    }
    capture = Array(body[part.content])
    fileName = part.fileName.flatMap(Self.fileName)
    func text(_ name: String) throws -> String? {
      guard let part = form[name], !part.content.isEmpty else { return nil }
      guard let text = String(validating: body[part.content], as: UTF8.self) else {
        throw ServiceError.malformed("This is not UTF-8.", code: "bad-form", location: .init(parameter: name))
      }
      return try Self.text(text, name)
    }
    name = try text("name")
    page = try text("page")
    if let part = form["screenshot"], !part.content.isEmpty {
      guard part.content.count <= screenshotLimit else {
        var error = ServiceError.tooLarge(limit: screenshotLimit)
        error.message = "The screenshot is longer than \(screenshotLimit) bytes."
        error.location = .init(parameter: "screenshot")
        throw error
      }
      screenshot = try Screenshot(uploaded: Array(body[part.content]))
    }
  }

  private static func text(_ text: String, _ parameter: String) throws -> String? {
    try Self.text(text) { ServiceError.parameter(parameter, $0) }
  }

  /// Returns a text of one line for people; nil for an empty text.
  ///
  /// - Parameter error: Creates an error with a message, at the place of the text in the request.
  static func text(_ text: String, _ error: (_ message: String) -> ServiceError) throws -> String? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.utf8.count <= 200, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw error("This must be a line of at most 200 bytes.")
    }
    return text.isEmpty ? nil : text
  }

  /// Returns the last component of a path, without control characters.
  private static func fileName(_ path: String) -> String? {
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: name.unicodeScalars.lazy.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(50))
    return scalars.isEmpty ? nil : String(scalars)
  }

  private static func decompressed(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    guard Gzip.isBeginning(of: bytes) else {
      throw ServiceError.malformed("The body is not compressed with gzip as its header says.", code: "bad-encoding")
    }
    do throws(InputError) {
      var source = ByteSource(bytes)
      return try source.readAll(limit: limit)
    } catch {
      if case .tooLarge(let limit) = error { throw ServiceError.tooLarge(limit: limit) }
      throw ServiceError.malformed("The body cannot be decompressed: \(error).", code: "bad-encoding")
    }
  }
}
