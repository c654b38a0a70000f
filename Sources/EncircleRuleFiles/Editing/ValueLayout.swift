import EncircleEvents
import EncircleText

/// Writes values as YAML or JSON in the style of hand-written rules: short clauses in braces, long ones in lines.
///
/// Recursive; readers limit the depth of the values.
enum ValueLayout {
  /// The longest line of braces that is written by default, in columns. Braces that the author chose may be longer.
  private static let shortLine = 80

  // MARK: - YAML

  /// Returns the text after the dash of an item. The text begins at `column`, and so do its further lines.
  ///
  /// - Parameter isLineFree: True if no comment follows, so that the item may end with a text of several lines.
  static func item(
    _ value: EventValue, column: Int, keepsBraces: Bool = false, isLineFree: Bool = true
  ) -> String {
    guard case .object(let object) = value, !object.members.isEmpty else { return flow(value) }
    if keepsBraces, let line = flow(value, within: SyntaxLayout.width - column) { return line }
    return members(object, column: column, isLineFree: isLineFree)
      .joined(separator: "\n" + SyntaxLayout.spaces(column))
  }

  /// Returns a member in block style whose key is at `column`.
  static func member(_ name: String, _ value: EventValue, column: Int, isLineFree: Bool = true) -> String {
    let key = ScalarSpelling.written(name)
    return key + ":"
      + behindColon(value, column: column, used: SyntaxLayout.columns(key) + 1, isLineFree: isLineFree)
  }

  /// Returns the members of an object in block style. If a comment follows, it follows the last of them.
  private static func members(_ object: EventObject, column: Int, isLineFree: Bool) -> [String] {
    let last = object.members.count - 1
    return object.members.enumerated().map { i, part in
      member(part.name, part.value, column: column, isLineFree: isLineFree || i < last)
    }
  }

  /// Returns the text after a key at `column` and its colon.
  ///
  /// - Parameters:
  ///   - used: The columns that the key and the colon take.
  ///   - keepsBraces: True if braces are kept if they fit on the line.
  ///   - isLineFree: True if no comment follows, so that the value may end with a text of several lines.
  static func behindColon(
    _ value: EventValue, column: Int, used: Int, keepsBraces: Bool = false, isLineFree: Bool = true
  ) -> String {
    if isLineFree, case .string(let text) = value, let literal = literal(text, column: column + 2) { return literal }
    // A value that is too long for one line in braces or brackets is written in several lines.
    let start = column + used + 1
    func inLine(to end: Int) -> String? { flow(value, within: end - start).map { " " + $0 } }
    let indent = "\n" + SyntaxLayout.spaces(column + 2)
    switch value {
    case .object(let object) where !object.members.isEmpty:
      let isPlain = !object.members.contains { isNested($0.value) }
      if let line = inLine(to: keepsBraces ? SyntaxLayout.width : isPlain ? shortLine : 0) { return line }
      return members(object, column: column + 2, isLineFree: isLineFree).map { indent + $0 }.joined()
    case .list(let items) where !items.isEmpty:
      let hasObjects = items.contains { if case .object = $0 { true } else { false } }
      if !hasObjects || keepsBraces, let line = inLine(to: SyntaxLayout.width) { return line }
      let isShort = inLine(to: shortLine) != nil
      return items.enumerated().map { i, part in
        let isFree = isLineFree || i < items.count - 1
        return indent + "- " + item(part, column: column + 4, keepsBraces: isShort, isLineFree: isFree)
      }.joined()
    default: return " " + flow(value)
    }
  }

  /// Returns a value in one line, with brackets and braces.
  static func flow(_ value: EventValue) -> String { flow(value, within: .max) ?? "" }

  /// Returns a value in one line of at most `columns` columns; nil if it is longer.
  private static func flow(_ value: EventValue, within columns: Int) -> String? {
    var line = FlowLine(left: columns)
    line.append(value)
    return line.left < 0 ? nil : line.text
  }

  /// Returns whether an object contains another object.
  private static func isNested(_ value: EventValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object.members.contains { if case .object = $0.value { true } else { false } }
  }

  /// Returns a text of several lines as a literal scalar; nil if it must be quoted.
  private static func literal(_ text: String, column: Int) -> String? {
    guard text.utf8.contains(0x0A), let first = text.utf8.first, first != 0x0A, first != 0x20,
      text.unicodeScalars.allSatisfy(isPlain)
    else { return nil }
    var lines = text.splitBytes(at: "\n", omittingEmptySubsequences: false)
    let isEnded = lines.last == ""
    if isEnded { lines.removeLast() }
    guard lines.last != "" else { return nil }
    let indent = SyntaxLayout.spaces(column)
    return (isEnded ? " |" : " |-") + lines.map { "\n" + ($0.isEmpty ? "" : indent + $0) }.joined()
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: true
    case 0..<0x20, 0x7F..<0xA1, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  // MARK: - JSON

  /// Returns a value in one line, however long it is.
  static func brief(_ value: EventValue, isJSON: Bool) -> String {
    isJSON ? String(decoding: value.json, as: UTF8.self) : flow(value)
  }

  /// Returns a value as JSON that begins at `column`, on several lines where it is long.
  static func json(_ value: EventValue, column: Int) -> String {
    let line = String(decoding: value.json, as: UTF8.self)
    let indent = "\n" + SyntaxLayout.spaces(column + 2)
    let end = "\n" + SyntaxLayout.spaces(column)
    switch value {
    case .object(let object) where !object.members.isEmpty:
      let members = object.members.map { member in
        String(decoding: EventValue.string(member.name).json, as: UTF8.self) + ": "
          + json(member.value, column: column + 2)
      }
      let short = "{ \(members.joined(separator: ", ")) }"
      if column > 4, column + SyntaxLayout.columns(short) <= shortLine, !short.utf8.contains(0x0A) { return short }
      return "{" + members.map { indent + $0 }.joined(separator: ",") + end + "}"
    case .list(let items) where items.contains { if case .object = $0 { true } else { false } }:
      return "[" + items.map { indent + json($0, column: column + 2) }.joined(separator: ",") + end + "]"
    default: return line
    }
  }
}

/// A value in one line, which is written until it is too long.
private struct FlowLine {
  private(set) var text = ""
  /// The columns that are left; less than 0 if it is too long.
  private(set) var left: Int

  init(left: Int) { self.left = left }

  mutating func append(_ value: EventValue) {
    guard left >= 0 else { return }
    switch value {
    case .string(let text): append(ScalarSpelling.written(text))
    case .list(let items):
      append("[")
      for (i, item) in items.enumerated() where left >= 0 {
        if i > 0 { append(", ") }
        append(item)
      }
      append("]")
    case .object(let object) where object.members.isEmpty: append("{}")
    case .object(let object):
      append("{ ")
      for (i, member) in object.members.enumerated() where left >= 0 {
        if i > 0 { append(", ") }
        append(ScalarSpelling.written(member.name))
        append(": ")
        append(member.value)
      }
      append(" }")
    default: append(String(decoding: value.json, as: UTF8.self))
    }
  }

  private mutating func append(_ part: String) {
    text += part
    left -= SyntaxLayout.columns(part)
  }
}
