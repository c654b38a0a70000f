import EncircleEvents
import EncircleInput
import EncircleText

/// Finds the JSON in the body that an SDK sends.
///
/// SDKs of Sensors send forms with `crc` and with `data_list` or `data` in Base64, perhaps compressed; or queries with `data`
/// and `ext`. PostHog's SDK for browsers sends forms with `data`. Others send JSON, or lines of JSON. Any body may be
/// compressed as a whole.
public enum CollectBody {
  /// Returns the JSON: an object, an array of objects, or lines. It is not checked for syntax errors.
  ///
  /// - Parameters:
  ///   - body: The bytes as they arrived.
  ///   - query: The query of the request's address, which is searched for events if there is no body.
  ///   - isJSON: True if the request says that the body is JSON or lines of JSON.
  ///   - limit: The maximum number of bytes, before and after decompression.
  /// - Complexity: O(bytes), including the bytes after decompression, up to the limit.
  public static func json(
    of body: [UInt8], query: String? = nil, isJSON: Bool = false, limit: Int
  ) throws(CollectError) -> [UInt8] {
    guard body.count <= limit else { throw .tooLarge(limit: limit) }
    if body.allSatisfy({ isWhiteSpace($0) }) {
      guard let query else { throw .noEvents }
      return try json(inForm: Array(query.utf8), limit: limit)
    }
    let text = try inflated(body, limit: limit)
    if isJSON || !isForm(text) { return try inflatedOnce(text) }
    return try json(inForm: text, limit: limit)
  }

  /// Returns whether a body begins like a form, with a name and an equals sign; JSON does not.
  private static func isForm(_ text: [UInt8]) -> Bool {
    text.first { !isFilenameByte($0) } == UInt8(ascii: "=")
  }

  private static func json(inForm text: [UInt8], limit: Int) throws(CollectError) -> [UInt8] {
    let form = FormFields(text)
    if let scheme = form["gzip"], !["0", "1", ""].contains(scheme) {
      throw .encrypted(of: "gzip=" + scheme)
    }
    guard let data = form.bytes("data_list") ?? form.bytes("data"), !data.isEmpty else { throw .noEvents }
    let sum = form["crc"] ?? form["ext"].flatMap { FormFields(Array($0.utf8))["crc"] }
    if let sum, !sum.isEmpty, Int32(sum) != javaHash(data) {
      throw .damaged("its checksum differs from crc")
    }
    guard let bytes = Base64.decode(data) else { throw .damaged("it is not Base64") }
    return try plainJSON(inflatedOnce(inflated(bytes, limit: limit)))
  }

  /// Refuses bytes that do not begin like JSON. Events that are packed or encrypted without a mark would become rejects, and the
  /// SDK would delete them.
  static func plainJSON(_ bytes: [UInt8]) throws(CollectError) -> [UInt8] {
    guard let first = bytes.withoutByteOrderMark.first(where: { !isWhiteSpace($0) }),
      [UInt8(ascii: "["), UInt8(ascii: "{")].contains(first)
    else { throw .damaged("it is not JSON; events that are packed, encrypted or in Protocol Buffers cannot be read") }
    return bytes
  }

  /// Refuses bytes that are still compressed, because the reader of events would decompress them without a limit.
  private static func inflatedOnce(_ bytes: [UInt8]) throws(CollectError) -> [UInt8] {
    guard !Gzip.isBeginning(of: bytes) else { throw .damaged("it is compressed more than once") }
    return bytes
  }

  private static func inflated(_ bytes: [UInt8], limit: Int) throws(CollectError) -> [UInt8] {
    do {
      var source = ByteSource(bytes)
      return try source.readAll(limit: limit)
    } catch .tooLarge(let limit) {
      throw .tooLarge(limit: limit)
    } catch {
      throw .damaged(error.description)
    }
  }
}
