import EncircleEvents
import EncircleText

/// Writes the differences between two values into the text of the first. Comments, order, quotes and layout of everything that is
/// equal stay as they are.
///
/// It is recursive; the parser limits the depth.
struct ValueEdit {
  var splices: TextSplices
  /// This is true if the text is JSON, which has no comments and quotes everything.
  private let isJSON: Bool

  init(_ splices: TextSplices, isJSON: Bool) {
    self.splices = splices
    self.isJSON = isJSON
  }

  /// Changes an item of a list.
  ///
  /// - Parameters:
  ///   - keys: The usual order of the keys of its mapping.
  ///   - list: The list as it is written.
  mutating func change(
    _ item: SyntaxEntry, from old: EventValue, to new: EventValue, keys: [String], in list: CollectionSyntax
  ) {
    if old.means(new) { return }
    let node = item.value
    if changeWithin(node, from: old, to: new, keys: keys, isInLine: list.isOneLine) { return }
    let text: String
    if isJSON, !list.isOneLine {
      text = ValueLayout.json(new, column: splices.indent(ofLineAt: node.range.lowerBound))
    } else if list.isFlow {
      text = brief(new)
    } else {
      let column = SyntaxParser.column(of: node.range.lowerBound, in: splices.bytes)
      text = ValueLayout.item(
        new, column: column, keepsBraces: node.collection?.isFlow ?? false, isLineFree: item.comment == nil)
      // Only a dash that begins its line can have a line above it.
      if let dash = splices.dash(before: node.range.lowerBound), splices.indent(dash, or: -1) >= 0,
        let comment = takeComment(of: item, from: text)
      {
        splices.insert(comment + "\n" + SyntaxLayout.spaces(splices.indent(dash, or: 0)), at: dash)
      }
    }
    splices.replace(node.range.lowerBound..<splices.trimmedEnd(node.range), by: text + headerComment(of: item))
  }

  /// Changes a member of a mapping in block style.
  private mutating func change(
    _ entry: SyntaxEntry, from old: EventValue, to new: EventValue, keys: [String], column: Int
  ) {
    guard !old.means(new), let key = entry.key else { return }
    if changeWithin(entry.value, from: old, to: new, keys: keys) { return }
    if addAlternatives(to: entry, from: old, to: new) { return }
    let end = key.range.upperBound
    let text = ValueLayout.behindColon(
      new, column: column, used: end - key.range.lowerBound + 1, keepsBraces: entry.value.collection?.isFlow ?? false,
      isLineFree: entry.comment == nil)
    let comment = takeComment(of: entry, from: text).map { " " + $0 } ?? ""
    splices.replace(
      end..<max(end, splices.trimmedEnd(entry.value.range)), by: ":" + comment + text + headerComment(of: entry))
  }

  /// Removes the comment behind a value that a text of several lines replaces, and returns it; nil if it can stay.
  ///
  /// In front of the text, it still applies to all of it, such as a comment that silences a finding; behind the text, it would
  /// apply to the last line only.
  private mutating func takeComment(of entry: SyntaxEntry, from text: String) -> String? {
    guard let comment = entry.comment, entry.keyComment == nil, text.utf8.contains(0x0A) else { return nil }
    if case .blockScalar = entry.value.content { return nil }
    let end = splices.trimmedEnd(entry.value.range)
    let rest = end..<splices.lineEnd(end)
    let written = splices.bytes[rest].drop { $0 == 0x20 || $0 == 0x09 }
    guard written.starts(with: comment.utf8) else { return nil }
    splices.remove(rest)
    return comment
  }

  /// Returns the comment behind the header of a text in block style, which is replaced together with the text; an empty text for
  /// other values.
  private func headerComment(of entry: SyntaxEntry) -> String {
    guard case .blockScalar = entry.value.content, let comment = entry.comment else { return "" }
    return " " + comment
  }

