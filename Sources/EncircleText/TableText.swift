#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The text of tables in the encodings that spreadsheets write: UTF-8, GB18030, and UTF-16 with a byte order mark.
package enum TableText {
  /// Returns the text of UTF-8, of UTF-16 with a byte order mark, else of GB18030; nil if the bytes are none of these.
  package static func decoded(_ bytes: [UInt8]) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let mark = utf16Marks.first { bytes.starts(with: $0.bytes) }
    let utf8 = converted(
      Array(bytes.dropFirst(mark?.bytes.count ?? 0)), from: mark?.encoding ?? "GB18030", to: "UTF-8")
    return utf8.flatMap { String(validating: $0, as: UTF8.self) }
  }

  // No text in GB18030 begins with such a mark.
  private static let utf16Marks: [(bytes: [UInt8], encoding: String)] = [
    ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]

  /// Returns the bytes of a text in GB18030; nil if the system cannot write that.
  package static func gb18030(_ text: String) -> [UInt8]? { converted(Array(text.utf8), from: "UTF-8", to: "GB18030") }

  /// Converts bytes by the system's iconv; nil if they are not in the encoding, or the system does not know it.
  private static func converted(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
    guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var chunk = [CChar](repeating: 0, count: 1 << 16)
    return input.withUnsafeMutableBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      while left > 0 {
        var failure: Int32 = 0
        let written = chunk.withUnsafeMutableBufferPointer { chunk in
          var place = chunk.baseAddress
          var room = chunk.count
          if iconv(converter, &next, &left, &place, &room) == -1 { failure = errno }
          return chunk.count - room
        }
        result += chunk[..<written].lazy.map { UInt8(bitPattern: $0) }
        // E2BIG with output only means that the chunk is full. After any other failure, the bytes are not text in the encoding.
        if failure != 0, failure != E2BIG || written == 0 { return nil }
      }
      return result
    }
  }
}
