import EncircleEvents
import EncircleText

/// Changes single rules in the text of a rule file, YAML or JSON, or single items of another list, such as the events of a plan.
/// Writes only the differences, so comments, the order of items and keys, and all other layout stay as they are.
///
/// ```swift
/// let text = try RuleListEdit.setting(rule, id: "cart.add", in: text, name: "shop.yaml")
/// ```
package struct RuleListEdit {
  private let name: String
  /// The key of the list in the file, and the usual order of keys of its items.
  private let key: String
  private let keys: [String]
  private let source: String
  private let document: EventValue
  private let tree: SyntaxTree
  private let isJSON: Bool
  /// The text as it is written; ``source`` is the same without byte order mark and with LF at the ends of lines.
  private let text: String
  private var values: ValueEdit

  private var splices: TextSplices {
    get { values.splices }
    _modify { yield &values.splices }
  }

  /// Returns the text with a rule in place of the rule with the same id or, if no rule has the id, after all others.
  ///
  /// Null members of the rule are omitted, unless they are already null in the text.
  ///
  /// - Throws: ``RuleFileErrors`` if the text cannot be read, or the rule cannot be changed alone.
  /// - Complexity: O(*n*), *n* bytes, for a bounded depth.
  package static func setting(
    _ rule: EventObject, id: String, in text: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> String {
    try setting([(id, rule)], in: text, name: name)
  }

  /// Returns the text with several rules, each set as ``setting(_:id:in:name:)`` does. If ids are equal, the last rule counts.
  ///
  /// - Throws: As ``setting(_:id:in:name:)``.
  /// - Complexity: O(*n*), *n* bytes of the text and the rules, for a bounded depth.
  package static func setting(
    _ changes: [(id: String, rule: EventObject)], in text: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> String {
    changes.isEmpty ? text : try setting(changes, in: RuleFileDocument(text, name: name)).text
  }

  /// Returns the document with several rules, each set as ``setting(_:id:in:name:)`` does. The result has been parsed from its
  /// text.
  ///
  /// - Throws: As ``setting(_:id:in:name:)``.
  /// - Complexity: O(*n*), *n* bytes of the text and the rules, for a bounded depth. Each text is read once.
  package static func setting(
    _ changes: [(id: String, rule: EventObject)], in document: RuleFileDocument
  ) throws(RuleFileErrors) -> RuleFileDocument {
    guard let first = changes.first else { return document }
    var edit = try RuleListEdit(document)
    if edit.rules.isEmpty, changes.count > 1 {
      // The first rule creates the list; the others are then added to it.
      return try setting(Array(changes.dropFirst()), in: setting([first], in: document))
    }
    var rules = edit.rules
    let known = edit.indexByID
    var new: [(id: UTF8String, value: EventValue)] = []
    var places: [UTF8String: Int] = [:]
    var changed: [Int: EventValue] = [:]
    for (id, rule) in changes {
      let index = known[UTF8String(id)]
      var old = EventObject()
      if let index, case .object(let rule) = edit.rules[index] { old = rule }
      // A member that is null and already was, such as `name:`, keeps its spelling.
      let value = EventValue.object(
        EventObject(rule.members.filter { $0.value != .null || old[$0.name] == EventValue.null }))
      if let index {
        changed[index] = value
      } else if let place = places[UTF8String(id)] {
        new[place].value = value
      } else {
        places[UTF8String(id)] = new.count
        new.append((UTF8String(id), value))
      }
    }
    for (index, value) in changed.sorted(by: { $0.key < $1.key }) {
      rules[index] = value
      try edit.replace(index, by: value)
    }
    rules += new.map(\.value)
    try edit.append(new.map(\.value))
    return try edit.result(rules: rules)
  }

  /// Returns the text without the rule with this id and the comments directly above it; nil if no rule has the id.
  ///
  /// - Throws: As ``setting(_:id:in:name:)``.
  package static func removing(
    _ id: String, in text: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> String? {
    var edit = try RuleListEdit(RuleFileDocument(text, name: name))
    guard let index = edit.index(of: id) else { return nil }
    var rules = edit.rules
    rules.remove(at: index)
    try edit.remove(index)
    return try edit.result(rules: rules).text
  }

  /// Returns the text with new values for the items of a list with the given numbers, and with further items at the end.
  ///
  /// - Parameters:
  ///   - key: The key of the list in the file.
  ///   - keys: The usual order of the keys of its items.
  /// - Throws: As ``setting(_:id:in:name:)``.
  /// - Complexity: O(*n*), *n* bytes, for a bounded depth.
  package static func applying(
    _ changes: [Int: EventObject], appending items: [EventObject], toListAt key: String, keys: [String],
    in text: String, name: String
  ) throws(RuleFileErrors) -> String {
    if changes.isEmpty, items.isEmpty { return text }
    return try applying(changes, appending: items, toListAt: key, keys: keys, in: RuleFileDocument(text, name: name))
      .text
  }

  /// Returns the document with such changes. The result has been parsed from its text.
  ///
  /// - Throws: As ``setting(_:id:in:name:)``.
  package static func applying(
    _ changes: [Int: EventObject], appending items: [EventObject], toListAt key: String, keys: [String],
    in document: RuleFileDocument
  ) throws(RuleFileErrors) -> RuleFileDocument {
    guard !changes.isEmpty || !items.isEmpty else { return document }
    var edit = try RuleListEdit(document, key: key, keys: keys)
    var rules = edit.rules
    for (index, item) in changes.sorted(by: { $0.key < $1.key }) where rules.indices.contains(index) {
      try edit.replace(index, by: .object(item))
      rules[index] = .object(item)
    }
    // If there is no list yet, the first item creates it, and the others follow in a second step.
    let count = edit.rules.isEmpty ? min(1, items.count) : items.count
    let new = items.prefix(count).map { EventValue.object($0) }
    rules += new
    try edit.append(new)
    let result = try edit.result(rules: rules)
    return try applying([:], appending: Array(items.dropFirst(count)), toListAt: key, keys: keys, in: result)
  }

  /// The maximum number of changes that a document may refuse before all of them are given up: each is tried many times.
  package static let maximumRefusals = 100

  /// Makes changes together or, if a document refuses some of them, all others.
  ///
  /// - Returns: The changed document, and the refused changes with their reasons. The places in these are those of the changed text.
  /// - Throws: The last reason if there are more than ``maximumRefusals``.
  /// - Complexity: That of `edit`, times O(log *n*) for each refused one of *n* changes.
  package static func editing<Change>(
    _ document: RuleFileDocument, by changes: [Change],
    _ edit: ([Change], RuleFileDocument) throws(RuleFileErrors) -> RuleFileDocument
  ) throws(RuleFileErrors) -> (document: RuleFileDocument, refused: [(change: Change, error: RuleFileErrors)]) {
    var left: [Change] = []
    var document = try editing(document, by: changes[...], &left, edit)
    var refused: [(change: Change, error: RuleFileErrors)] = []
    for change in left {
      do throws(RuleFileErrors) { document = try edit([change], document) } catch { refused.append((change, error)) }
    }
    return (document, refused)
  }

  /// Returns the document with the changes that it does not refuse, which halves find; the others are added to `left`.
  private static func editing<Change>(
    _ document: RuleFileDocument, by changes: ArraySlice<Change>, _ left: inout [Change],
    _ edit: ([Change], RuleFileDocument) throws(RuleFileErrors) -> RuleFileDocument
  ) throws(RuleFileErrors) -> RuleFileDocument {
    do throws(RuleFileErrors) { return try edit(Array(changes), document) } catch {
      guard changes.count > 1 else {
        left += changes
        if left.count > maximumRefusals { throw error }
        return document
      }
    }
    let middle = changes.startIndex + changes.count / 2
    let first = try editing(document, by: changes[..<middle], &left, edit)
    return try editing(first, by: changes[middle...], &left, edit)
  }

  /// Returns the text of a new rule file without rules.
  ///
  /// - Parameter header: The contents of the file except for its rules.
  package static func newText(_ header: EventObject) -> String {
    RuleFileKeys.file.compactMap { key in
      header[key].map { ValueLayout.member(key, $0, column: 0) + "\n" }
    }.joined()
  }

  private init(
    _ document: RuleFileDocument, key: String = "rules", keys: [String] = RuleFileKeys.rule
  ) throws(RuleFileErrors) {
    (name, self.key, self.keys) = (document.name, key, keys)
    text = document.text
    source = RuleFileFormatter.withPlainLineEnds(text)
    // Line ends are the same to readers.
    self.document = document.value
    do throws(SyntaxParser.Problem) {
      tree = try SyntaxParser.parse(source)
    } catch {
      throw RuleFileErrors(
        [Diagnostic(error.message, file: name, offset: error.offset, in: source)], isMissingInput: false)
    }
    let first = source.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 }
    isJSON = first == UInt8(ascii: "{") && (try? EventValue(json: source.utf8)) != nil
    values = ValueEdit(TextSplices(source), isJSON: isJSON)
  }

  private func failure(_ message: String, at offset: Int) -> RuleFileErrors {
    RuleFileErrors([Diagnostic(message, file: name, offset: offset, in: source)], isMissingInput: false)
  }

  // MARK: - Rules

  /// The values in the list of rules, valid rules or not.
  private var rules: [EventValue] {
    guard case .object(let file) = document, case .list(let rules)? = file[key] else { return [] }
    return rules
  }

  /// This is true if the value in place of the rules is a list, null, or missing.
  private var isListOrNothing: Bool {
    guard case .object(let file) = document, let rules = file[key] else { return true }
    switch rules {
    case .list, .null: return true
    default: return false
    }
  }

  /// The first rule of each id.
  private var indexByID: [UTF8String: Int] {
    Dictionary(
      rules.enumerated().compactMap { i, rule in
        guard case .object(let rule) = rule, let id = rule.ruleID else { return nil }
        return (UTF8String(id), i)
      }, uniquingKeysWith: { first, _ in first })
  }

  private func index(of id: String) -> Int? {
    rules.firstIndex { rule in
      guard case .object(let rule) = rule, let known = rule.ruleID else { return false }
      return known.hasSameBytes(as: id)
    }
  }

  /// The member with the list of rules as it is written.
  private var listEntry: SyntaxEntry? { tree.root?.collection?.entry(key) }

  /// Returns the list as it is written.
  ///
  /// - Throws: If the list is written in another form, for example as an alias.
  private func list() throws(RuleFileErrors) -> CollectionSyntax {
    guard let list = listEntry?.value.collection, !list.isMapping, list.entries.count == rules.count else {
      throw failure("this list of \(key) cannot be changed one by one: change the text", at: 0)
    }
    return list
  }

  private mutating func replace(_ index: Int, by value: EventValue) throws(RuleFileErrors) {
    let list = try list()
    values.change(list.entries[index], from: rules[index], to: value, keys: keys, in: list)
  }

  /// Adds items at the end; only one if the list is empty.
  private mutating func append(_ values: [EventValue]) throws(RuleFileErrors) {
    guard let value = values.first else { return }
    guard let entry = listEntry, let start = entry.key?.range else { return try appendList(value) }
    guard !rules.isEmpty else {
      guard isListOrNothing else {
        throw failure("expected a list of \(key)", at: entry.value.range.lowerBound)
      }
      let end = max(start.upperBound, splices.trimmedEnd(entry.value.range))
      if isJSON {
        let column = splices.indent(start.lowerBound, or: 0)
        let text = "[\n\(SyntaxLayout.spaces(column + 2))\(ValueLayout.json(value, column: column + 2))\n"
        splices.replace(start.upperBound..<end, by: ": " + text + SyntaxLayout.spaces(column) + "]")
      } else {
        let column = SyntaxParser.column(of: start.lowerBound, in: splices.bytes)
        let item = ValueLayout.item(value, column: column + 4, isLineFree: entry.comment == nil)
        splices.replace(
          start.upperBound..<end, by: ":\n" + SyntaxLayout.spaces(column + 2) + "- " + item)
      }
      return
    }
    let list = try list()
    let last = list.entries[list.entries.count - 1]
    if list.isFlow {
      let start = last.value.range.lowerBound
      let isOnLine = list.isOneLine
      let indent = splices.indent(ofLineAt: start)
      let isJSON = isJSON
      let items = values.concurrentMap { value in
        if isOnLine { return ", " + ValueLayout.brief(value, isJSON: isJSON) }
        let text = isJSON ? ValueLayout.json(value, column: indent) : ValueLayout.flow(value)
        return ",\n" + SyntaxLayout.spaces(indent) + text
      }
      splices.insert(items.joined(), at: last.value.range.upperBound)
      return
    }
    let dash = try dash(of: last)
    let column = SyntaxParser.column(of: dash, in: splices.bytes)
    let isSeparated = list.entries.count == 1 || last.before.contains(.blank)
    let lead = (isSeparated ? "\n\n" : "\n") + SyntaxLayout.spaces(column) + "- "
    let items = values.concurrentMap { lead + ValueLayout.item($0, column: column + 2) }
    splices.insert(items.joined(), at: splices.lineEnd(splices.trimmedEnd(last.value.range)))
  }

  /// Adds the list of rules to a file that has none.
  private mutating func appendList(_ value: EventValue) throws(RuleFileErrors) {
    let item = "\(key):\n  - " + ValueLayout.item(value, column: 4) + "\n"
    guard let root = tree.root else {
      let lead = source.isEmpty || source.utf8.last == 0x0A ? "" : "\n"
      return splices.insert("\(lead)version: 1\n\(item)", at: splices.bytes.count)
    }
    guard let collection = root.collection, collection.isMapping, let last = collection.entries.last else {
      throw failure("the file is not a mapping with 'version' and '\(key)'", at: root.range.lowerBound)
    }
    if collection.isFlow {
      let text = isJSON ? "\"\(key)\": [\(ValueLayout.json(value, column: 2))]" : "\(key): [\(ValueLayout.flow(value))]"
      return splices.insert(", " + text, at: last.value.range.upperBound)
    }
    let end = splices.lineEnd(splices.trimmedEnd(root.range))
    splices.insert("\n" + item.dropLast(end < splices.bytes.count ? 1 : 0), at: end)
  }

  private mutating func remove(_ index: Int) throws(RuleFileErrors) {
    let list = try list()
    let entries = list.entries
    let item = entries[index]
    if list.isFlow {
      if entries.count == 1, let node = listEntry?.value {
        splices.replace(node.range, by: "[]")
      } else if index + 1 < entries.count {
        splices.remove(item.value.range.lowerBound..<entries[index + 1].value.range.lowerBound)
      } else {
        splices.remove(entries[index - 1].value.range.upperBound..<item.value.range.upperBound)
      }
      return
    }
    let limit = index > 0 ? splices.lineEnd(splices.trimmedEnd(entries[index - 1].value.range)) + 1 : keyLineEnd + 1
    var lines = splices.lines(try dash(of: item)..<item.value.range.upperBound, above: limit)
    // If there are blank lines before and after the rule, only one of them stays.
    if lines.lowerBound > limit, splices.isBlank(lineAt: splices.lineStart(lines.lowerBound - 1)),
      splices.isBlank(lineAt: lines.upperBound)
    {
      lines = splices.lineStart(lines.lowerBound - 1)..<lines.upperBound
    }
    if entries.count == 1, let end = listEntry?.key?.range.upperBound {
      splices.replace(end..<end + 1, by: ": []")
    }
    splices.remove(lines)
  }

  /// The end of the line with the key of the list.
  private var keyLineEnd: Int { splices.lineEnd(listEntry?.key?.range.upperBound ?? 0) }

  /// Returns the place of an item's dash.
  private func dash(of item: SyntaxEntry) throws(RuleFileErrors) -> Int {
    guard let dash = splices.dash(before: item.value.range.lowerBound) else {
      throw failure("cannot change this part automatically: edit the text", at: item.value.range.lowerBound)
    }
    return dash
  }

  // MARK: - Result

  /// Returns the changed text. It is parsed again, and refused unless it has exactly the values that it should have.
  private func result(rules: [EventValue]) throws(RuleFileErrors) -> RuleFileDocument {
    var wanted = EventObject()
    if case .object(let file) = document { wanted = file } else { wanted["version"] = 1 }
    wanted[key] = .list(rules)
    let result = splices.result.map { RuleFileFormatter.withLineEnds(of: text, $0) }
    guard let result, let after = try? RuleFileDocument(result, name: name, keepsNodes: true),
      after.says(.object(wanted))
    else { throw dependence() }
    return after
  }

  /// Returns the error for a result with other values than it should have. It names an alias of a part that changes, if there
  /// is one.
  private func dependence() -> RuleFileErrors {
    let changes = splices.ranges
    var anchors: [UTF8String: Int] = [:]
    var shared: (name: String, offset: Int)?
    tree.root?.forEachNode { node in
      if shared == nil, case .alias(let alias) = node.content {
        let name = String(Substring(alias.utf8.dropFirst()))
        shared = anchors[UTF8String(name)].map { (name: name, offset: $0) }
      }
      for property in node.properties.splitBytes(at: " ") where property.utf8.first == UInt8(ascii: "&") {
        let next = changes.partitioningIndex { $0.upperBound > node.range.lowerBound }
        let isChanged = next < changes.count && changes[next].lowerBound < node.range.upperBound
        anchors[UTF8String(String(Substring(property.utf8.dropFirst())))] = isChanged ? node.range.lowerBound : nil
      }
    }
    if let (name, offset) = shared {
      return failure(
        "'&\(name)' is used again as '*\(name)', so it cannot be changed on its own: edit the text", at: offset)
    }
    return failure(
      "this part cannot be changed on its own, because other parts depend on how it is written: edit the text",
      at: changes.first?.lowerBound ?? 0)
  }
}
