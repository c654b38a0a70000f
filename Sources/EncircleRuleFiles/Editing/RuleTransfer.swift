import EncircleEvents
import EncircleText

/// Takes single rules over from another text of a rule file, as they are written there: with their comments and layout.
///
/// A change of a draft is taken back so, and one person's changes are published without those of others.
package enum RuleTransfer {
  /// How a rule differs between two texts.
  package enum Change: String, Sendable { case added, changed, removed }

  /// The rules that differ from one text to another, by id.
  ///
  /// - Throws: ``RuleFileErrors`` for a text that is neither YAML nor JSON.
  package static func changes(
    from old: String, to new: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> [UTF8String: Change] {
    let before = try RuleFileDocument(old, name: name).rulesByID
    let after = try RuleFileDocument(new, name: name).rulesByID
    var changes: [UTF8String: Change] = [:]
    for (id, rule) in after {
      if let known = before[id] {
        if known != rule { changes[id] = .changed }
      } else {
        changes[id] = .added
      }
    }
    for id in before.keys where after[id] == nil { changes[id] = .removed }
    return changes
  }

  /// The text with rules as another text has them; those that the other one has not go.
  ///
  /// A rule that is new comes behind the one that it follows there.
  ///
  /// - Throws: ``RuleFileErrors`` if a text cannot be read, or not be changed without changing something else.
  /// - Complexity: O(*n*), *n* bytes, where both lists of rules are in lines; else O(*n*) for each rule.
  package static func taking(
    _ ids: Set<UTF8String>, from other: String, into text: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> String {
    let theirs = try RuleFileDocument(other, name: name)
    let rules = theirs.rulesByID
    var text = text
    // A list without rules has no lines whose layout could be followed.
    if try RuleFileDocument(text, name: name).rules.isEmpty,
      let first = theirs.rules.first(where: { $0.ruleID.map { ids.contains(UTF8String($0)) } ?? false }),
      let id = first.ruleID
    {
      text = try RuleListEdit.setting(first, id: id, in: text, name: name)
    }
    if let taken = lines(ids, from: other, into: text, rules: rules, name: name) { return taken }
    for id in ids.sorted() {
      if let rule = rules[id] {
        text = try RuleListEdit.setting(rule, id: id.text, in: text, name: name)
      } else {
        text = try RuleListEdit.removing(id.text, in: text, name: name) ?? text
      }
    }
    return text
  }

  /// The text with the lines of the other one; nil if one has no list in lines, or if lines depend on others.
  private static func lines(
    _ ids: Set<UTF8String>, from other: String, into text: String, rules: [UTF8String: EventObject], name: String
  ) -> String? {
    guard let theirs = RuleListLines(other), var mine = RuleListLines(text), theirs.column == mine.column else {
      return nil
    }
    mine.take(ids, from: theirs)
    guard !mine.items.isEmpty else { return nil }
    var result = mine.text
    guard let before = try? RuleFileDocument(text, name: name), let after = try? RuleFileDocument(result, name: name),
      isTransfer(ids, of: rules, before: before, after: after)
    else { return nil }
    if text.contains("\r\n") { result = result.replacing("\n", with: "\r\n") }
    return result
  }

  /// Whether what is taken over, and nothing else, is as the other text has it.
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

/// A rule file whose rules stand in lines of their own, cut into its parts.
private struct RuleListLines {
  struct Item {
    var id: UTF8String?
    /// Blank lines and comments that do not stand right above the rule.
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

  init?(_ text: String) {
    let source = RuleFileFormatter.withPlainLineEnds(text)
    guard let tree = try? SyntaxParser.parse(source), !tree.hasAnchors, let entry = tree.root?.collection?.entry("rules"),
      let key = entry.key, let list = entry.value.collection, !list.isMapping, !list.isFlow, !list.entries.isEmpty,
      case .object(let file)? = try? RuleFileDocument(source).value, case .list(let rules)? = file["rules"],
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

  /// Takes rules over; those that the other list has not go.
  mutating func take(_ ids: Set<UTF8String>, from other: RuleListLines) {
    let theirs = Dictionary(
      other.items.enumerated().compactMap { i, item in item.id.map { ($0, i) } }, uniquingKeysWith: { first, _ in first })
    removeItems { id in ids.contains(id) && theirs[id] == nil }
    for i in items.indices {
      if let id = items[i].id, ids.contains(id), let their = theirs[id] { items[i].lines = other.items[their].lines }
    }
    let known = Set(items.compactMap(\.id))
    for (i, item) in other.items.enumerated() {
      guard let id = item.id, ids.contains(id), theirs[id] == i, !known.contains(id) else { continue }
      insert(i, of: other)
    }
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

  /// One text behind another, without a second blank line between.
  private static func joined(_ first: String, _ second: String) -> String {
    first.hasSuffix("\n\n") && second.hasPrefix("\n") ? first + second.dropFirst() : first + second
  }

  /// Inserts an item of another list behind the one that it follows there.
  private mutating func insert(_ number: Int, of other: RuleListLines) {
    let places = Dictionary(
      items.enumerated().compactMap { i, item in item.id.map { ($0, i) } }, uniquingKeysWith: { first, _ in first })
    var item = other.items[number]
    let before = other.items[..<number].reversed().lazy.compactMap { $0.id.flatMap { places[$0] } }.first
    let place = before.map { $0 + 1 } ?? 0
    // Where the rule was taken away before, what stood above it stands above the next one now.
    let theirNext = number + 1 < other.items.count ? other.items[number + 1].gap : other.tail
    let next = place < items.count ? items[place].gap : tail
    let isLeft = !item.hasPlainGap && next.utf8.elementsEqual(Self.joined(item.gap, theirNext).utf8)
    if isLeft || place == 0 {
      if !isLeft { item.gap = next }
      let gap = isLeft ? theirNext : theirNext.hasPrefix("\n") ? "\n" : ""
      if place < items.count {
        items[place].gap = gap
      } else if isLeft {
        tail = gap
      }
    } else if !item.hasPlainGap {
      item.gap = "\n"
    }
    items.insert(item, at: place)
  }
}
