import EncircleText

/// The kind of a text, guessed from its beginning before any parser reads it.
enum ContentKind {
  /// White space only.
  case nothing
  /// XML that begins at that offset.
  case xml(start: Int)
  /// Lines of `recursiveDescription`.
  case views
  /// Something else, which the value describes.
  case other(String)

  init(of text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.firstIndex(where: { !isWhiteSpace($0) }) else {
      self = .nothing
      return
    }
    // The first line may be the whole capture, so only its beginning is looked at. Class names have several hundred
    // bytes at most.
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
