import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// The places of rule ids, emitted names and definitions' names in the files of a project.
struct RuleIndex {
  /// The role of the name at a place.
  enum Role: Equatable {
    /// The id of a rule, where the rule is defined.
    case definition
    /// The name that a rule emits, where the rule sets it.
    case emit
    /// A rule that a test expects to match.
    case expectedRule
    /// A name that a test expects to be emitted, or that the plan contains.
    case expectedName
    /// The name of a clause under `define`, and its use in a clause.
    case definedClause, usedClause
    /// The name of a value under `define`, and its use in a test.
    case definedValue, usedValue
  }

  /// A place.
  struct Entry {
    let role: Role
    let text: UTF8String
    let file: String
    let node: Node
    /// The id of the rule to which the name belongs, or the name of the test, the planned event or the definition.
    let owner: UTF8String
  }

  /// A rule, or a test, with its place.
  struct Item {
    let id: String
    let name: String?
    let isTest: Bool
    let file: String
    /// The beginning of the id, or of the test.
    let node: Node
    /// The beginning of the whole item.
    let whole: Node
  }

  private(set) var entries: [Entry] = []
  private(set) var items: [Item] = []
  /// The rules that emit their ids because they have no `emit`.
  private(set) var emittingID: Set<UTF8String> = []
  /// The files that are not valid YAML. The index lacks their places.
  private(set) var invalidFiles: [String] = []

  /// Adds the rules, the tests or the planned events of a file.
  mutating func add(_ text: String, of file: String) {
    var nodes = NodeReader(text, name: file)
    guard let root = nodes.root() else {
      if !nodes.diagnostics.isEmpty { invalidFiles.append(file) }
      return
    }
    switch RuleDirectory.Companion(ofFile: file) {
    case .tests: addTests(root, file)
    case .plan: addPlan(root, file)
    case .coverage, nil: addRules(root, file)
    }
  }

  private mutating func addRules(_ root: Node, _ file: String) {
    for (key, role) in [("clauses", Role.definedClause), ("values", .definedValue)] {
      for (name, _) in root["define"]?[key]?.mapping ?? [] {
        guard let text = name.scalar?.string else { continue }
        entries.append(Entry(role: role, text: UTF8String(text), file: file, node: name, owner: UTF8String(text)))
      }
    }
    for page in root["pages"]?["exclude"]?.sequence ?? [] {
      if let clauses = page["unless"] { addUses(in: clauses, of: UTF8String(page["page"]?.scalar?.string ?? ""), file) }
    }
    for rule in root["rules"]?.sequence ?? [] {
      guard let own = rule["id"], let text = own.scalar?.string else { continue }
      let id = UTF8String(text)
      entries.append(Entry(role: .definition, text: id, file: file, node: own, owner: id))
      items.append(
        Item(id: text, name: rule["name"]?.scalar?.string, isTest: false, file: file, node: own, whole: rule))
      if let emit = rule["emit"] {
        for name in emit.sequence ?? [emit] {
          guard let text = name.scalar?.string else { continue }
          entries.append(Entry(role: .emit, text: UTF8String(text), file: file, node: name, owner: id))
        }
      } else {
        emittingID.insert(id)
      }
      for key in ["include", "exclude", "unless"] {
        if let clauses = rule[key] { addUses(in: clauses, of: id, file) }
      }
    }
  }

  /// Adds the places at which clauses use definitions.
  private mutating func addUses(in clauses: Node, of owner: UTF8String, _ file: String) {
    var waiting: [(node: Node, isTest: Bool)] = [(clauses, false)]
    while let (node, isTest) = waiting.popLast() {
      for item in node.sequence ?? [] { waiting.append((item, isTest)) }
      for (key, value) in node.mapping ?? [] {
        switch (isTest, key.scalar?.string) {
        case (_, "use"):
          for name in value.sequence ?? [value] {
            guard let text = name.scalar?.string else { continue }
            let role = isTest ? Role.usedValue : .usedClause
            entries.append(Entry(role: role, text: UTF8String(text), file: file, node: name, owner: owner))
          }
        case (false, "event"), (false, "page"), (true, "not"), (true, "any"), (true, "all"), (true, "number"):
          waiting.append((value, true))
        case (false, "where"): for (_, test) in value.mapping ?? [] { waiting.append((test, true)) }
        case (false, "within"): if let says = value["says"] { waiting.append((says, true)) }
        default: continue
        }
      }
    }
  }

