import EncircleEvents
import EncircleText

/// Reads pages of Pendo, as its API lists them, and keeps them for the features on these pages.
struct PendoPages {
  /// The tests of the address by the ids of pages; empty for a page that could not be converted.
  private(set) var addresses: [UTF8String: [EventObject]] = [:]
  /// The ids of pages with an address that could not be converted.
  private(set) var incomplete: Set<UTF8String> = []

  static let ruleFile = ImportRuleFile("pendo.yaml", ["version": 1])

  mutating func definition(_ item: DefinitionNode, file: String) -> ImportedDefinition {
    let id = item["id"]?.label
    var definition = PendoPages.start(item, "p", id: id, file: file)
    var form = ImportedForm(.literal)
    guard let id else {
      definition.reasons.append(ImportReason(.unknownForm, .skipped, item.pointer, "no id"))
      return definition
    }
    let rules = item["rules"]?.items ?? []
    var tests: [EventObject] = []
    for rule in rules {
      let place = rule["rule"]?.pointer ?? rule.pointer
      guard let text = rule["rule"]?.words, let address = PendoURL(text) else {
        form.reasons.append(ImportReason(.unknownForm, .skipped, place, rule["rule"]?.text))
        continue
      }
      if let refusal = ImportTests.refusal(of: address.expression) {
        form.reasons.append(ImportReason(.refusedExpression, .skipped, place, refusal))
        continue
      }
      if address.isUncertain { form.reasons.append(ImportReason(.urlGrammar, .unverified, place, text)) }
      tests.append(address.test)
    }
    if rules.isEmpty {
      form.reasons.append(ImportReason(.matchesEverything, .skipped, item["rules"]?.pointer ?? item.pointer))
    }
    form.clauses = tests.map { ["where": ["/url": .object($0)]] }
    addresses[UTF8String(id)] = tests
    if tests.count < rules.count { incomplete.insert(UTF8String(id)) }
    definition.forms = [form]
    return definition
  }

  /// Begins a definition with the parts that pages and features share.
  static func start(_ item: DefinitionNode, _ kind: String, id: String?, file: String) -> ImportedDefinition {
    var definition = ImportedDefinition(
      origin: ImportOrigin(tool: .pendo, id: id ?? ""), ruleID: "pendo.\(kind).\(id ?? "")",
      name: item["name"]?.text ?? "", file: file, pointer: item.pointer, ruleFile: ruleFile)
    let owner = item["createdByUser"]?["username"]?.words
    definition.details["owner"] = owner.map { .string($0) }
    var tags = item["group"]?["name"]?.words.map { ["group:" + $0] } ?? []
    if item["isCoreEvent"]?.isTrue ?? false { tags.append("core") }
    if !tags.isEmpty { definition.details["tags"] = .list(tags.map { .string($0) }) }
    return definition
  }
}
