import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// A feature of Pendo: elements of web pages by selectors in a subset of CSS.
///
/// Pendo's own events do not carry elements. The rule is for events of PostHog's SDK for web pages, which do.
struct PendoFeature {
  private let item: DefinitionNode
  private let file: String

  init(_ item: DefinitionNode, file: String) {
    self.item = item
    self.file = file
  }

  static func isFeature(_ item: DefinitionNode) -> Bool {
    item["kind"]?.text?.hasSameBytes(as: "Feature") ?? (item["elementPathRules"] != nil)
  }

  /// - Parameter pages: All pages that are known.
  func definition(pages: PendoPages, allowsWider: Bool) -> ImportedDefinition {
    let id = item["id"]?.label
    var definition = PendoPages.start(item, "f", id: id, file: file)
    guard id != nil else {
      definition.reasons.append(ImportReason(.unknownForm, .skipped, item.pointer, "no id"))
      return definition
    }
    for property in item["eventPropertyConfigurations"]?.items ?? [] where property["isActive"]?.isTrue ?? true {
      definition.reasons.append(
        ImportReason(.propertyExtraction, .exact, property.pointer, property["name"]?.words ?? ""))
    }
    var form = ImportedForm(.readable)
    let selectors = selectors(&form)
    if !selectors.isEmpty {
      form.reasons.append(ImportReason(.webPath, .unverified, item.pointer + "/elementPathRules"))
    }
    let pageTests = addresses(pages, allowsWider: allowsWider, &form)
    if !selectors.isEmpty, let pageTests {
      form.clauses = pageTests.map { test in
        var clause: EventObject = [
          "style": .string(PathStyleName.postHogWeb.rawValue), "event": "$autocapture",
          "selector": .list(selectors.map { .string($0) }),
        ]
        if let test { clause["where"] = ["$current_url": .object(test)] }
        return clause
      }
    }
    definition.forms = [form]
    definition.circled = circled(pages, id: definition.ruleID)
    return definition
  }

  /// Returns the facts about the element in the selectors; nil if captures show none of them.
  private func circled(_ pages: PendoPages, id: String) -> RecordedElement? {
    var circled = RecordedElement(id: UTF8String(id), style: .postHogWeb)
    for rule in item["elementPathRules"]?.items ?? [] {
      if let text = rule.words { circled.add(selector: text) }
    }
    if item["appWide"]?.isTrue ?? false || item["pageId"] == nil {
      circled.page = .any
    } else if let id = item["pageId"]?.label, let tests = pages.addresses[UTF8String(id)] {
      circled.page = .addresses(tests.map(Self.texts))
    }
    return circled.isInformative ? circled : nil
  }

  /// Returns the test of an address as a list of texts that must all match.
  private static func texts(_ test: EventObject) -> [CircledText] {
    test.members.compactMap { member in
      guard case .string(let text) = member.value else { return nil }
      return member.name.hasSameBytes(as: "matches")
        ? CircledText(matching: text) : CircledText(containing: text)
    }
  }

  /// Returns the selectors that rules support, each followed by one for the elements inside.
  private func selectors(_ form: inout ImportedForm) -> [String] {
    let rules = item["elementPathRules"]
    var selectors: [String] = []
    for rule in rules?.items ?? [] {
      guard let text = rule.words else {
        form.reasons.append(ImportReason(.unknownForm, .skipped, rule.pointer))
        continue
      }
      for part in Self.alternatives(text) {
        let pair = [part, part + " *"]
        if pair.allSatisfy({ ImportTests.isReadable($0, in: .postHogWeb) }) {
          selectors += pair
        } else {
          form.reasons.append(ImportReason(.unsupportedCSS, .skipped, rule.pointer, part))
        }
      }
    }
    if rules?.items.isEmpty ?? true {
      form.reasons.append(ImportReason(.unknownForm, .skipped, rules?.pointer ?? item.pointer, "no selector"))
    }
    return selectors
  }

  /// Returns the alternatives between commas outside brackets and quotation marks.
  private static func alternatives(_ text: String) -> [String] {
    var result: [String] = []
    var current: [UInt8] = []
    var depth = 0
    var quote: UInt8?
    func add() {
      var part = current[...]
      while part.first == UInt8(ascii: " ") { part.removeFirst() }
      while part.last == UInt8(ascii: " ") { part.removeLast() }
      if !part.isEmpty { result.append(String(decoding: part, as: UTF8.self)) }
      current.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: ",") where depth == 0:
          add()
          continue
        default: break
        }
      }
      current.append(byte)
    }
    add()
    return result
  }

  /// Returns the tests of the address: a single nil for any address, and nil instead of a list if the page is not known.
  private func addresses(
    _ pages: PendoPages, allowsWider: Bool, _ form: inout ImportedForm
  ) -> [EventObject?]? {
    if let wrong = item.mistyped(labels: ["pageId"], flags: ["appWide"]) {
      form.reasons.append(ImportReason(.unknownForm, .skipped, wrong.pointer))
      return nil
    }
    if item["appWide"]?.isTrue ?? false { return [nil] }
    guard let page = item["pageId"], let id = page.label else { return [nil] }
    if let tests = pages.addresses[UTF8String(id)], !tests.isEmpty {
      if pages.incomplete.contains(UTF8String(id)) {
        form.reasons.append(ImportReason(.pageMissing, .skipped, page.pointer, id))
      }
      return tests
    }
    form.reasons.append(ImportReason(.pageMissing, allowsWider ? .wider : .skipped, page.pointer, id))
    return allowsWider ? [nil] : nil
  }
}