  private mutating func addTests(_ root: Node, _ file: String) {
    for (number, test) in (root["tests"]?.sequence ?? []).enumerated() {
      let name = test["name"]?.scalar?.string ?? "test \(number + 1)"
      items.append(Item(id: name, name: nil, isTest: true, file: file, node: test["name"] ?? test, whole: test))
      guard let expectation = test["expect"] else { continue }
      for (rule, _) in expectation["properties"]?.mapping ?? [] {
        guard let id = rule.scalar?.string else { continue }
        entries.append(
          Entry(role: .expectedRule, text: UTF8String(id), file: file, node: rule, owner: UTF8String(name)))
      }
      for key in ["rules", "includes", "excludedBy", "emit"] {
        guard let value = expectation[key] else { continue }
        for item in value.sequence ?? [value] {
          guard let text = item.scalar?.string else { continue }
          entries.append(
            Entry(
              role: key == "emit" ? .expectedName : .expectedRule, text: UTF8String(text), file: file, node: item,
              owner: UTF8String(name)))
        }
      }
    }
  }

  private mutating func addPlan(_ root: Node, _ file: String) {
    for event in root["events"]?.sequence ?? [] {
      guard let name = event["event"], let text = name.scalar?.string else { continue }
      let planned = UTF8String(text)
      entries.append(Entry(role: .expectedName, text: planned, file: file, node: name, owner: planned))
    }
  }

  /// Returns the places that name a rule by its id.
  func uses(ofRule id: UTF8String) -> [Entry] {
    entries.filter { entry in
      switch entry.role {
      case .definition, .expectedRule: entry.text == id
      // A rule without `emit` emits its id, unless another one emits the same.
      case .expectedName: entry.text == id && emittingID.contains(id)
      case .emit, .definedClause, .usedClause, .definedValue, .usedValue: false
      }
    }
  }

  /// Returns the places of an emitted name, and the places of the rules that emit it as their id.
  func uses(ofName name: UTF8String) -> [Entry] {
    entries.filter { entry in
      switch entry.role {
      case .emit, .expectedName: entry.text == name
      case .definition: entry.text == name && emittingID.contains(name)
      case .expectedRule, .definedClause, .usedClause, .definedValue, .usedValue: false
      }
    }
  }

  /// Returns the places that name a clause or a value under `define`.
  func uses(ofClause name: UTF8String) -> [Entry] { named(name, .definedClause, .usedClause) }

  func uses(ofValue name: UTF8String) -> [Entry] { named(name, .definedValue, .usedValue) }

  private func named(_ name: UTF8String, _ roles: Role...) -> [Entry] {
    entries.filter { $0.text == name && roles.contains($0.role) }
  }

  /// Returns the number of tests that expect something of a rule.
  func testCount(ofRule id: UTF8String) -> Int {
    Set(entries.filter { $0.role == .expectedRule && $0.text == id }.map { "\($0.file)\n\($0.owner)" }).count
  }
}

extension Node {
  /// The member of a mapping with a key.
  subscript(key: String) -> Node? {
    mapping?.first { $0.key.scalar?.string.hasSameBytes(as: key) == true }?.value
  }
}

extension LanguageServer {
  /// Returns the places of rules and names in the files of a project, except in files that are not valid YAML.
  ///
  /// - Complexity: O(length of all files).
  func index(of project: RuleProject) -> RuleIndex {
    var index = RuleIndex()
    for (file, text) in project.texts(of: project.allFiles, documents) { index.add(text, of: file) }
    return index
  }
}