  /// Changes only the differences in a collection that is largely the same as before.
  ///
  /// - Parameter isInLine: True if it is in a list on one line, which stays on one line even if it becomes too long.
  /// - Returns: False if the whole collection must be rewritten.
  private mutating func changeWithin(
    _ node: SyntaxNode, from old: EventValue, to new: EventValue, keys: [String], isInLine: Bool = false
  ) -> Bool {
    guard let syntax = node.collection, node.properties.isEmpty else { return false }
    switch (old, new) {
    case (.object(let old), .object(let new)) where syntax.isMapping && syntax.entries.count == old.members.count:
      if syntax.isFlow { return changeBraces(node, syntax, from: old, to: new, keys: keys, isInLine: isInLine) }
      return changeMembers(syntax, from: old, to: new, keys: keys)
    case (.list(let old), .list(let new)) where !syntax.isMapping && syntax.entries.count == old.count:
      if old.count == new.count {
        for (i, entry) in syntax.entries.enumerated() {
          change(entry, from: old[i], to: new[i], keys: keys, in: syntax)
        }
        return true
      }
      return !syntax.isFlow && changeItems(syntax, from: old, to: new, keys: keys)
    default: return false
    }
  }

  /// Returns the usual order of the keys in the mapping of a member.
  private static func keys(of name: String, _ value: EventValue) -> [String] {
    if ["include", "exclude", "unless"].contains(name) { return RuleFileKeys.clause }
    // The list `properties` of a plan; the `properties` of a rule are a mapping.
    if case .list = value, name == "properties" { return PlanKeys.property }
    return []
  }

  /// Returns the place of a key in the usual order; unknown ones come last.
  private static func rank(_ name: String, _ keys: [String]) -> Int {
    keys.firstIndex { $0.hasSameBytes(as: name) } ?? keys.count
  }

  /// Returns the members that only `new` has, in their usual order.
  private static func added(_ old: EventObject, _ new: EventObject, _ keys: [String]) -> [EventObject.Member] {
    let added = new.members.filter { old[$0.name] == nil }
    return added.indices.sorted { (rank(added[$0].name, keys), $0) < (rank(added[$1].name, keys), $1) }.map {
      added[$0]
    }
  }

  // MARK: - Mappings in block style

  private mutating func changeMembers(
    _ syntax: CollectionSyntax, from old: EventObject, to new: EventObject, keys: [String]
  ) -> Bool {
    let isKept = old.members.map { new[$0.name] != nil }
    guard let first = isKept.firstIndex(of: true) else { return false }
    let column = SyntaxParser.column(of: syntax.entries[0].key?.range.lowerBound ?? 0, in: splices.bytes)
    removeMembers(syntax, isKept: isKept, first: first)
    for (i, member) in old.members.enumerated() {
      guard let value = new[member.name] else { continue }
      change(syntax.entries[i], from: member.value, to: value, keys: Self.keys(of: member.name, value), column: column)
    }
    for member in Self.added(old, new, keys) {
      insert(member, in: syntax, isKept: isKept, names: old.members.map(\.name), keys: keys, column: column)
    }
    return true
  }

  private mutating func removeMembers(_ syntax: CollectionSyntax, isKept: [Bool], first: Int) {
    func start(_ i: Int) -> Int { syntax.entries[i].key?.range.lowerBound ?? 0 }
    // The first key may stand behind a dash.
    if first > 0 { splices.remove(start(0)..<start(first)) }
    for i in isKept.indices.dropFirst(first) where !isKept[i] {
      let limit = splices.lineEnd(splices.trimmedEnd(syntax.entries[i - 1].value.range)) + 1
      splices.remove(splices.lines(start(i)..<syntax.entries[i].value.range.upperBound, above: limit))
    }
  }

