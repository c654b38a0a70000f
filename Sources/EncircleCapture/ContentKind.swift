import EncircleTree

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
    let lineEnd = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
    let line = text.part(start..<lineEnd)
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
