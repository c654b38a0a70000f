import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree

/// A slow matcher, written directly from docs/rules.md: every rule is tried on every event, and nothing is prepared except what
/// the rule set states.
struct ReferenceMatcher {
  /// An element that event IDs stand for.
  typealias Entry = (path: ElementPath, page: String?)

  let track: RuleSet.Tracking
  let rules: [SelectionRule]
  let excludedPages: [ExcludedPage]
  let fields: EventFields
  let dictionary: [EventID: Entry]
  let superclasses: [String: String]
  /// The texts of elements in captures; nil where captures disagree.
  let screenTexts: [(page: String, path: ElementPath, text: String?)]
  private let vocabulary: Set<UTF8String>
  private let names: ClassHierarchy
  // For each rule, its clauses and those of `unless`, whose selectors and elements are parsed only once.
  private var clauses: [UTF8String: (any: [ClauseReading], none: [ClauseReading])] = [:]

  /// The properties that an event must have to count as one of the same kind of element.
  private struct Kind {
    var path: ElementPath
    var page: String?
    /// `true` if the event must be on that page even if the clause asks for another one.
    var isOnPage = false
    var actions: [String]?
    var message: String?
    var title: String?
  }

  private struct ClauseReading {
    let clause: RuleClause
    /// The selectors of the clause, which leave rows open if the rule has `sameKind`.
    let selectors: [ReferenceSelector]
    /// Where the elements are that a rule of `sameKind` names by event ID.
    let places: [Kind]
  }

  /// - Parameters:
  ///   - superclasses: The superclass of each class of UIKit and the captures that has one; those of the rules take precedence.
  init(
    _ ruleSet: RuleSet, dictionary: [EventID: Entry] = [:], captureClasses: Set<UTF8String> = [],
    superclasses: [String: String] = [:], screenTexts: [(page: String, path: ElementPath, text: String?)] = []
  ) {
    self.screenTexts = screenTexts
    track = ruleSet.track
    rules = ruleSet.rules.filter(\.isEnabled).sorted {
      Array($0.id.text.utf8).lexicographicallyPrecedes(Array($1.id.text.utf8))
    }
    excludedPages = ruleSet.allExcludedPages
    fields = ruleSet.fields
    self.dictionary = dictionary
    var all = superclasses
    for (name, superclass) in ruleSet.classes { all[name.text] = superclass.text }
    self.superclasses = all
    // What may be a class name in a path: the captures' classes, the rules' and UIKit's.
    var vocabulary = captureClasses.union(ruleSet.classes.keys)
    for rule in rules {
      for clause in rule.clauses + rule.unless {
        for selector in clause.selectors {
          for case .component(.name(let name), _) in selector.steps { vocabulary.insert(name) }
        }
      }
    }
    self.vocabulary = vocabulary
    names = .builtIn
    for rule in rules {
      clauses[rule.id] = (
        rule.clauses.map { reading(of: $0, inAnyRow: rule.sameKind) },
        rule.unless.map { reading(of: $0, inAnyRow: false) }
      )
    }
  }

  private func reading(of clause: RuleClause, inAnyRow: Bool) -> ClauseReading {
    ClauseReading(
      clause: clause,
      selectors: clause.selectors.map { selector in
        ReferenceSelector((inAnyRow ? Self.freed(selector) : selector).description, superclasses: superclasses)
      },
      places: inAnyRow ? clause.eventIDs.compactMap(place) : [])
  }

  // MARK: - Events

  /// The contents of an event.
  struct Facts {
    var event: JSON
    var eventID: EventID?
    /// The event ID that the event itself names.
    var carriedEventID: EventID?
    var paths: [ElementPath] = []
    var page: JSON?
    var resolution = Decision.Resolution.none
  }

  func value(of reference: PropertyReference, in event: JSON) -> JSON? {
    switch reference {
    case .property(let name): event["properties"]?[name.text] ?? event["attributes"]?[name.text]
    case .pointer(let pointer): event.at(pointer.description)
    case .textsWithin: nil
    }
  }

  func value(of field: EventFields.Field, in event: JSON) -> JSON? {
    for place in fields.places(of: field) {
      if let value = value(of: place, in: event) { return value }
    }
    return nil
  }

  private func text(of field: EventFields.Field, in event: JSON) -> String? {
    if case .string(let text)? = value(of: field, in: event) { text } else { nil }
  }

