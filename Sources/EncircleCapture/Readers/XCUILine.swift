import EncircleText

/// The shape of the lines of XCTest's `debugDescription`: the depth as spaces, the type of an element and its address.
///
///     element = *" " [ "→" ] type ( [ " (" words ")" ] ", 0x" digits / " 0x" digits ":" ) …
enum XCUILine {
  /// The prefix of type names in other formats.
  static let prefix: StaticString = "XCUIElementType"
  // The names of all types are shorter.
  private static let maximumTypeLength = 40
  /// `→`
  static let arrow: [UInt8] = [0xE2, 0x86, 0x92]

  /// The beginning of a line that has an element.
  struct Head {
    /// The number of columns before the type.
    let indent: Int
    /// This is true if `→` marks the element as the subject of the text.
    let isMarked: Bool
    let type: Range<Int>
    /// The offset behind the address.
    let end: Int
  }

  /// Returns the beginning of the line at an offset; nil if the line has no element.
  static func head(of text: UnsafeBufferPointer<UInt8>, at lineStart: Int) -> Head? {
    var i = lineStart
    var indent = 0
    while let length = spaceLength(in: text, at: i) {
      i += length
      indent += 1
    }
    let isMarked = text[i...].starts(with: arrow)
    if isMarked {
      i += arrow.count
      indent += 1
    }
    guard let (type, end) = element(in: text, at: i) else { return nil }
    return Head(indent: indent, isMarked: isMarked, type: type, end: end)
  }

  /// Returns the length of a space in bytes; nil if something else is there. Chats and web pages replace spaces by
  /// U+00A0.
  private static func spaceLength(in text: UnsafeBufferPointer<UInt8>, at i: Int) -> Int? {
    guard i < text.count else { return nil }
    if text[i] == 0x20 { return 1 }
    return text[i] == 0xC2 && i + 1 < text.count && text[i + 1] == 0xA0 ? 2 : nil
  }

  /// Reads a type and an address.
  private static func element(
    in text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (type: Range<Int>, end: Int)? {
    var i = start
    while i < text.count, isLetter(text[i]), i - start <= maximumTypeLength { i += 1 }
    let type = start..<i
    guard !type.isEmpty, type.count <= maximumTypeLength, text[start] & 0x20 == 0 else { return nil }
    if text.part(i..<text.count).starts(withLiteral: " (") {
      while i < text.count, text[i] != UInt8(ascii: ")") {
        guard text[i] != 0x0A, text[i] != 0x0D, i - start < 2 * maximumTypeLength else { return nil }
        i += 1
      }
      i += 1
    }
    guard i <= text.count else { return nil }
    let rest = text.part(i..<text.count)
    let isNew = rest.starts(withLiteral: ", 0x")
    guard isNew || rest.starts(withLiteral: " 0x") else { return nil }
    i += isNew ? 4 : 3
    let digits = i
    while i < text.count, Hexadecimal.value(of: text[i]) != nil { i += 1 }
    guard i > digits else { return nil }
    if isNew { return (type, i) }
    return i < text.count && text[i] == UInt8(ascii: ":") ? (type, i + 1) : nil
  }

  /// Returns the offset of the first line that has an element.
  ///
  /// - Complexity: O(bytes).
  static func first(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = 0
    while start < text.count {
      if head(of: text, at: start) != nil { return start }
      start = text.lineEnd(from: start) + 1
    }
    return nil
  }

  /// Returns whether a line is the heading of the text after the tree.
  static func isHeading(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = line.firstIndex(where: { $0 != 0x20 }) else { return false }
    let text = line.part(start..<line.count)
    return ["Path to element:", "Query chain:", "Query input", "Query description:"].contains {
      text.starts(withLiteral: $0)
    }
  }

  /// Returns the offset of an element in the middle of a line, where the break before it is lost.
  ///
  /// - Complexity: O(bytes).
  static func inner(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var i = 0
    while let next = text.part(i..<text.count).offset(of: "0x").map({ i + $0 }) {
      i = next + 2
      var end = next
      while end > 0, text[end - 1] == 0x20 || text[end - 1] == UInt8(ascii: ",") { end -= 1 }
      if text.part(0..<end).ends(withLiteral: " (Main)") { end -= 7 }
      var start = end
      while start > 0, isLetter(text[start - 1]), end - start <= maximumTypeLength { start -= 1 }
      let word = text.part(start..<end)
      if types.contains(where: { sameBytes(word, $0) }), element(in: text, at: start) != nil { return start }
    }
    return nil
  }

  /// Returns the offset of something that begins like an element but has a broken address; nil for other lines, such as lines of a
  /// value that has several.
  static func brokenElement(in line: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = line.firstIndex(where: { $0 != 0x20 }) else { return nil }
    let end = line[start...].firstIndex { !isLetter($0) } ?? line.count
    let word = line.part(start..<end)
    guard types.contains(where: { sameBytes(word, $0) }), end < line.count else { return nil }
    return line[end] != 0x20 || line.part(end..<line.count).offset(of: "0x") != nil ? start : nil
  }

  /// Returns the name of a type with the prefix that it has elsewhere.
  static func prefixed(_ name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if name.starts(withLiteral: prefix) { return Array(name) }
    return Array(UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)) + name
  }

  private static let types: [StaticString] = [
    "ActivityIndicator", "Alert", "Any", "Application", "Browser", "Button", "Cell", "CheckBox", "CollectionView",
    "ColorWell", "ComboBox", "DatePicker", "DecrementArrow", "Dialog", "DisclosureTriangle", "DockItem", "Drawer",
    "Grid",
    "Group", "Handle", "HelpTag", "Icon", "Image", "IncrementArrow", "Key", "Keyboard", "LayoutArea", "LayoutItem",
    "LevelIndicator", "Link", "Map", "Matte", "Menu", "MenuBar", "MenuBarItem", "MenuButton", "MenuItem",
    "NavigationBar",
    "Other", "Outline", "OutlineRow", "PageIndicator", "Picker", "PickerWheel", "Popover", "PopUpButton",
    "ProgressIndicator", "RadioButton", "RadioGroup", "RatingIndicator", "RelevanceIndicator", "Ruler", "RulerMarker",
    "ScrollBar", "ScrollView", "SearchField", "SecureTextField", "SegmentedControl", "Sheet", "Slider", "SplitGroup",
    "Splitter", "StaticText", "StatusBar", "StatusItem", "Stepper", "Switch", "Tab", "TabBar", "TabGroup", "Table",
    "TableColumn", "TableRow", "TextField", "TextView", "Timeline", "Toggle", "Toolbar", "ToolbarButton", "TouchBar",
    "ValueIndicator", "WebView", "Window",
  ]
}
