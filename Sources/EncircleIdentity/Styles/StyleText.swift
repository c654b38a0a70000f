import EncircleText

// Helpers for the parsers of several styles.
package enum StyleText {
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the value of a text that is a number without sign and leading zeros; nil for other texts.
  static func number(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    Locator.number(text).flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns the ranges between separators. There is at least one.
  static func split(_ text: UnsafeBufferPointer<UInt8>, _ separator: UInt8) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for (i, byte) in text.enumerated() where byte == separator {
      ranges.append(start..<i)
      start = i + 1
    }
    ranges.append(start..<text.count)
    return ranges
  }

  /// Reads a chain of PostHog's, whose entries are separated by `;`; returns the components, the outermost first.
  ///
  /// - Parameter entry: Reads the entry at an offset, which it moves to the `;` behind it or to the end.
  static func chain(
    _ text: UnsafeBufferPointer<UInt8>,
    entry: (_ text: UnsafeBufferPointer<UInt8>, _ i: inout Int) throws(PathStyleError) -> StyledComponent
  ) throws(PathStyleError) -> [StyledComponent] {
    try checkUTF8(text)
    var components: [StyledComponent] = []
    var i = 0
    while true {
      components.append(try entry(text, &i))
      guard i < text.count else { break }
      i += 1
    }
    components.reverse()
    return components
  }

  // MARK: - Two lists

  /// The separator of two lists.
  static let listSeparator: StaticString = " & "

  /// Appends `xpath & xcontent`, as the two lists of GrowingIO's styles are written where one text is needed.
  static func write(xpath: String, xcontent: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: xpath.utf8)
    append(listSeparator, to: &bytes)
    bytes.append(contentsOf: xcontent.utf8)
  }

  /// The two lists of a path in GrowingIO's styles while they are read.
  struct Lists {
    let xpath: UnsafeBufferPointer<UInt8>
    let xcontent: UnsafeBufferPointer<UInt8>
    /// The offset of the second list in the text that errors refer to.
    let offset: Int
    /// The parts of the lists, without the slash before each.
    let names: [Range<Int>]
    let places: [Range<Int>]

    /// Splits two lists.
    ///
    /// - Throws: If one is not UTF-8 or does not begin with a slash.
    init(
      xpath: UnsafeBufferPointer<UInt8>, xcontent: UnsafeBufferPointer<UInt8>, offset: Int = 0
    ) throws(PathStyleError) {
      try StyleText.checkUTF8(xpath)
      try StyleText.checkUTF8(xcontent)
      let slash = UInt8(ascii: "/")
      guard xpath.first == slash else { throw PathStyleError(.noLeadingSeparator, offset: 0) }
      guard xcontent.first == slash else { throw PathStyleError(.noLeadingSeparator, offset: offset) }
      func parts(_ list: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        StyleText.split(list.part(1..<list.count), slash).map { 1 + $0.lowerBound..<1 + $0.upperBound }
      }
      (self.xpath, self.xcontent, self.offset) = (xpath, xcontent, offset)
      (names, places) = (parts(xpath), parts(xcontent))
    }

    /// Splits `xpath & xcontent`.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(PathStyleError) {
      guard let middle = StyleText.lastAmpersand(text) else { throw PathStyleError(.noIndexes, offset: text.count) }
      try self.init(
        xpath: text.part(0..<middle), xcontent: text.part(middle + 3..<text.count), offset: middle + 3)
    }
  }

  /// Returns the offset of the last ` & `.
  static func lastAmpersand(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count >= 3 else { return nil }
    var i = text.count - 3
    while i >= 0 {
      if text[i] == 0x20, text[i + 1] == UInt8(ascii: "&"), text[i + 2] == 0x20 { return i }
      i -= 1
    }
    return nil
  }

  static func checkUTF8(_ text: UnsafeBufferPointer<UInt8>) throws(PathStyleError) {
    guard String(validating: text, as: UTF8.self) != nil else { throw PathStyleError(.notUTF8, offset: 0) }
  }

  /// Returns whether a text is a path of a web page as the SDKs of Sensors or PostHog write it: tags with ` > ` between them, or a
  /// chain with places among siblings. Class names in apps do not look like this.
  package static func isPagePath(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, (0x61...0x7A).contains(first) else { return false }
    return text.offset(of: " > ") != nil || text.offset(of: "nth-of-type=\"") != nil
  }

  // MARK: - Class and place

  /// Reads the class and the bracketed place at the beginning of a component in an Android style, as in `Button[3]`.
  ///
  /// - Parameters:
  ///   - open: The offset of the bracket, or nil.
  ///   - offset: The offset of the text in the one that errors refer to.
  ///   - place: Reads the contents of the brackets; nil if they are not a place of the style.
  /// - Returns: The component, and the offset behind the brackets.
  static func component(
    _ text: UnsafeBufferPointer<UInt8>, open: Int?, offset: Int,
    _ place: (UnsafeBufferPointer<UInt8>) -> StyledComponent.Place?
  ) throws(PathStyleError) -> (component: StyledComponent, end: Int) {
    guard let open, open > 0 else {
      throw text.isEmpty || text.first == UInt8(ascii: "[")
        ? PathStyleError(.emptyComponent, offset: offset)
        : PathStyleError(.badIndex(""), offset: offset + text.count)
    }
    let end = text[open...].firstIndex(of: UInt8(ascii: "]")) ?? text.count
    let inner = text.part(open + 1..<end)
    guard end < text.count, let place = place(inner) else {
      throw PathStyleError(.badIndex(string(inner)), offset: offset + open + 1)
    }
    return (StyledComponent(string(text.part(0..<open)), place), end + 1)
  }
}
