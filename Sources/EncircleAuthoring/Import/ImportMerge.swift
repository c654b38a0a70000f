import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Merges imported rules into rule files, three ways. A rule has three versions: in the last import, in the tool now ("there"),
/// and in the rule files ("here").
///
/// A part of a rule that changed on one side only is taken from that side. A part that changed on both is a conflict: the version
/// here stays, unless a ``Resolution`` says otherwise. A rule that cannot be changed on its own, because another one shares a part of it
/// by a YAML alias, is a conflict, too, and stays as a whole. Nothing is deleted: a rule that is gone there is listed, and a rule that
/// was removed here stays removed. A rule that got another id here is found by its origin.
public struct ImportMerge: Sendable {
  /// The changes of a rule.
  public enum Change: String, CaseIterable, Sendable {
    case added, updated, unchanged
    /// It was edited here, and has not changed there.
    case kept
    /// Parts of it changed on both sides, or it cannot be changed on its own.
    case conflict
    /// It was removed here.
    case removed
    /// None of the files has its definition.
    case vanished
  }

  /// The treatment of a part that changed on both sides.
  public enum Resolution: String, CaseIterable, Sendable {
    /// It stays, and is listed again by the next import.
    case list
    /// It stays, and is listed no more.
    case here
    /// The version there replaces it.
    case there
  }

  /// A rule and its change.
  public struct Item: Sendable {
    public let rule: UTF8String
    public let change: Change
    /// The keys of the parts that changed on both sides; if there is a ``problem``, of all parts that changed there and would be taken.
    public let keys: [String]
    /// The keys of the parts that are taken from there.
    public internal(set) var taken: [String] = []
    /// The reason why the rule cannot be changed on its own; nil if it can.
    public internal(set) var problem: Diagnostic?
  }

  /// A rule file and its new text.
  public struct ChangedFile: Sendable {
    public var name: String { document.name }
    /// Empty for a new file.
    public let old: String
    public var new: String { document.text }
    /// The new text as it was read back.
    fileprivate let document: RuleFileDocument
  }

  /// The rules, imported ones first.
  public let items: [Item]
  /// The files that change, to be written.
  public let files: [ChangedFile]
  /// The state to save: the last import, for the next one.
  public let state: ImportState
  /// All files after the merge.
  let documents: [RuleFileDocument]

  /// - Parameters:
  ///   - rules: The imported rules, each with the name of the file for it if it is new, and the header of that file.
  ///   - defined: The ids of the rules of all definitions, also of those of which no rule is imported.
  ///   - state: The last import.
  ///   - texts: The existing rule files.
  /// - Throws: `RuleFileErrors` if a file cannot be read, or new rules cannot be added to it.
  /// - Complexity: O(*n* log *n*), *n* bytes of files and rules.
  init(
    _ rules: [(id: UTF8String, ruleFile: ImportRuleFile, path: String, rule: EventObject)],
    defined: Set<UTF8String>, _ state: ImportState, _ texts: [(name: String, text: String)],
    _ resolution: Resolution
  ) throws(RuleFileErrors) {
    var newState = state
    var items: [Item] = []
    var changes: [UTF8String: [(id: String, rule: EventObject)]] = [:]
    // The rules that change here, by their ids here, each with the number of its item and the keys of its changes.
    var changing: [UTF8String: (item: Int, keys: [String])] = [:]
    var here: [UTF8String: (file: String, rule: EventObject)] = [:]
    var documents: [RuleFileDocument] = []
    for file in texts {
      let document = try RuleFileDocument(file.text, name: file.name, keepsNodes: true)
      documents.append(document)
      for (id, rule) in document.rulesByID where here[id] == nil { here[id] = (file.name, rule) }
    }
    let renamed = Self.renamed(rules.map { ($0.id, $0.rule) }, state, here.mapValues { $0.rule })
    var headers: [UTF8String: EventObject] = [:]
    for (id, ruleFile, path, rule) in rules {
      let known = state.rules[id]
      let idHere = here[id] == nil && known != nil ? renamed[id] ?? id : id
      guard let own = here[idHere] else {
        if let known {
          items.append(Item(rule: id, change: .removed, keys: []))
          newState.set(known, id: id)
          continue
        }
        items.append(Item(rule: id, change: .added, keys: []))
        changes[UTF8String(path), default: []].append((id.text, rule))
        headers[UTF8String(path)] = ruleFile.header
        newState.set(rule, id: id)
        continue
      }
      let merged = Merged(base: known ?? EventObject(), there: rule, here: own.rule, resolution)
      newState.set(merged.base, id: id)
      items.append(Item(rule: id, change: merged.change, keys: merged.conflicts, taken: merged.updates))
      if !merged.updates.isEmpty {
        changing[idHere] = (items.count - 1, merged.updates + merged.conflicts)
        changes[UTF8String(own.file), default: []].append((idHere.text, merged.rule))
      }
    }
    for id in state.rules.keys.sorted() where !defined.contains(id) {
      items.append(Item(rule: id, change: .vanished, keys: []))
    }
    let (files, blocked) = try Self.files(changes, headers, documents)
    for (id, error) in blocked {
      guard let (item, keys) = changing[id] else { throw error }
      let rule = items[item].rule
      items[item] = Item(rule: rule, change: .conflict, keys: keys, problem: error.diagnostics.first)
      // The next import tries again.
      newState.set(state.rules[rule], id: rule)
    }
    self.items = items
    self.state = newState
    self.files = files
    let changed = Set(files.map { UTF8String($0.name) })
    self.documents = documents.filter { !changed.contains(UTF8String($0.name)) } + files.map(\.document)
  }

