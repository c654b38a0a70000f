import EncircleText

/// What look like aliases in a YAML text, found before it is parsed.
struct AliasScan {
  /// The byte offset of the first alias that is too many.
  private(set) var excess: Int?
  /// Whether there are an anchor and an alias.
  private(set) var hasAliases = false

  /// Looks for aliases in a text that also has what looks like an anchor.
  init(_ text: String, most: Int) {
    (excess, hasAliases) = withContiguousBytes(text.utf8) { bytes in
      guard bytes.contains(UInt8(ascii: "&")) else { return (nil, false) }
      var anchors = 0
      var aliases = 0
      var excess: Int?
      for i in 0..<max(0, bytes.count - 1)
      where (bytes[i] == UInt8(ascii: "&") || bytes[i] == UInt8(ascii: "*")) && Self.isNameByte(bytes[i + 1]) {
        // In flow style nothing need stand between a key's `?` or `:` and an alias.
        let previous = i == 0 ? UInt8(ascii: "\n") : bytes[i - 1]
        guard isWhiteSpace(previous) || "[{,:?".utf8.contains(previous) else { continue }
        if bytes[i] == UInt8(ascii: "&") {
          anchors += 1
        } else {
          aliases += 1
          if aliases > most, excess == nil { excess = i }
        }
      }
      return (anchors == 0 ? nil : excess, anchors > 0 && aliases > 0)
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}
