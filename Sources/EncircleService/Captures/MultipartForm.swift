import EncircleText
import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578), parsed strictly, in the form that browsers, curl and the probe send.
struct MultipartForm {
  struct Part {
    var name: String
    var fileName: String?
    /// The range of the content in the body.
    var content: Range<Int>
  }

  /// The reason why a body is not a valid form.
  struct Problem: Error {
    var message: String
    /// The name of the part at fault, if it is known.
    var part: String? = nil
  }

  /// The maximum number of parts in a form.
  static let maximumParts = 16
  /// The maximum length of the lines before a part's content, in bytes.
  static let maximumHeaderBytes = 8_192

  private(set) var parts: [Part] = []

  /// Reads a body.
  ///
  /// - Parameter boundary: The boundary in the header `Content-Type`, from 1 to 70 bytes.
  /// - Complexity: O(bytes).
  init(_ body: [UInt8], boundary: String) throws(Problem) {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter may be at the beginning of the body, without a preceding line end.
    var start: Int
    if body.starts(with: delimiter.dropFirst(2)) {
      start = delimiter.count - 2
    } else if let first = Self.first(delimiter, in: body, from: 0) {
      start = first + delimiter.count
    } else {
      throw Problem(message: "The boundary of Content-Type does not occur in the body.")
    }
    while !Self.has("--", in: body, at: start) {
      // Senders may put white space after a boundary.
      while start < body.count, body[start] == 0x20 || body[start] == 0x09 { start += 1 }
      guard Self.has("\r\n", in: body, at: start) else { throw Problem(message: "A boundary's line does not end.") }
      guard parts.count < Self.maximumParts else {
        throw Problem(message: "The form has more than \(Self.maximumParts) parts.")
      }
      let content = try readHeaders(of: body, from: start + 2)
      guard let end = Self.first(delimiter, in: body, from: content - 2) else {
        throw Problem(message: "The last part of the form does not end.", part: parts.last?.name)
      }
      // In an empty part, the delimiter shares its line end with the preceding empty line.
      parts[parts.count - 1].content = content..<max(content, end)
      start = end + delimiter.count
    }
  }

  /// The part with a name; nil if the form has none.
  subscript(name: String) -> Part? { parts.first { $0.name == name } }

  /// Reads the lines before a part's content, and returns where the content begins.
  private mutating func readHeaders(of body: [UInt8], from start: Int) throws(Problem) -> Int {
    var position = start
    var name: String?
    var fileName: String?
    while !Self.has("\r\n", in: body, at: position) {
      let end = min(body.count, start + Self.maximumHeaderBytes)
      guard position < end, let lineEnd = Self.first(Array("\r\n".utf8), in: body, from: position), lineEnd < end else {
        throw Problem(message: "The lines before a part's content do not end, or are too long.")
      }
      guard let line = String(validating: body[position..<lineEnd], as: UTF8.self) else {
        throw Problem(message: "The lines before a part's content are not UTF-8.")
      }
      position = lineEnd + 2
      let header = line.splitBytes(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard header.count == 2 else { throw Problem(message: "A line before a part's content is not a header.") }
      guard header[0].lowercased() == "content-disposition" else { continue }
      let value = HeaderValue(String(header[1]))
      guard value.value == "form-data" else { throw Problem(message: "A part's disposition is not form-data.") }
      name = value.parameters["name"]
      fileName = value.parameters["filename"]
    }
    guard let name else { throw Problem(message: "A part has no name.") }
    guard self[name] == nil else { throw Problem(message: "The form has two parts of this name.", part: name) }
    parts.append(Part(name: name, fileName: fileName, content: position..<position))
    return position + 2
  }

  private static func has(_ text: StaticString, in body: [UInt8], at position: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position >= 0, position + length <= body.count else { return false }
    return body[position..<position + length].elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: length))
  }

  /// Returns the first offset of a text that begins with a carriage return.
  private static func first(_ text: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    body.withUnsafeBytes { body in
      guard let base = body.baseAddress else { return nil }
      var position = max(0, start)
      while position + text.count <= body.count {
        let rest = body.count - text.count + 1 - position
        guard let found = memchr(base + position, Int32(text[0]), rest) else { return nil }
        let place = base.distance(to: UnsafeRawPointer(found))
        if memcmp(base + place, text, text.count) == 0 { return place }
        position = place + 1
      }
      return nil
    }
  }
}
