/// A line and a column in a text.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The line, counted from 1. Lines end with LF, CR LF or CR.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Finds the line and column of a byte in a UTF-8 text. An offset beyond the text is taken as its end.
  ///
  /// - Complexity: O(*offset*).
  public init(of offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    line = 1
    column = 1
    var i = 0
    let end = min(offset, text.count)
    while i < end {
      let byte = text[i]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if byte == UInt8(ascii: "\r"), i + 1 < end, text[i + 1] == UInt8(ascii: "\n") { i += 1 }
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      i += 1
    }
  }

  /// `line:column`
  public var description: String { "\(line):\(column)" }

  /// Orders by line, then by column.
  public static func < (a: SourceLocation, b: SourceLocation) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
