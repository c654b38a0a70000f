import EncircleText

/// Distinguishes HTML from the XML of other captures by its beginning.
enum HTMLStart {
  /// Returns whether HTML begins at a place: with its document type or one of its first tags, behind comments and an XML
  /// declaration.
  ///
  /// - Complexity: O(bytes of the comments).
  static func isPage(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var i = start
    while i < text.count {
      let rest = text.part(i..<text.count)
      if isWhiteSpace(rest[0]) {
        i += 1
      } else if rest.starts(withLiteral: "<!--") {
        guard let end = end(of: "-->", in: text, from: i + 4) else { return false }
        i = end
      } else if rest.starts(withLiteral: "<?") {
        guard let end = end(of: "?>", in: text, from: i + 2) else { return false }
        i = end
      } else {
        return beginnings.contains { begins(rest, with: $0) }
      }
    }
    return false
  }

  private static let beginnings: [StaticString] = ["<!doctype html", "<html", "<head", "<body"]

  /// Returns whether a text begins with a literal in lower case, whatever its case is, and a name ends there.
  private static func begins(_ text: UnsafeBufferPointer<UInt8>, with literal: StaticString) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard text.count > count else { return false }
    for i in 0..<count {
      if lowercased(text[i]) != literal.utf8Start[i] { return false }
    }
    let next = text[count]
    return isWhiteSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
  }

  private static func end(of mark: StaticString, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    text.offset(of: mark, from: start).map { $0 + mark.utf8CodeUnitCount }
  }

  /// Returns the encoding in a `meta` element near the beginning, such as `gbk`; nil without one.
  static func declaredEncoding(in data: UnsafeBufferPointer<UInt8>) -> String? {
    let head = data.part(0..<min(data.count, 1024)).map(lowercased)
    return head.withUnsafeBufferPointer { head in
      guard let meta = head.offset(of: "<meta"),
        let charset = head.part(meta..<head.count).offset(of: "charset=")
      else { return nil }
      var name = head.part(meta + charset + 8..<head.count)[...]
      if let quote = name.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { name = name.dropFirst() }
      let word = name.prefix { isLetter($0) || isDigit($0) || "-_".utf8.contains($0) }
      return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }
  }
}
