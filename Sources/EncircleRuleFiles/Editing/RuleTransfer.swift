import EncircleEvents
import EncircleText

/// Copies single rules from another version of a rule file verbatim, with their comments and layout.
///
/// This reverts one change in a draft, or publishes one person's changes without other people's changes.
package enum RuleTransfer {
  /// The difference of a rule between two texts.
  package enum Change: String, Sendable { case added, changed, removed }

  /// A text that has been read.
  package struct Side: Sendable {
    package let text: String
    package let document: RuleFileDocument
    fileprivate let name: String
    /// Nil if some rules share lines, or if some lines depend on others.
    fileprivate let lines: RuleListLines?

    /// - Throws: ``RuleFileErrors`` for a text that is not a rule file, as in ``RuleFileDocument``.
    package init(_ text: String, name: String = "<rules>") throws(RuleFileErrors) {
      self.text = text
      self.name = name
      document = try RuleFileDocument(text, name: name)
      lines = RuleListLines(text, document)
    }
  }

  /// Returns the rules that differ from one text to another, by id. The order of a rule's keys is only layout and makes no
  /// difference.
  ///
  /// - Parameters:
  ///   - before: The rules of the one text, as in ``RuleFileDocument/rulesByID``.
  ///   - after: The rules of the other text.
  package static func changes(
    from before: [UTF8String: EventObject], to after: [UTF8String: EventObject]
  ) -> [UTF8String: Change] {
    var changes: [UTF8String: Change] = [:]
    for (id, rule) in after {
      if let known = before[id] {
        if !EventValue.object(known).means(.object(rule)) { changes[id] = .changed }
      } else {
        changes[id] = .added
      }
    }
    for id in before.keys where after[id] == nil { changes[id] = .removed }
    return changes
  }

  /// Returns the text with the given rules as they are in another text. Rules that the other text does not have are removed.
  ///
  /// A new rule comes after the rule that it follows in the other text.
  ///
  /// - Throws: ``RuleFileErrors`` if the text cannot be changed without changing something else.
  /// - Complexity: O(*n*), *n* bytes, where the lists of rules are in lines; else O(*n*) for each rule.
  package static func taking(
    _ ids: Set<UTF8String>, from other: Side, into mine: Side
  ) throws(RuleFileErrors) -> String {
    if let taken = try takingLines(ids, from: other, into: mine) { return taken }
    let rules = other.document.rulesByID
    var text = mine.text
    for id in ids.sorted() {
      if let rule = rules[id] {
        text = try RuleListEdit.setting(rule, id: id.text, in: text, name: mine.name)
      } else {
        text = try RuleListEdit.removing(id.text, in: text, name: mine.name) ?? text
      }
    }
    return text
  }

  /// Returns the same as ``taking(_:from:into:)`` in O(*n*), *n* bytes; nil where that is not possible.
  package static func takingLines(
    _ ids: Set<UTF8String>, from other: Side, into mine: Side
  ) throws(RuleFileErrors) -> String? {
    func isTaken(_ rule: EventObject) -> Bool { rule.ruleID.map { ids.contains(UTF8String($0)) } ?? false }
    var (theirs, mine) = (other, mine)
    // Copying lines needs rules on both sides, so an empty list first gets a rule as a value. If it is the other text's list,
    // that rule is removed from the result.
    if theirs.document.rules.isEmpty, let last = mine.document.rules.first, isTaken(last), let id = last.ruleID {
      theirs = try Side(RuleListEdit.setting(last, id: id, in: theirs.text, name: theirs.name), name: theirs.name)
      guard let left = try takingLines(ids, from: theirs, into: mine) else { return nil }
      return try RuleListEdit.removing(id, in: left, name: mine.name)
    }
    if mine.document.rules.isEmpty, let first = theirs.document.rules.first(where: isTaken), let id = first.ruleID {
      mine = try Side(RuleListEdit.setting(first, id: id, in: mine.text, name: mine.name), name: mine.name)
    }
    guard let lines = theirs.lines, var result = mine.lines, lines.column == result.column else { return nil }
    result.take(ids, from: lines)
    guard !result.items.isEmpty, let after = try? RuleFileDocument(result.text, name: mine.name),
      isTransfer(ids, of: theirs.document.rulesByID, before: mine.document, after: after)
    else { return nil }
    return RuleFileFormatter.withLineEnds(of: mine.text, result.text)
  }

  /// Returns whether the rules that are copied, and nothing else, are as in the other text.
  private static func isTransfer(
    _ ids: Set<UTF8String>, of rules: [UTF8String: EventObject], before: RuleFileDocument, after: RuleFileDocument
  ) -> Bool {
    guard case .object(var old) = before.value, case .object(var new) = after.value else { return false }
    (old["rules"], new["rules"]) = (nil, nil)
    func others(_ document: RuleFileDocument) -> [EventObject] {
      document.rules.filter { rule in !(rule.ruleID.map { ids.contains(UTF8String($0)) } ?? false) }
    }
    let taken = after.rulesByID
    return old == new && others(before) == others(after) && ids.allSatisfy { taken[$0] == rules[$0] }
  }
}

/// A rule file whose rules share no lines, cut into its parts.
private struct RuleListLines: Sendable {
  struct Item: Sendable {
    var id: UTF8String?
    /// Blank lines and comments before the rule, except the comments directly above it.
    var gap: String
    /// The lines of the rule, with the comments right above.
    var lines: String

