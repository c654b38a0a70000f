import EncircleText

/// The content of an input that has no events. No event begins in one of these ways.
package enum OtherContent: Hashable, Sendable {
  /// Markup, as captures in XML and the texts of debuggers have it.
  case markup
  /// A file in a format with this name.
  case format(String)

  private static let formats: [(name: String, beginning: [UInt8])] = [
    ("ZIP", Array("PK\u{3}\u{4}".utf8)), ("Parquet", Array("PAR1".utf8)), ("Arrow", Array("ARROW1".utf8)),
    ("Avro", Array("Obj\u{1}".utf8)), ("UTF-16", [0xFF, 0xFE]), ("UTF-16", [0xFE, 0xFF]),
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
