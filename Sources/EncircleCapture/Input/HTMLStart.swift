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
      var i = 0
      while let start = head.offset(of: UInt8(ascii: "<"), from: i) {
        i = start + 1
        let rest = head.part(start..<head.count)
        if rest.starts(withLiteral: "<!--") {
          guard let end = end(of: "-->", in: head, from: start + 4) else { return nil }
          i = end
        } else if rest.starts(withLiteral: "<meta") {
          let end = head.offset(of: UInt8(ascii: ">"), from: start) ?? head.count
          if let name = encoding(inTag: head.part(start..<end)) { return name }
        }
      }
      return nil
    }
  }

  /// Returns the word behind `charset=`, in the attribute of that name or in the one of `http-equiv`; nil without one.
  private static func encoding(inTag tag: UnsafeBufferPointer<UInt8>) -> String? {
    let name: StaticString = "charset"
    var i = 0
    while let place = tag.offset(of: name, from: i) {
      i = place + name.utf8CodeUnitCount
      var rest = tag[i...].drop(while: isWhiteSpace)
      guard rest.popFirst() == UInt8(ascii: "=") else { continue }
      rest = rest.drop(while: isWhiteSpace)
      if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { rest = rest.dropFirst() }
      let word = rest.prefix { isLetter($0) || isDigit($0) || "-_".utf8.contains($0) }
      if !word.isEmpty { return String(decoding: word, as: UTF8.self) }
    }
    return nil
  }
}