  /// Adds a member after the last member that precedes it in the usual order of keys.
  private mutating func insert(
    _ member: EventObject.Member, in syntax: CollectionSyntax, isKept: [Bool], names: [String], keys: [String],
    column: Int
  ) {
    let text = ValueLayout.member(member.name, member.value, column: column)
    let kept = isKept.indices.filter { isKept[$0] }
    let own = Self.rank(member.name, keys)
    if let last = kept.last(where: { Self.rank(names[$0], keys) <= own }) {
      let end = splices.lineEnd(splices.trimmedEnd(syntax.entries[last].value.range))
      splices.insert("\n" + SyntaxLayout.spaces(column) + text, at: end)
    } else if let first = kept.first, let start = syntax.entries[first].key?.range.lowerBound {
      splices.insert(text + "\n" + SyntaxLayout.spaces(column), at: start)
    }
  }

  // MARK: - Mappings in braces

  /// Changes members in place if everything on one line still fits on one.
  private mutating func changeBraces(
    _ node: SyntaxNode, _ syntax: CollectionSyntax, from old: EventObject, to new: EventObject, keys: [String],
    isInLine: Bool
  ) -> Bool {
    let isKept = old.members.map { new[$0.name] != nil }
    let entries = syntax.entries
    guard let first = isKept.firstIndex(of: true), entries.allSatisfy({ $0.key != nil && !$0.value.range.isEmpty })
    else { return false }
    if syntax.isOneLine, !isInLine {
      let column = SyntaxParser.column(of: node.range.lowerBound, in: splices.bytes)
      guard column + SyntaxLayout.columns(brief(.object(new))) <= SyntaxLayout.width else { return false }
    }
    for (i, member) in old.members.enumerated() {
      guard let value = new[member.name], !member.value.means(value) else { continue }
      let keys = Self.keys(of: member.name, value)
      if changeWithin(entries[i].value, from: member.value, to: value, keys: keys, isInLine: isInLine) { continue }
      splices.replace(entries[i].value.range, by: brief(value))
    }
    func start(_ i: Int) -> Int { entries[i].key?.range.lowerBound ?? 0 }
    // The indentation of the first member that begins its line; nil if none does. It is found only once, because there may be
    // many members.
    let lined = syntax.isOneLine ? nil : entries.indices.first { splices.indent(start($0), or: -1) >= 0 }
    let indent = lined.map { splices.indent(start($0), or: 0) }
    func space(_ i: Int) -> String {
      if syntax.isOneLine { return " " }
      // The column of a member is meaningless if others precede it in its line.
      let own = splices.indent(start(i), or: indent ?? splices.indent(ofLineAt: start(i)) + 2)
      return "\n" + SyntaxLayout.spaces(own)
    }
    for member in Self.added(old, new, keys) {
      let text = brief(.string(member.name)) + ": " + brief(member.value)
      let own = Self.rank(member.name, keys)
      if let last = isKept.indices.last(where: { isKept[$0] && Self.rank(old.members[$0].name, keys) <= own }) {
        let end = entries[last].value.range.upperBound
        if !syntax.isOneLine, entries[last].comment != nil {
          // The new member goes behind the comment, which stays with its own member.
          let hasComma = comma(behind: end) != nil
          if !hasComma { splices.insert(",", at: end) }
          splices.insert(space(last) + text + (hasComma ? "," : ""), at: splices.lineEnd(end))
        } else {
          splices.insert("," + space(last) + text, at: end)
        }
      } else {
        splices.insert(text + "," + space(first), at: start(first))
      }
    }
    let hasComments = node.hasComments
    for i in isKept.indices where !isKept[i] {
      // Removes the entry with the comma before it. With comments, removes the comma after it, because a comment belongs to the entry
      // before it.
      let end = entries[i].value.range.upperBound
      if i < first || (hasComments && i + 1 < entries.count) {
        splices.remove(start(i)..<start(i + 1))
      } else if hasComments {
        splices.remove(start(i)..<(comma(behind: end) ?? end))
      } else {
        splices.remove(entries[i - 1].value.range.upperBound..<end)
      }
    }
    return true
  }

  /// Returns the place behind the comma that follows a value; nil if none follows.
  private func comma(behind end: Int) -> Int? {
    var i = end
    while i < splices.bytes.count, splices.bytes[i] == 0x20 || splices.bytes[i] == 0x0A { i += 1 }
    return i < splices.bytes.count && splices.bytes[i] == UInt8(ascii: ",") ? i + 1 : nil
  }

