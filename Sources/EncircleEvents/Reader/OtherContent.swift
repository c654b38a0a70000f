import EncircleText

/// What an input has in place of events. No event begins in one of these ways.
package enum OtherContent: Hashable, Sendable {
  /// Markup, as captures in XML and the texts of debuggers have it.
  case markup
  /// A file in a format with this name, such as a compressed one. Gzip is not among them, as it is decompressed.
  case format(String)

  private static let formats: [(name: String, beginning: [UInt8])] = [
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("LZ4", [0x04, 0x22, 0x4D, 0x18]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
    ("bzip2", Array("BZh".utf8)), ("ZIP", Array("PK\u{3}\u{4}".utf8)), ("Parquet", Array("PAR1".utf8)),
    ("Arrow", Array("ARROW1".utf8)), ("Avro", Array("Obj\u{1}".utf8)), ("UTF-16", [0xFF, 0xFE]),
    ("UTF-16", [0xFE, 0xFF]),
  ]

  /// The number of bytes that tell the formats apart.
  static let beginningLength = 6

  /// - Parameter beginning: The first bytes, without white space before them; nil if events may begin so.
  init?(beginning: UnsafeBufferPointer<UInt8>) {
    if beginning.count >= 2, beginning[0] == UInt8(ascii: "<") {
      let next = beginning[1]
      guard next == UInt8(ascii: "?") || next == UInt8(ascii: "!") || isLetter(next) else { return nil }
      self = .markup
    } else {
      guard let format = Self.formats.first(where: { beginning.starts(with: $0.beginning) }) else { return nil }
      self = .format(format.name)
    }
  }
}
