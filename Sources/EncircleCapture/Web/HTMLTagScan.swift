import EncircleText

/// Scans the tags of HTML before gumbo does: rejects input that would make gumbo slow, and finds `noscript`.
///
/// gumbo compares each attribute of a tag with all others, and for many tags looks through all open elements. So there is a limit
/// on attributes, on depth, and on the work, which is the sum of the depths of all tags. The depth is estimated with a stack of open
/// tags. If end tags are missing or cross each other, the estimate may be too great, but it is hardly ever too small. So the limit
/// here is a multiple of the limit for the finished tree.
struct HTMLTagScan {
  /// The places of the names of `noscript` tags.
  private(set) var noscriptNames: [Int] = []

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var open: [Tag] = []
  private var foreignDepth = 0
  private var work = 0

  // The factor by which the estimate may exceed the limit.
  private static let slack = 16
  // The number of open elements that gumbo looks through in about a second.
  private static let workLimit = 1_000_000_000

  /// Scans a text.
  ///
  /// - Throws: If a tag exceeds the limits, or all tags together.
  /// - Complexity: O(bytes).
  static func scan(
    _ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits
  ) throws(CaptureError) -> HTMLTagScan {
    var scan = HTMLTagScan(text: text, limits: limits)
    try scan.run()
    return scan
  }

  // MARK: - Tags

  private mutating func run() throws(CaptureError) {
    var i = 0
    while let start = text.offset(of: UInt8(ascii: "<"), from: i) {
      i = start + 1
      guard i < text.count else { return }
      switch text[i] {
      case UInt8(ascii: "!"): i = endOfDeclaration(from: i)
      case UInt8(ascii: "?"): i = text.offset(of: UInt8(ascii: ">"), from: i).map { $0 + 1 } ?? text.count
      case UInt8(ascii: "/"):
        guard i + 1 < text.count, isLetter(text[i + 1]) else { continue }
        let name = endOfName(from: i + 1)
        i = try endOfTag(from: name, of: start).end
        try end(Name(text.part(start + 2..<name)), at: start)
      case let byte where isLetter(byte):
        let nameEnd = endOfName(from: i)
        let name = Name(text.part(i..<nameEnd))
        let tag = try endOfTag(from: nameEnd, of: start)
        if foreignDepth == 0, name == .noscript { noscriptNames.append(i) }
        i = tag.end
        try begin(name, isClosed: tag.isClosed, at: start)
        if foreignDepth == 0, Name.rawTexts.contains(name) {
          i = endOfRawText(name, from: i)
          if name == .noscript, i < text.count { noscriptNames.append(i + 2) }
        }
        if name == .plaintext { return }
      default: continue
      }
    }
  }

  /// Returns the end of a comment, a document type or, in SVG and MathML, a CDATA section, from its `!` on.
  private func endOfDeclaration(from start: Int) -> Int {
    let rest = text.part(start..<text.count)
    if rest.starts(withLiteral: "!--") {
      // `<!-->` and `<!--->` are comments, too.
      var i = start + 3
      if i < text.count, text[i] == UInt8(ascii: ">") { return i + 1 }
      if text.part(i..<text.count).starts(withLiteral: "->") { return i + 2 }
      while let dash = text.offset(of: UInt8(ascii: "-"), from: i) {
        let rest = text.part(dash..<text.count)
        if rest.starts(withLiteral: "-->") { return dash + 3 }
        if rest.starts(withLiteral: "--!>") { return dash + 4 }
        i = dash + 1
      }
      return text.count
    }
    if foreignDepth > 0, rest.starts(withLiteral: "![CDATA[") {
      var i = start
      while let bracket = text.offset(of: UInt8(ascii: "]"), from: i) {
        if text.part(bracket..<text.count).starts(withLiteral: "]]>") { return bracket + 3 }
        i = bracket + 1
      }
      return text.count
    }
    return text.offset(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? text.count
  }

  private func endOfName(from start: Int) -> Int {
    var i = start
    while i < text.count, !Self.isSpace(text[i]), text[i] != UInt8(ascii: "/"), text[i] != UInt8(ascii: ">") { i += 1 }
    return i
  }

  /// Returns the end of a tag's attributes, and whether a slash ends them.
  private func endOfTag(from start: Int, of tag: Int) throws(CaptureError) -> (end: Int, isClosed: Bool) {
    var attributes = 0
    var isClosed = false
    var i = start
    while i < text.count {
      let byte = text[i]
      if byte == UInt8(ascii: ">") { return (i + 1, isClosed) }
      isClosed = byte == UInt8(ascii: "/")
      if isClosed || Self.isSpace(byte) {
        i += 1
        continue
      }
      attributes += 1
      guard attributes <= limits.attributes else {
        throw CaptureError(.tooManyAttributes(limit: limits.attributes), at: SourceLocation(of: tag, in: text))
      }
      let begin = i
      i = endOfAttribute(from: i)
      guard i - begin <= limits.attributeBytes else {
        throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: SourceLocation(of: begin, in: text))
      }
    }
    return (text.count, false)
  }

