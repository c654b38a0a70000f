import EncircleEvents
import EncircleText
import Foundation
import Hummingbird
import NIOCore

/// The words of a Boolean parameter.
private enum Flag: String, CaseIterable {
  case `true`, `false`
}

extension Request {
  /// Returns the value of a parameter of the query; nil if it is missing. If it is repeated, its first value counts.
  func query(_ name: String) -> String? {
    queryParameters.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The parameters of the query, in order. A `+` is a space, as forms and browsers write it.
  var queryParameters: some Sequence<(name: String, value: String)> {
    (uri.query ?? "").splitBytes(at: "&").lazy.compactMap { parameter in
      let parts = parameter.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacingBytes(of: "+", with: " ").removingPercentEncoding }
      guard let name = parts.first ?? nil else { return nil }
      return (name, parts.count > 1 ? parts[1] ?? "" : "")
    }
  }

  /// Refuses a query that cannot be decoded, because its parameters would count as empty. Also refuses NUL characters, because
  /// texts would be cut there.
  ///
  /// - Throws: ``ServiceError`` with 400.
  func checkQuery() throws {
    guard (uri.query ?? "").splitBytes(at: "&").allSatisfy({ $0.removingPercentEncoding != nil }) else {
      throw ErrorAnswer(status: .badRequest, code: "bad-query", message: "The query is not UTF-8 with percent escapes.")
    }
    guard !(uri.query ?? "").containsBytes(of: "%00") else {
      throw ErrorAnswer(status: .badRequest, code: "bad-query", message: "The query has a NUL character.")
    }
  }

  /// Returns the value of a parameter of the query that is an integer; nil if it is missing.
  ///
  /// - Throws: ``ServiceError`` with 400 if it is not an integer or not in the range.
  func query(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = query(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ServiceError.parameter(
        name, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func query(_ name: String, in range: ClosedRange<Int>, default value: Int) throws -> Int {
    try query(name, in: range) ?? value
  }

  /// Returns the part of a list that the parameters `offset` and `limit` of the query ask for.
  ///
  /// - Throws: ``ServiceError`` with 400 if one of them is not a number in its range.
  func listPart() throws -> (offset: Int, limit: Int) {
    (try query("offset", in: 0...1_000_000_000, default: 0), try query("limit", in: 1...1_000, default: 100))
  }

  /// Returns the value of a Boolean parameter of the query; false if it is missing.
  ///
  /// - Throws: ``ServiceError`` with 400 if it is neither `true` nor `false`.
  func flag(_ name: String) throws -> Bool { try query(name, default: Flag.false) == .true }

  /// Returns the value of a parameter of the query that is one of several words.
  func query<Word: RawRepresentable & CaseIterable>(_ name: String, default value: Word) throws -> Word
  where Word.RawValue == String {
    guard let text = query(name) else { return value }
    guard let word = Word(rawValue: text) else {
      throw ServiceError.parameter(
        name, "\(name) must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return word
  }

  /// Returns whether `Accept` names a media type, and does not refuse it with the quality 0.
  func accepts(_ type: String) -> Bool { acceptedTypes.contains { $0.hasSameBytes(as: type) } }

  /// The media types that `Accept` names in lower case, without the types that it refuses.
  var acceptedTypes: [String] {
    (headers[.accept] ?? "").splitBytes(at: ",").map { HeaderValue(String($0)) }
      .filter { $0.parameters["q"].flatMap { Double($0) } != 0 }.map(\.value)
  }

  /// Reads the whole body, within the limits of time and length.
  ///
  /// - Throws: ``ServiceError`` with 413 or 408, and with 503 if all bodies together are too large.
  func bytes(limit: Int, limits: ServiceLimits) async throws -> ByteBuffer {
    if let text = headers[.contentLength], let length = Int(text), length > limit {
      throw ServiceError.tooLarge(limit: limit)
    }
    var all = ByteBuffer()
    for try await part in BodyParts(of: self, limits: limits) {
      guard all.readableBytes + part.readableBytes <= limit else { throw ServiceError.tooLarge(limit: limit) }
      try RequestScope.current?.memory.take(part.readableBytes)
      all.writeImmutableBuffer(part)
    }
    return all
  }
}

extension Request {
  /// Reads the whole of an uncompressed body, as ``bytes(limit:limits:)`` does.
  ///
  /// - Throws: ``ServiceError``, also with 415.
  func plainBytes(limit: Int, limits: ServiceLimits) async throws -> ByteBuffer {
    if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
      throw ErrorAnswer(
        status: .unsupportedMediaType, code: "unsupported-encoding",
        message: "This route takes a body as it is, without Content-Encoding.")
    }
    return try await bytes(limit: limit, limits: limits)
  }

  /// Returns the JSON object in a body; an empty object if there is no body.
  ///
  /// - Parameter members: The names of all allowed members.
  /// - Throws: ``ServiceError`` with 422 for any other member, because a misspelt one would be ignored.
  func object(members: String..., limit: Int = .max, limits: ServiceLimits) async throws -> JSONBody {
    let bytes = try await plainBytes(limit: min(limit, limits.bodyBytes), limits: limits)
    let body =
      bytes.readableBytes == 0 ? JSONBody(.object(EventObject())) : try JSONBody(bytes.readableBytesView, limits)
    try body.allow(members)
    return body
  }
}
