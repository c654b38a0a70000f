import EncircleText

/// A rule file in parts that can be read one by one: the rules of its list, and the rest of the file around them.
///
/// Only files in block style, as people write them, have such parts. Other files are read as a whole.
struct RuleFileParts {
  /// A rule with its `-`.
  struct Rule {
    let text: String
    /// The number of lines before it in the file.
    let line: Int
  }

  /// The file with as many blank lines in place of its rules.
  private(set) var around: String
  /// The line, from 1, with the key `rules`.
  private(set) var keyLine: Int
  private(set) var rules: [Rule] = []

  /// The lines that make a rule file of a single rule when they are put in front of it.
  static let prefix = "version: 1\nrules:\n"
  static let prefixLines = 2

  /// Finds the parts of a file; nil if it is written in another way.
  ///
  /// - Complexity: O(length).
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    var around: [UInt8] = []
    var keyLine: Int?
    var indent: Int?
    var isBehind = false
    var ruleStart = 0
    var ruleLine = 0
    var rules: [Rule] = []
    func finishRule(at end: Int) {
      if indent != nil, !isBehind {
        rules.append(Rule(text: String(decoding: bytes[ruleStart..<end], as: UTF8.self), line: ruleLine))
      }
    }
    var line = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A {
        // A lone carriage return is a line end for YAML, but not for this count of lines.
        if bytes[end] == 0x0D, end + 1 < bytes.count, bytes[end + 1] != 0x0A { return nil }
        end += 1
      }
      let next = min(bytes.count, end + 1)
      var first = start
      while first < end, bytes[first] == 0x20 { first += 1 }
      let isBlank = first == end || bytes[first] == UInt8(ascii: "#") || bytes[first] == 0x0D
      if !isBlank, bytes[first] == 0x09 { return nil }
      let column = first - start
      if keyLine == nil || isBehind {
        if !isBlank, column == 0, Self.isMark(bytes[first..<end]) { return nil }
        if !isBlank, column == 0, bytes[first..<end].starts(with: "rules:".utf8) {
          guard keyLine == nil, Self.isKeyOnly(bytes[first..<end].dropFirst(6)) else { return nil }
          keyLine = line + 1
        }
        around += bytes[start..<next]
      } else if isBlank {
        // Before the first rule, this belongs to the rest of the file; after a rule, it belongs to that rule.
        if indent == nil { around += bytes[start..<next] } else { around.append(0x0A) }
      } else if Self.isDash(bytes[first..<end]), indent == nil || column == indent {
        finishRule(at: start)
        indent = column
        ruleStart = start
        ruleLine = line
        around.append(0x0A)
      } else if let known = indent, column > known {
        around.append(0x0A)
      } else {
        // This is another key of the file, or the list is not valid here.
        guard column == 0, indent != nil, !Self.isMark(bytes[first..<end]),
          !bytes[first..<end].starts(with: "rules:".utf8)
        else { return nil }
        finishRule(at: start)
        isBehind = true
        around += bytes[start..<next]
      }
      line += 1
      start = next
    }
    finishRule(at: bytes.count)
    guard let keyLine, !rules.isEmpty else { return nil }
    self.around = String(decoding: around, as: UTF8.self)
    self.keyLine = keyLine
    self.rules = rules
  }

  private static func isDash(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == UInt8(ascii: "-") else { return false }
    let next = line.dropFirst().first
    return next == nil || next == 0x20 || next == 0x0D
  }

  /// Returns whether a line begins or ends a document, or sets how it is read.
  private static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "---".utf8) || line.starts(with: "...".utf8) || line.first == UInt8(ascii: "%")
  }

  private static func isKeyOnly(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first(where: { $0 != 0x20 && $0 != 0x0D }) else { return true }
    return first == UInt8(ascii: "#") && rest.first == 0x20
  }
}