  func facts(of event: JSON) -> Facts {
    var facts = Facts(event: event)
    for place in fields.places(of: .eventID) {
      guard facts.eventID == nil, case .string(let text)? = value(of: place, in: event) else { continue }
      facts.eventID = EventID(hexadecimal: text)
    }
    facts.carriedEventID = facts.eventID
    if let text = text(of: .path, in: event) {
      facts.paths = readings(of: text)
      switch facts.paths.count {
      case 0: facts.resolution = .unresolved
      case 1: facts.resolution = .path
      default: facts.resolution = .ambiguous
      }
      if facts.eventID == nil, let path = facts.paths.first { facts.eventID = eventID(path, event) }
    }
    facts.page = value(of: .page, in: event)
    if !facts.paths.isEmpty, facts.page == nil, let id = facts.carriedEventID, let page = dictionary[id]?.page {
      facts.page = .string(page)
    }
    if facts.paths.isEmpty, let eventID = facts.eventID {
      facts.resolution = .unresolved
      if let entry = dictionary[eventID] {
        facts.resolution = .dictionary
        facts.paths = [entry.path]
        if facts.page == nil { facts.page = entry.page.map { .string($0) } }
      }
    }
    return facts
  }

  private func eventID(_ path: ElementPath, _ event: JSON) -> EventID {
    var identity = "path(" + path.components.map(Self.written).joined(separator: "_") + ")"
    var actionPart = ""
    var actions = text(of: .actions, in: event)
    if case .list(let items)? = value(of: .actions, in: event) {
      actions = items.compactMap { if case .string(let text) = $0 { text } else { nil } }.joined(separator: ",")
    }
    if let actions {
      let list = actions.unicodeScalars.split { ", \t\n\r".unicodeScalars.contains($0) }.map { String($0) }
      actionPart = list.isEmpty ? "" : "&actions(" + list.joined(separator: ",") + ")"
    }
    let message = text(of: .alertMessage, in: event)
    let title = text(of: .alertTitle, in: event)
    let controller = message == nil && title == nil ? text(of: .page, in: event) : "UIAlertController"
    if !actionPart.isEmpty {
      identity += actionPart
    } else if let controller {
      identity += "&controller(" + controller + ")"
    }
    if let message { identity += "&message(" + message + ")" }
    if let title { identity += "&title(" + title + ")" }
    return EventID(identity: identity)
  }

  private static func written(_ component: PathComponent) -> String {
    let fields = component.locator.fields.map { $0.name.isEmpty ? "\($0.value)" : "\($0.name):\($0.value)" }
    return component.className + (fields.isEmpty ? "" : "(" + fields.joined(separator: " ") + ")")
  }

  // MARK: - Paths

