import EncircleText

/// What a text looks like from its beginning, before any parser has tried it.
enum ContentKind {
  /// White space only.
  case nothing
  /// XML, from that offset.
  case xml(start: Int)
  /// Lines of `recursiveDescription`.
  case views
  /// Something else, in words.
  case other(String)

  init(of text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.firstIndex(where: { !isWhiteSpace($0) }) else {
      self = .nothing
      return
    }
    // Whole captures stand on one line at times; class names of several hundred bytes are the longest.
    let head = text.part(start..<min(text.count, start + 4096))
    let line = head.part(0..<(head.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? head.count))
    if RecursiveDescriptionReader.looksLikeView(line) {
      self = .views
    } else if text[start] == UInt8(ascii: "<") {
      self = .xml(start: start)
    } else if text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") {
      self = .other("JSON")
    } else if text.prefix(4096).contains(0) || TextEncoding.firstInvalidUTF8(in: text) != nil {
      self = .other("binary data")
    } else {
      self = .other("other text")
    }
  }
}