  /// Returns a value in one line.
  private func brief(_ value: EventValue) -> String { ValueLayout.brief(value, isJSON: isJSON) }

  // MARK: - Lists in block style

  /// Changes a list that has become longer or shorter. Equal items at its beginning and end stay as they are.
  private mutating func changeItems(
    _ syntax: CollectionSyntax, from old: [EventValue], to new: [EventValue], keys: [String]
  ) -> Bool {
    let entries = syntax.entries
    let dashes = entries.compactMap { splices.dash(before: $0.value.range.lowerBound) }
    guard !new.isEmpty, dashes.count == entries.count, let column = dashes.first.map({ splices.indent($0, or: -1) }),
      column >= 0
    else { return false }
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head].means(new[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail].means(new[new.count - 1 - tail]) { tail += 1 }
    let paired = shorter - head - tail
    for i in head..<head + paired { change(entries[i], from: old[i], to: new[i], keys: keys, in: syntax) }
    for i in head + paired..<old.count - tail {
      let limit =
        i > 0 ? splices.lineEnd(splices.trimmedEnd(entries[i - 1].value.range)) + 1 : splices.lineStart(dashes[0])
      splices.remove(splices.lines(dashes[i]..<entries[i].value.range.upperBound, above: limit))
    }
    for i in head + paired..<new.count - tail {
      let text = "- " + ValueLayout.item(new[i], column: column + 2)
      let before = head + paired - 1
      if before >= 0 {
        let end = splices.lineEnd(splices.trimmedEnd(entries[before].value.range))
        splices.insert("\n" + SyntaxLayout.spaces(column) + text, at: end)
      } else {
        splices.insert(text + "\n" + SyntaxLayout.spaces(column), at: dashes[0])
      }
    }
    return true
  }

  /// Turns a mapping in block style into the first item of a list with further items, by indenting its lines.
  private mutating func addAlternatives(to entry: SyntaxEntry, from old: EventValue, to new: EventValue) -> Bool {
    guard case .object = old, case .list(let items) = new, items.count > 1, items[0].means(old),
      let syntax = entry.value.collection, syntax.isMapping, !syntax.isFlow, entry.value.properties.isEmpty,
      let start = syntax.entries.first?.key?.range.lowerBound
    else { return false }
    let column = splices.indent(start, or: -1)
    guard column >= 0 else { return false }
    splices.insert("- ", at: start)
    let end = splices.trimmedEnd(entry.value.range)
    var line = splices.lineEnd(start) + 1
    while line < end {
      if !splices.isBlank(lineAt: line) { splices.insert("  ", at: line) }
      line = splices.lineEnd(line) + 1
    }
    for item in items.dropFirst() {
      let text = "\n" + SyntaxLayout.spaces(column) + "- " + ValueLayout.item(item, column: column + 2)
      splices.insert(text, at: splices.lineEnd(end))
    }
    return true
  }
}

extension EventValue {
  /// Returns whether two values are equal, ignoring the order of members.
  ///
  /// Recursive; readers limit the depth.
  package func means(_ other: EventValue) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.means($1) }
    case (.object(let a), .object(let b)): a.members.count == b.members.count && Self.mean(a.members, b.members)
    default: self == other
    }
  }

  /// Returns whether as many members are the same in any order.
  private static func mean(_ a: [EventObject.Member], _ b: [EventObject.Member]) -> Bool {
    if zip(a, b).allSatisfy({ $0.name.hasSameBytes(as: $1.name) }) {
      return zip(a, b).allSatisfy { $0.value.means($1.value) }
    }
    // An object looks through all its members for a name.
    let values = Dictionary(b.map { (UTF8String($0.name), $0.value) }) { _, last in last }
    return a.allSatisfy { values[UTF8String($0.name)]?.means($0.value) ?? false }
  }
}
