import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Reads a rule file and checks that its matcher decides as the explanation states.
func readRules(_ input: [UInt8]) -> CInt {
  let text = String(decoding: input, as: UTF8.self)
  checkFormat(of: text)
  // The name of this file allows only JSON.
  _ = load(text, name: "rules.json")
  guard let ruleSet = load(text) else { return 0 }
  let ids = Set(ruleSet.rules.map(\.id))
  precondition(ids.count == ruleSet.rules.count, "ids are unique")
  precondition(ruleSet.rules.allSatisfy { !$0.clauses.isEmpty && !$0.clauses.contains(where: \.isEmpty) })

  let matcher = Matcher(ruleSet, dictionary: dictionary)
  let explainer = Explainer(ruleSet, dictionary: dictionary)
  let decisions = matcher.decide(fixedEvents)
  if let bytes = try? matcher.compiled() {
    let loaded = try? Matcher(compiled: bytes, dictionary: dictionary)
    precondition(loaded?.decide(fixedEvents) == decisions, "compiled rules decide like the rules")
  }
  for (event, decision) in zip(fixedEvents, decisions) {
    var decider = Decider(matcher)
    precondition(decider.decide(event) == decision, "a used state decides like a new one")
    check(decision, of: ruleSet, ruleSet.rules.filter(\.isEnabled).sorted { $0.id < $1.id })
    check(explainer.explain(event), against: decision)
  }
  return 0
}

/// Checks that a formatted text stays the same when it is formatted again; the formatter itself checks that the meaning is kept.
private func checkFormat(of text: String) {
  guard let formatted = try? RuleFileFormatter.format(text) else { return }
  guard let again = try? RuleFileFormatter.format(formatted) else {
    preconditionFailure("what has been formatted can be formatted")
  }
  precondition(again.utf8.elementsEqual(formatted.utf8), "formatted once and for all")
}

private func load(_ text: String, name: String = "rules.yaml") -> RuleSet? {
  do throws(RuleFileErrors) {
    return try RuleFiles(text: text, name: name).ruleSet()
  } catch {
    precondition(!error.diagnostics.isEmpty && !error.isMissingInput)
    for diagnostic in error.diagnostics {
      precondition(!diagnostic.message.isEmpty && !diagnostic.description.isEmpty)
      if let location = diagnostic.location { precondition(location.line > 0 && location.column > 0, "\(location)") }
    }
    return nil
  }
}

/// Checks that the parts of a decision are consistent.
private func check(_ decision: Decision, of ruleSet: RuleSet, _ rules: [SelectionRule]) {
  for names in [decision.rules, decision.excludedBy, decision.pages, decision.emit] {
    precondition(zip(names, names.dropFirst()).allSatisfy { $0 < $1 }, "in byte order, unique")
  }
  let isWanted = ruleSet.track == .all || !decision.rules.isEmpty
  precondition(decision.isSelected == (isWanted && decision.excludedBy.isEmpty && decision.pages.isEmpty))
  let emit = Set(rules.filter { decision.rules.contains($0.id) }.flatMap { $0.names.map { UTF8String($0) } })
  precondition(Set(decision.emit) == (decision.isSelected ? emit : []))
}

/// Checks an explanation, which tries every rule, against a decision, which only tries the rules from the index.
private func check(_ explanation: Explanation, against decision: Decision) {
  precondition(explanation.decision == decision)
  func ids(_ effect: SelectionRule.Effect) -> [UTF8String] {
    explanation.rules.filter { $0.matches && $0.rule.effect == effect }.map(\.rule.id)
  }
  precondition(ids(.include) == decision.rules, "explained: \(ids(.include)), decided: \(decision.rules)")
  precondition(ids(.exclude) == decision.excludedBy, "explained: \(ids(.exclude)), decided: \(decision.excludedBy)")
  for result in explanation.rules {
    precondition(result.matches == (result.change == nil))
    precondition(result.change?.isEmpty != true, "\(result.rule.id): something would have to change")
  }
}

// MARK: - Fixed events

/// A captured button in a row with a text.
private let screen: IdentifiedTree = {
  var builder = ViewTree.Builder(format: .viewTree)
  builder.beginElement(class: "UIWindow")
  builder.beginElement(class: "UITableView")
  builder.addAttribute(.controller, "HomeViewController")
  builder.beginElement(class: "ProductCell")
  builder.addAttribute(.superclasses, "UITableViewCell UIView")
  builder.addAttribute(.indexPath, "0 7")
  builder.beginElement(class: "UIButton")
  builder.endElement()
  builder.beginElement(class: "UILabel")
  builder.addAttribute(.text, "桃")
  return IdentifiedTree(builder.finish())
}()

/// The dictionary for the event IDs of events and rules.
let dictionary: ElementDictionary = {
  var dictionary = ElementDictionary(knowsScreens: true)
  dictionary.insert(screen)
  return dictionary
}()

/// The event ID of the button.
let buttonID: EventID = screen.eventID(of: Array(screen.tree.elements)[3])

let fixedEvents: [AnalyticsEvent] = [
  // An event with a path.
  AnalyticsEvent(
    name: "$AppClick", time: 1_773_129_600_000, distinctID: "u1",
    properties: [
      "$element_path": "UIWindow(0)_UITableView(0)_ProductCell(section:0 row:3)_UIButton(0)",
      "$screen_name": "HomeViewController", "$app_version": "5.2.1", "$app_id": "com.example.shop",
      "$element_content": "加入购物车", "n": 1, "b": true, "z": nil, "l": [1],
    ]),
  // This event names its element by an event ID.
  AnalyticsEvent(name: "$AppClick", eventID: "\(buttonID)", properties: ["$title": "Home", "n": 2]),
  // The captures have a text in the row of this path.
  AnalyticsEvent(
    name: "$AppClick",
    properties: [
      "$element_path": "UIWindow(0)_UITableView(0)_ProductCell(section:0 row:7)_UIButton(0)",
      "$screen_name": "HomeViewController",
    ]),
  // This path has several readings, and `n` is a very large number.
  AnalyticsEvent(
    name: "$appclick",
    properties: [
      "$element_path": "UIWindow(0)_UINavigationBar(0)_A_B", "$screen_name": "A", "n": -9_007_199_254_740_993,
    ]),
  // Other SDKs and platforms send these; one has a list and a text with a number.
  AnalyticsEvent(
    name: "$AppClick", distinctID: "u2",
    properties: [
      "$element_path": "android.widget.ListView[0]/android.widget.Button[0]", "$os": "Android", "l": ["vip", 2],
      "$element_content": "¥1,299.00",
    ]),
  AnalyticsEvent(others: ["eventType": "VIEW_CLICK", "xpath": "/UITableView/UIButton & /0/0", "platform": "iOS"]),
  // Without an element.
  AnalyticsEvent(name: "$AppStart", others: ["attributes": ["$os": "iOS"]]),
  AnalyticsEvent(),
]

/// The rules of `rulesOfEveryKind`.
let ruleSetOfEveryKind: RuleSet = livingForEver {
  do {
    return try RuleFiles(text: rulesOfEveryKind).ruleSet()
  } catch {
    preconditionFailure("\(error)")
  }
}