  /// Returns the ids of rules whose ids here differ from those that imports give; the latter are the keys.
  ///
  /// An origin decides only if no other rule has it: definitions of Sensors for several systems can share one.
  private static func renamed(
    _ rules: [(UTF8String, EventObject)], _ state: ImportState, _ here: [UTF8String: EventObject]
  ) -> [UTF8String: UTF8String] {
    var imported: [RuleOrigin: Set<UTF8String>] = [:]
    var own: [RuleOrigin: [UTF8String]] = [:]
    let known = state.rules.map { ($0.key, $0.value) }
    for (id, rule) in known + rules {
      if let origin = rule.ruleOrigin { imported[origin, default: []].insert(id) }
    }
    for (id, rule) in here {
      if let origin = rule.ruleOrigin { own[origin, default: []].append(id) }
    }
    var renamed: [UTF8String: UTF8String] = [:]
    for (origin, ids) in imported where ids.count == 1 {
      if let id = ids.first, let names = own[origin], names.count == 1 { renamed[id] = names[0] }
    }
    return renamed
  }

  /// Returns the files that change, and the rules that cannot be changed on their own, each with the reason.
  private static func files(
    _ changes: [UTF8String: [(id: String, rule: EventObject)]], _ headers: [UTF8String: EventObject],
    _ documents: [RuleFileDocument]
  ) throws(RuleFileErrors) -> (changed: [ChangedFile], blocked: [(id: UTF8String, error: RuleFileErrors)]) {
    let old = Dictionary(documents.map { (UTF8String($0.name), $0) }) { first, _ in first }
    var files: [ChangedFile] = []
    var blocked: [(id: UTF8String, error: RuleFileErrors)] = []
    for (name, rules) in changes.sorted(by: { $0.key < $1.key }) {
      let known = old[name]
      let header = headers[name] ?? ["version": 1]
      let before = if let known { known } else { try RuleFileDocument(RuleListEdit.newText(header), name: name.text) }
      let (document, refused) = try RuleListEdit.editing(before, by: rules) { (own, document) throws(RuleFileErrors) in
        try RuleListEdit.setting(own, in: document)
      }
      blocked += refused.map { (id: UTF8String($0.change.id), error: $0.error) }
      if known == nil || !document.text.hasSameBytes(as: before.text) {
        files.append(ChangedFile(old: known?.text ?? "", document: document))
      }
    }
    return (files, blocked)
  }
}

/// One rule of three.
private struct Merged {
  private(set) var rule: EventObject
  /// The last import, for the next merge.
  private(set) var base: EventObject
  private(set) var conflicts: [String] = []
  /// The keys of the parts that are taken from there.
  private(set) var updates: [String] = []
  private var isEdited = false

  init(base old: EventObject, there: EventObject, here: EventObject, _ resolution: ImportMerge.Resolution) {
    rule = here
    base = there
    var keys: [String] = []
    for member in old.members + there.members + here.members
    where !keys.contains(where: { $0.hasSameBytes(as: member.name) }) {
      keys.append(member.name)
    }
    // A rule keeps the id that it has here.
    keys.removeAll { $0 == "id" }
    for key in keys {
      let (before, now, own) = (old[key], there[key], here[key])
      if Self.isSame(now, own) { continue }
      if Self.isSame(now, before) {
        isEdited = true
      } else if Self.isSame(own, before) || resolution == .there {
        rule[key] = now
        updates.append(key)
      } else {
        conflicts.append(key)
        if resolution == .list { base[key] = before }
      }
    }
    if resolution == .here, !conflicts.isEmpty {
      conflicts = []
      isEdited = true
    }
  }

  var change: ImportMerge.Change {
    if !conflicts.isEmpty { return .conflict }
    return !updates.isEmpty ? .updated : isEdited ? .kept : .unchanged
  }

  private static func isSame(_ a: EventValue?, _ b: EventValue?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.means(b)
    default: false
    }
  }
}

extension EventObject {
  /// The origin of a rule, without its address; nil if it has none.
  fileprivate var ruleOrigin: RuleOrigin? {
    let origin = DefinitionNode(.object(self))["origin"]
    guard let tool = origin?["tool"]?.label, let id = origin?["id"]?.label else { return nil }
    return RuleOrigin(tool: UTF8String(tool), id: UTF8String(id))
  }
}
