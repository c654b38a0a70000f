import EncircleInput
import EncircleText

/// A request with events, without its body.
public struct CollectRequest: Sendable {
  public let sdk: CollectProtocol
  private let query: String?
  private let isJSON: Bool
  private let isGzip: Bool
  private let sentAt: Int64?

  /// Reads the head of a request.
  ///
  /// - Parameters:
  ///   - sdk: The SDK to which the address of the request belongs.
  ///   - query: The query of its address.
  ///   - sentAt: The time of the header `Date`, in milliseconds since 1970.
  ///   - header: Returns the value of a header field, or nil if there is none.
  /// - Throws: ``CollectError`` if the head alone shows that the body cannot be read.
  public init(
    _ sdk: CollectProtocol, query: String?, sentAt: Int64? = nil, header: (_ name: String) -> String? = { _ in nil }
  ) throws(CollectError) {
    self.sdk = sdk
    self.query = query
    let encoding = (header("Content-Encoding") ?? "identity").lowercased()
    guard ["gzip", "x-gzip", "identity"].contains(encoding) else { throw .unknownEncoding(of: encoding) }
    isGzip = encoding.endsWithBytes(of: "gzip")
    let type = header("Content-Type")?.lowercased() ?? ""
    isJSON = type.contains("json")
    let form = FormFields(Array((query ?? "").utf8))
    switch sdk {
    case .sensors: self.sentAt = sentAt
    case .postHog:
      let compression = form["compression"] ?? ""
      guard ["", "gzip", "gzip-js", "base64"].contains(compression) else { throw .unknownEncoding(of: compression) }
      // PostHog's SDK for browsers writes the time of sending into the query or into the body, depending on its version.
      self.sentAt = (form["sent_at"] ?? form["_"]).flatMap { Int64($0) } ?? sentAt
    case .growingIO:
      if let scheme = header("X-Crypt-Codec"), scheme != "0" { throw .encrypted(of: "X-Crypt-Codec=" + scheme) }
      for packing in [header("X-Compress-Codec"), form["compress"]] {
        if let packing, !["", "0"].contains(packing) { throw .unknownEncoding(of: "compress=" + packing) }
      }
      if type.contains("protobuf") { throw .unknownEncoding(of: type) }
      self.sentAt = form["stm"].flatMap { Int64($0) } ?? sentAt
    }
  }

  /// Finds the events in the body.
  ///
  /// - Parameter limit: The maximum number of bytes, before and after decompression.
  /// - Throws: ``CollectError``.
  /// - Complexity: O(bytes), including the bytes after decompression, up to the limit.
  public func contents(of body: [UInt8], limit: Int) throws(CollectError) -> CollectContents {
    // Bytes with another beginning would be read as they are, and become rejects.
    if isGzip, !body.isEmpty, !Gzip.isBeginning(of: body) { throw .damaged("it is not gzip") }
    switch sdk {
    case .sensors:
      return CollectContents(
        json: try CollectBody.json(of: body, query: query, isJSON: isJSON, limit: limit), sdk: sdk, sentAt: sentAt)
    case .postHog:
      let json = try CollectBody.json(of: body, isJSON: isJSON, limit: limit)
      return PostHogEnvelope(json).contents(sentAt: sentAt)
    case .growingIO:
      let json = try growingIO(body, limit: limit)
      return CollectContents(json: json, sdk: sdk, sentAt: sentAt)
    }
  }

  /// Returns the JSON of a request of GrowingIO. A browser that cannot post writes the array into the query.
  private func growingIO(_ body: [UInt8], limit: Int) throws(CollectError) -> [UInt8] {
    if body.isEmpty, let data = FormFields(Array((query ?? "").utf8)).bytes("data") { return data }
    return try CollectBody.plainJSON(CollectBody.json(of: body, isJSON: true, limit: limit))
  }
}

/// The content of a request's body.
public struct CollectContents: Sendable {
  /// An object, an array of objects, or lines; not yet checked for syntax errors.
  public var json: [UInt8]
  public var sdk: CollectProtocol
  /// The time at which the request says it was sent, in milliseconds since 1970; nil if it does not say.
  public var sentAt: Int64?
  /// The key of the app, if the body has it; otherwise nil.
  public var key: String?
  /// The places where events may have this or another key; empty if no event has a key.
  public var keyPlaces: [String] = []

  public init(json: [UInt8], sdk: CollectProtocol = .sensors, sentAt: Int64? = nil) {
    self.json = json
    self.sdk = sdk
    self.sentAt = sentAt
  }
}