  /// All paths that a text may stand for; none if it is no path.
  func readings(of text: String) -> [ElementPath] {
    if text.unicodeScalars.contains("/") {
      var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      if parts.first == "" { parts.removeFirst() }
      let components = parts.compactMap(Self.component)
      return components.count == parts.count && !parts.isEmpty ? [ElementPath(components)] : []
    }
    // The underscores between components that end in a locator are certain.
    var segments: [[[PathComponent]]] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      guard let close = rest.firstIndex(of: ")") else {
        segments.append(splits(of: String(rest), .none))
        break
      }
      let next = rest.index(after: close)
      guard let component = Self.component(String(rest[..<next])), next == rest.endIndex || rest[next] == "_" else {
        return []
      }
      segments.append(splits(of: component.className, component.locator))
      rest = rest[next...]
      if !rest.isEmpty {
        rest.removeFirst()
        if rest.isEmpty { return [] }
      }
    }
    var paths: [[PathComponent]] = [[]]
    for segment in segments { paths = paths.flatMap { path in segment.map { path + $0 } } }
    return segments.isEmpty ? [] : paths.map { ElementPath($0) }
  }

  /// The ways to take a text for class names with underscores between them, only those of known names if there are any.
  private func splits(of text: String, _ locator: Locator) -> [[PathComponent]] {
    func all(_ rest: Substring) -> [[String]] {
      var result = rest.isEmpty ? [] : [[String(rest)]]
      for i in rest.indices where rest[i] == "_" && i > rest.startIndex {
        result += all(rest[rest.index(after: i)...]).map { [String(rest[..<i])] + $0 }
      }
      return result
    }
    let splits = all(Substring(text))
    let known = splits.filter { $0.allSatisfy { vocabulary.contains(UTF8String($0)) || names.contains($0) } }
    return (splits.count > 1 && !known.isEmpty ? known : splits).map { names in
      names.enumerated().map { PathComponent($1, $0 == names.count - 1 ? locator : .none) }
    }
  }

  private static func component(_ text: String) -> PathComponent? {
    var text = text
    guard !text.isEmpty else { return nil }
    guard text.last == ")", let open = text.lastIndex(of: "(") else {
      return text.first == "'" ? PathComponent(String(text.dropFirst().dropLast())) : PathComponent(text)
    }
    let inside = text[text.index(after: open)...].dropLast()
    text = String(text[..<open])
    if text.first == "'" { text = String(text.dropFirst().dropLast()) }
    let values = inside.split(separator: " ").map { word in
      let parts = word.split(separator: ":")
      return (name: parts.count == 2 ? String(parts[0]) : "", value: parts.last.flatMap { Int($0) })
    }
    guard !text.isEmpty, let first = values.first?.value else { return nil }
    switch values.map(\.name) {
    case [""]: return first >= 0 ? PathComponent(text, .index(first)) : nil
    case ["section", "row"]: return values[1].value.map { PathComponent(text, .row(section: first, row: $0)) }
    case ["section", "item"]: return values[1].value.map { PathComponent(text, .item(section: first, item: $0)) }
    case ["indexx", "indexy"]: return values[1].value.map { PathComponent(text, .position(x: first, y: $0)) }
    default: return nil
    }
  }

  // MARK: - Decisions

  func decide(_ event: JSON) -> Decision {
    let facts = facts(of: event)
    var decision = Decision()
    decision.eventID = facts.eventID
    decision.resolution = facts.resolution
    let matching = rules.filter { matches($0, facts) }
    decision.rules = matching.filter { $0.effect == .include }.map(\.id)
    decision.excludedBy = matching.filter { $0.effect == .exclude }.map(\.id)
    if case .string(let page)? = facts.page {
      let isView = ["$AppViewScreen", "$AppPageLeave", "da_screen"].contains(text(of: .event, in: event))
      let pages = excludedPages.filter {
        isClass(page, kindOf: $0.name.text) && isOf($0.app, event) && ($0.scope == .all || isView)
      }.map(\.name)
      decision.pages = Set(pages).sorted()
    }
    decision.isSelected =
      (track == .all || !decision.rules.isEmpty) && decision.excludedBy.isEmpty && decision.pages.isEmpty
    if decision.isSelected {
      decision.emit = Set(matching.flatMap { ([$0.emit] + $0.otherNames).map { UTF8String($0) } }).sorted()
    }
    return decision
  }

  private func isOf(_ app: UTF8String?, _ event: JSON) -> Bool {
    guard let app, let own = text(of: .app, in: event) else { return true }
    return UTF8String(own) == app
  }

  func matches(_ rule: SelectionRule, _ facts: Facts) -> Bool {
    guard rule.apps.isEmpty || rule.apps.contains(where: { isOf($0, facts.event) }) else { return false }
    if rule.from != nil || rule.to != nil {
      guard case .number(let text)? = value(of: .time, in: facts.event) else { return false }
      let time = ReferenceNumber(text)
      if let from = rule.from, time < ReferenceNumber("\(from)") { return false }
      // The whole of the last millisecond.
      if let to = rule.to, !(time < ReferenceNumber("\(to + 1)")) { return false }
    }
    if !rule.windows.isEmpty {
      guard case .number(let text)? = value(of: .time, in: facts.event) else { return false }
      let time = ReferenceNumber(text)
      let isInOne = rule.windows.contains { window in
        (window.from.map { !(time < ReferenceNumber("\($0)")) } ?? true)
          && (window.to.map { time < ReferenceNumber("\($0 + 1)") } ?? true)
      }
      if !isInOne { return false }
    }
    guard let clauses = clauses[rule.id] else { return false }
    return clauses.any.contains { holds($0, facts) } && !clauses.none.contains { holds($0, facts) }
  }

  private func holds(_ reading: ClauseReading, _ facts: Facts) -> Bool {
    let clause = reading.clause
    if let event = clause.event, !holds(event, value(of: .event, in: facts.event)) { return false }
    if let page = clause.page, !holds(page, facts.page) { return false }
    for test in clause.properties {
      var value = value(of: test.property, in: facts.event)
      if case .textsWithin(let selector) = test.property { value = texts(within: selector.text, facts) }
      if !holds(test.condition, value) { return false }
    }
    if !reading.selectors.isEmpty {
      guard reading.selectors.contains(where: { facts.paths.contains(where: $0.matches) }) else { return false }
    }
    if clause.eventIDs.isEmpty || clause.eventIDs.contains(where: { $0.eventID == facts.eventID }) { return true }
    return reading.places.contains { place in
      if clause.page == nil || place.isOnPage, let page = place.page {
        guard case .string(let own)? = facts.page, UTF8String(own) == UTF8String(page) else { return false }
      }
      func has(_ field: EventFields.Field, _ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return text(of: field, in: facts.event).map { UTF8String($0) == UTF8String(wanted) } ?? false
      }
      if let actions = place.actions {
        guard [",", " ", ", "].contains(where: { has(.actions, actions.joined(separator: $0)) }) else { return false }
      }
      guard has(.alertMessage, place.message), has(.alertTitle, place.title) else { return false }
      return facts.paths.contains { Self.freed($0) == Self.freed(place.path) }
    }
  }

  /// The texts in the innermost matching element around the event's element, tried on every part of its path.
  private func texts(within selector: String, _ facts: Facts) -> JSON? {
    guard case .string(let page)? = facts.page else { return nil }
    let selector = ReferenceSelector(selector, superclasses: superclasses)
    var found: Set<[String]> = []
    for path in facts.paths {
      let around = (1..<max(1, path.components.count)).map { ElementPath(Array(path.components.prefix($0))) }
      guard let innermost = around.last(where: { selector.matches($0) }) else {
        found.insert([])
        continue
      }
      found.insert(
        screenTexts.filter { text in
          UTF8String(text.page) == UTF8String(page)
            && Array(text.path.components.prefix(innermost.components.count)) == innermost.components
        }.compactMap(\.text))
    }
    guard found.count == 1, let texts = found.first, !texts.isEmpty else { return nil }
    return .list(texts.map { .string($0) })
  }

  /// The known facts about an element that a rule names.
  private func place(of reference: ElementReference) -> Kind? {
    // path(…) and the parts after it, which contain no parentheses in these tests.
    let parts = reference.identity?.text.split(separator: "&").map(String.init) ?? []
    func part(_ name: String) -> String? {
      parts.first { $0.hasPrefix(name + "(") }.map { String($0.dropFirst(name.count + 1).dropLast()) }
    }
    var kind: Kind
    if let entry = dictionary[reference.eventID] {
      kind = Kind(path: entry.path, page: entry.page)
      if reference.identity == nil, let page = entry.page {
        let path = entry.path.components.map(Self.written).joined(separator: "_")
        kind.isOnPage = EventID(identity: "path(\(path))&controller(\(page))") == reference.eventID
      }
    } else {
      guard let path = part("path") else { return nil }
      let readings = readings(of: path)
      guard readings.count == 1 else { return nil }
      kind = Kind(path: readings[0])
    }
    kind.actions = part("actions")?.split(separator: ",").map(String.init)
    (kind.message, kind.title) = (part("message"), part("title"))
    if kind.message == nil, kind.title == nil, let controller = part("controller") {
      (kind.page, kind.isOnPage) = (controller, true)
    }
    return kind
  }

  /// The path with no section and row in its innermost cell.
  private static func freed(_ path: ElementPath) -> ElementPath {
    var result = path
    for i in path.components.indices.reversed() {
      switch path.components[i].locator {
      case .row: result.components[i].locator = .row(section: -1, row: -1)
      case .item: result.components[i].locator = .item(section: -1, item: -1)
      default: continue
      }
      break
    }
    return result
  }

  private static func freed(_ selector: ElementSelector) -> ElementSelector {
    var result = selector
    for i in selector.steps.indices.reversed() {
      guard case .component(let pattern, .fields(var tests)?) = selector.steps[i] else { continue }
      guard tests.contains(where: { $0.field == .row || $0.field == .item }) else { continue }
      for test in tests.indices { tests[test].test = .any }
      result.steps[i] = .component(pattern, .fields(tests))
      break
    }
    return result
  }
}