    var hasPlainGap: Bool { gap.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 } }
  }

  private var head: String
  private(set) var items: [Item] = []
  private var tail: String
  /// The column of the dashes.
  let column: Int

  init?(_ text: String, _ document: RuleFileDocument) {
    let source = RuleFileFormatter.withPlainLineEnds(text)
    guard let tree = try? SyntaxParser.parse(source), !tree.hasAnchors,
      let entry = tree.root?.collection?.entry("rules"),
      let key = entry.key, let list = entry.value.collection, !list.isMapping, !list.isFlow, !list.entries.isEmpty,
      case .object(let file) = document.value, case .list(let rules)? = file["rules"],
      rules.count == list.entries.count
    else { return nil }
    let splices = TextSplices(source)
    func part(_ range: Range<Int>) -> String { String(decoding: splices.bytes[range], as: UTF8.self) }
    var end = splices.lineEnd(key.range.upperBound) + 1
    head = part(0..<min(end, splices.bytes.count))
    var column: Int?
    for (entry, rule) in zip(list.entries, rules) {
      guard let dash = splices.dash(before: entry.value.range.lowerBound) else { return nil }
      let own = splices.indent(dash, or: -1)
      guard own >= 0, column ?? own == own, dash >= end else { return nil }
      column = own
      let lines = splices.lines(dash..<max(dash + 1, entry.value.range.upperBound), above: end)
      var id: UTF8String?
      if case .object(let rule) = rule { id = rule.ruleID.map { UTF8String($0) } }
      var text = part(lines)
      if text.utf8.last != 0x0A { text += "\n" }
      items.append(Item(id: id, gap: part(end..<lines.lowerBound), lines: text))
      end = lines.upperBound
    }
    tail = part(end..<splices.bytes.count)
    self.column = column ?? 0
  }

  var text: String { head + items.map { $0.gap + $0.lines }.joined() + tail }

  /// Copies rules from another list; rules that the other list does not have are removed.
  mutating func take(_ ids: Set<UTF8String>, from other: RuleListLines) {
    let theirs = Dictionary(
      other.items.enumerated().compactMap { i, item in item.id.map { ($0, i) } },
      uniquingKeysWith: { first, _ in first })
    removeItems { id in ids.contains(id) && theirs[id] == nil }
    for i in items.indices {
      if let id = items[i].id, ids.contains(id), let their = theirs[id] { items[i].lines = other.items[their].lines }
    }
    insertItems(of: other) { i, id in ids.contains(id) && theirs[id] == i }
  }

  private mutating func removeItems(where isRemoved: (UTF8String) -> Bool) {
    var kept: [Item] = []
    var left = ""
    for var item in items {
      if let id = item.id, isRemoved(id) {
        if !item.hasPlainGap { left = Self.joined(left, item.gap) }
      } else {
        item.gap = left.isEmpty ? item.gap : Self.joined(left, item.gap)
        left = ""
        kept.append(item)
      }
    }
    if kept.first?.hasPlainGap ?? false { kept[0].gap = items.first?.hasPlainGap ?? false ? items[0].gap : kept[0].gap }
    tail = Self.joined(left, tail)
    items = kept
  }

  /// Joins two texts, without a second blank line between them, or one at the end.
  private static func joined(_ first: String, _ second: String) -> String {
    guard first.endsWithBytes(of: "\n\n"), second.isEmpty || second.beginsWithBytes(of: "\n") else {
      return first + second
    }
    return first.dropLast() + second
  }

  /// Inserts the items of another list that are missing here, each after the item that it follows there.
  private mutating func insertItems(of other: RuleListLines, where isWanted: (_ number: Int, _ id: UTF8String) -> Bool)
  {
    // The items form a linked list whose end is -1, so that inserting a rule does not move a long list.
    var all = items
    var following = all.indices.map { $0 + 1 < all.count ? $0 + 1 : -1 }
    var first = all.isEmpty ? -1 : 0
    var places = Dictionary(
      all.enumerated().compactMap { i, item in item.id.map { ($0, i) } }, uniquingKeysWith: { first, _ in first })
    var before = -1
    for (number, item) in other.items.enumerated() {
      guard let id = item.id else { continue }
      if let place = places[id] {
        before = place
        continue
      }
      guard isWanted(number, id) else { continue }
      let behind = before < 0 ? first : following[before]
      let theirGap = number + 1 < other.items.count ? other.items[number + 1].gap : other.tail
      let (gap, gapBehind) = Self.gaps(
        item, theirGap, behind < 0 ? tail : all[behind].gap, isFirst: before < 0, isLast: behind < 0)
      if behind < 0 { tail = gapBehind } else { all[behind].gap = gapBehind }
      all.append(Item(id: id, gap: gap, lines: item.lines))
      following.append(behind)
      places[id] = all.count - 1
      if before < 0 { first = all.count - 1 } else { following[before] = all.count - 1 }
      before = all.count - 1
    }
    items = []
    var next = first
    while next >= 0 {
      items.append(all[next])
      next = following[next]
    }
  }

  /// Returns the text before an inserted item, and the text that then follows it.
  ///
  /// - Parameters:
  ///   - theirs: The text after the item in the other list.
  ///   - present: The text that is now at the place of insertion.
  private static func gaps(
    _ item: Item, _ theirs: String, _ present: String, isFirst: Bool, isLast: Bool
  ) -> (before: String, behind: String) {
    // If the rule was removed earlier, the text that was above it is now above the next rule.
    if !item.hasPlainGap, present.hasSameBytes(as: joined(item.gap, theirs)) { return (item.gap, theirs) }
    if isFirst { return (isLast ? item.gap : present, isLast ? present : theirs.beginsWithBytes(of: "\n") ? "\n" : "") }
    return (item.hasPlainGap ? item.gap : "\n", present)
  }
}