  /// Returns the end of a name and its value, if it has one.
  private func endOfAttribute(from start: Int) -> Int {
    // A name may begin with `=`.
    var i = start + 1
    func skipSpace(_ i: Int) -> Int {
      var i = i
      while i < text.count, Self.isSpace(text[i]) { i += 1 }
      return i
    }
    while i < text.count, !Self.isSpace(text[i]), text[i] != UInt8(ascii: "/"), text[i] != UInt8(ascii: ">"),
      text[i] != UInt8(ascii: "=")
    { i += 1 }
    let sign = skipSpace(i)
    guard sign < text.count, text[sign] == UInt8(ascii: "=") else { return i }
    i = skipSpace(sign + 1)
    guard i < text.count, text[i] != UInt8(ascii: ">") else { return i }
    if text[i] == UInt8(ascii: "\"") || text[i] == UInt8(ascii: "'") {
      return text.offset(of: text[i], from: i + 1).map { $0 + 1 } ?? text.count
    }
    while i < text.count, !Self.isSpace(text[i]), text[i] != UInt8(ascii: ">") { i += 1 }
    return i
  }

  /// Returns where the end tag of an element begins that has no markup in it.
  private func endOfRawText(_ name: Name, from start: Int) -> Int {
    var i = start
    while let place = text.offset(of: UInt8(ascii: "<"), from: i) {
      if place + 1 < text.count, text[place + 1] == UInt8(ascii: "/"),
        Name(text.part(place + 2..<endOfName(from: place + 2))) == name
      {
        return place
      }
      i = place + 1
    }
    return text.count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { isWhiteSpace(byte) || byte == 0x0C }

  // MARK: - Depth

  private struct Tag {
    let name: Name
    let isForeign: Bool
  }

  private mutating func begin(_ name: Name, isClosed: Bool, at start: Int) throws(CaptureError) {
    let isForeign = foreignDepth > 0 || name.isForeign
    if isForeign ? isClosed : Name.voids.contains(name) { return try count(at: start) }
    if !isForeign, let ended = Name.ended[name] {
      while let last = open.last, !last.isForeign, ended.contains(last.name) { open.removeLast() }
    } else if !isForeign, Name.blocks.contains(name), open.last?.name == .p {
      open.removeLast()
    }
    open.append(Tag(name: name, isForeign: name.isForeign))
    if name.isForeign { foreignDepth += 1 }
    guard open.count <= min(limits.depth, Int.max / Self.slack) * Self.slack else {
      throw CaptureError(.tooDeep(limit: limits.depth), at: SourceLocation(of: start, in: text))
    }
    try count(at: start)
  }

  private mutating func end(_ name: Name, at start: Int) throws(CaptureError) {
    try count(at: start)
    // Elements inside this one may still be open: elements whose end tags may be left out, and formatting elements, which the
    // parser opens again.
    var i = open.count - 1
    var skipsFormatting = false
    while i >= 0, open.count - i <= 8 {
      if open[i].name == name {
        if open[i].isForeign { foreignDepth -= 1 }
        if skipsFormatting { open.remove(at: i) } else { open.removeSubrange(i...) }
        return
      }
      if Name.formatting.contains(open[i].name) {
        skipsFormatting = true
      } else if skipsFormatting || !Name.optionalEnds.contains(open[i].name) {
        return
      }
      i -= 1
    }
  }

  private mutating func count(at start: Int) throws(CaptureError) {
    work += open.count
    guard work <= Self.workLimit else {
      throw CaptureError(.tooDeep(limit: limits.depth), at: SourceLocation(of: start, in: text))
    }
  }

  /// The name of a tag in lower case. Only the beginning of a longer name counts.
  private struct Name: Hashable {
    // The bytes and their number.
    private let low: UInt64
    private let high: UInt64

    init(_ text: UnsafeBufferPointer<UInt8>) {
      var (low, high): (UInt64, UInt64) = (0, 0)
      for (i, byte) in text.prefix(15).enumerated() {
        let lower = UInt64(lowercased(byte))
        if i < 8 { low |= lower << (UInt64(i) * 8) } else { high |= lower << (UInt64(i - 8) * 8) }
      }
      self.low = low
      self.high = high | UInt64(min(text.count, 255)) << 56
    }

    private init(_ name: StaticString) {
      self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    private static func names(_ names: StaticString...) -> Set<Name> { Set(names.map { Name($0) }) }

    static let p = Name("p")
    static let noscript = Name("noscript")
    static let plaintext = Name("plaintext")
    private static let svg = Name("svg")
    private static let math = Name("math")

    var isForeign: Bool { self == Self.svg || self == Self.math }

    static let rawTexts = names(
      "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title")
    static let voids = names(
      "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
      "link", "meta", "param", "source", "track", "wbr")
    static let formatting = names(
      "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
    static let optionalEnds = names(
      "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "caption",
      "rb", "rt", "rtc", "rp")
    static let blocks = names(
      "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "fieldset",
      "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "main", "menu",
      "nav", "ol", "p", "pre", "section", "summary", "ul")
    /// For each name, the open elements that its start tag ends.
    static let ended: [Name: Set<Name>] = [
      Name("li"): names("p", "li"), Name("dt"): names("p", "dt", "dd"), Name("dd"): names("p", "dt", "dd"),
      Name("option"): names("option"), Name("optgroup"): names("option", "optgroup"),
      Name("td"): names("p", "td", "th"), Name("th"): names("p", "td", "th"),
      Name("tr"): names("p", "td", "th", "tr", "caption", "colgroup"),
      Name("tbody"): names("p", "td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup"),
      Name("thead"): names("p", "td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup"),
      Name("tfoot"): names("p", "td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup"),
    ]
  }
}
