import EncircleText
import Hummingbird

/// The precondition in `If-Match` or `If-None-Match` for a resource with numbered versions. Its ETags are the numbers, such as
/// `"3"`, or begin with them (``VersionTag``).
enum Precondition: Equatable {
  /// Neither header.
  case missing
  /// `If-Match: *`
  case any
  /// One of these versions; 0, or `If-None-Match: *`, means that the resource must not exist.
  case oneOf(Set<Int>)

  /// - Parameter isTag: Returns whether the digest in a tag matches its version. The default is for resources whose ETags are
  ///   numbers alone.
  init(_ headers: HTTPFields, isTag: (VersionTag) throws -> Bool = { _ in false }) throws {
    if headers[.ifNoneMatch] == "*" {
      self = .oneOf([0])
    } else if let text = headers[.ifMatch] {
      self = text == "*" ? .any : .oneOf(try Self.numbers(text, isTag))
    } else {
      self = .missing
    }
  }

  /// Returns the expected numbers; nil for any.
  ///
  /// - Throws: ``ServiceError`` with 428 if neither header is present.
  func required(_ what: String) throws -> Set<Int>? {
    switch self {
    case .missing:
      throw ErrorAnswer(
        status: .preconditionRequired, code: "precondition-required",
        message: "Name the \(what) that you have seen, by its ETag: If-Match: \"3\". A new one takes If-None-Match: *.")
    case .any: return nil
    case .oneOf(let numbers): return numbers
    }
  }

  /// The expected numbers; nil for any, also if there is no header.
  var optional: Set<Int>? { if case .oneOf(let numbers) = self { numbers } else { nil } }

  /// Returns whether the client's copy is current, so that the answer is 304.
  ///
  /// - Parameter tag: The resource's ETag without quotes.
  static func isKnown(_ tag: String, _ headers: HTTPFields) -> Bool {
    guard let text = headers[.ifNoneMatch] else { return false }
    return text == "*" || (try? tags(text).contains(tag)) ?? false
  }

  /// Returns an answer to a request, or 304 in its place if the client's copy is current. Routes whose answer takes work also
  /// check this before they make it.
  static func conditional(_ response: Response, to request: Request) -> Response {
    guard request.method == .get || request.method == .head, response.status == .ok, let tag = response.headers[.eTag],
      isKnown(String(tag.dropFirst().dropLast()), request.headers)
    else { return response }
    var headers = response.headers
    (headers[.contentType], headers[.contentLength]) = (nil, nil)
    return Response(status: .notModified, headers: headers)
  }

  /// Returns the numbers of ETags; other ETags match nothing.
  private static func numbers(_ text: String, _ isTag: (VersionTag) throws -> Bool) throws -> Set<Int> {
    Set(
      try tags(text).compactMap { text in
        if let number = Int(text) { return number }
        guard let tag = VersionTag(parsing: text), try isTag(tag) else { return nil }
        return tag.version
      })
  }

  /// Returns the ETags of a header, without quotes.
  ///
  /// Proxies that compress answers change their tags, which still name the same version: nginx makes them weak, and Apache
  /// appends the compression. Weak tags therefore count as well, also in `If-Match`.
  fileprivate static func tags(_ text: String) throws -> [String] {
    var tags: [String] = []
    for part in text.splitBytes(at: ",", maxSplits: 100) {
      var tag = part.trimmingBytes { $0 == 0x20 || $0 == 0x09 }
      if tag.beginsWithBytes(of: "W/") { tag = Substring(tag.utf8.dropFirst(2)) }
      guard tag.utf8.count >= 2, tag.beginsWithBytes(of: "\""), tag.endsWithBytes(of: "\"") else {
        throw ServiceError.malformed("An ETag is written in quotes: If-Match: \"3\".", code: "bad-etag")
      }
      tag = Substring(tag.utf8.dropFirst().dropLast())
      for ending in ["-gzip", "-br"] where tag.endsWithBytes(of: ending) { tag = tag.dropLast(ending.count) }
      tags.append(String(tag))
    }
    return tags
  }
}

/// The precondition in `If-Match` or `If-None-Match` for a resource whose ETags are digests.
enum TagPrecondition: Equatable {
  /// Neither header, or `If-Match: *`.
  case any
  /// `If-None-Match: *`: the resource must not exist.
  case missing
  case oneOf([String])

  init(_ headers: HTTPFields) throws {
    if headers[.ifNoneMatch] == "*" {
      self = .missing
    } else if let text = headers[.ifMatch], text != "*" {
      self = .oneOf(try Precondition.tags(text))
    } else {
      self = .any
    }
  }

  /// Returns whether a resource with this ETag, nil for one that does not exist, may be changed.
  func allows(_ tag: String?) -> Bool {
    switch self {
    case .any: true
    case .missing: tag == nil
    case .oneOf(let tags): tags.contains { one in tag.map { one.hasSameBytes(as: $0) } ?? false }
    }
  }
}
