import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Reads the properties that rules give a selected event. Only a ``Decider`` whose matcher has rules with properties uses it.
struct PropertyReader {
  /// The value of a property, or the reason why it has none.
  enum Outcome: Hashable, Sendable {
    case value(Scalar)
    case missing(Reason)
  }

  /// The reason why a property has no value.
  enum Reason: String, Hashable, Sendable {
    case noProperty = "the event does not have it"
    case noValue = "the event has a list, an object or null there"
    case noElement = "the event names no element whose path is known"
    case noNumber = "the path does not contain it"
    case readingsDiffer = "it differs between the readings of the path"
    case noPage = "the page is not known"
    case noCapture = "no capture of the page has a text in such an element"
    case capturesDiffer = "captures have different texts there"
    case noText = "the value is not a text"
    case noMatch = "the expression does not match"
    case noNumberInText = "the text contains no number"
  }

  /// The element from which the search for another element starts.
  private struct Query: Hashable {
    let rule: Int
    let property: Int
    let page: UTF8String
    let path: ElementPath
  }

  private let rules: [Int: [RuleProperty]]
  private let numbers: [PropertyReference: Int]
  // One for each part of a matcher with several styles; `starts` has the number of each part's first rule.
  private let screens: [ScreenReader]
  private let starts: [Int]
  // Cached outcomes; the cache is emptied when it is full.
  private var known: [Query: Outcome] = [:]
  private static let maximumKnown = 10_000

  init(_ matcher: Matcher) {
    var rules: [Int: [RuleProperty]] = [:]
    var numbers: [PropertyReference: Int] = [:]
    for (start, shared) in zip(matcher.ruleStarts, matcher.programs) {
      for (rule, list) in shared.program.pointee.rules.properties {
        rules[start + rule] = list
        for reference in list.flatMap(\.references) { numbers[reference] = matcher.properties.find(reference) }
      }
    }
    self.rules = rules
    self.numbers = numbers
    screens = (matcher.styles?.parts ?? [matcher]).map {
      ScreenReader(texts: $0.dictionary.screenTexts, hierarchy: $0.hierarchy)
    }
    starts = matcher.styles?.ruleStarts ?? [0]
  }

  /// Reads the properties of a rule that matches the event that was matched last.
  ///
  /// - Complexity: O(1) for each property of the event; for one of another element O(elements of the page) the first time.
  mutating func outcomes(
    ofRule rule: Int, _ event: UnsafePointer<ProjectedEvent>, _ engine: inout EventMatcher
  ) -> [(property: RuleProperty, outcome: Outcome)] {
    guard let list = rules[rule] else { return [] }
    var place: (page: UTF8String?, paths: [ElementPath], known: [ElementPath])?
    var outcomes: [(property: RuleProperty, outcome: Outcome)] = []
    for (number, property) in list.enumerated() {
      var outcome: Outcome
      switch property.source {
      case .constant(let value): outcome = Self.brought(value, property)
      case .property(let reference): outcome = own(reference, property, event, &engine)
      case .path(let wanted):
        let known = place ?? engine.pageAndReadings(of: event)
        place = known
        outcome = Self.number(wanted, in: known.paths)
      case .element(let selector):
        // The SDK has already applied the expression to its value.
        var extracted = property
        extracted.expression = nil
        outcome = own(.property(property.name), extracted, event, &engine)
        if case .value = outcome { break }
        let known = place ?? engine.pageAndReadings(of: event)
        place = known
        outcome = find(selector, rule, number, property, known)
      }
      outcomes.append((property, outcome))
    }
    return outcomes
  }

  /// Returns the values of the properties of rules, in their order.
  mutating func values(
    ofRules numbers: [Int], _ matcher: Matcher, _ event: UnsafePointer<ProjectedEvent>, _ engine: inout EventMatcher
  ) -> [RulePropertyValues] {
    numbers.compactMap { rule in
      let values = outcomes(ofRule: rule, event, &engine).compactMap { property, outcome -> PropertyValue? in
        guard case .value(let value) = outcome else { return nil }
        return PropertyValue(name: property.name, value: value)
      }
      return values.isEmpty ? nil : RulePropertyValues(rule: matcher.ruleID(rule), values: values)
    }
  }

  private func own(
    _ reference: PropertyReference, _ property: RuleProperty, _ event: UnsafePointer<ProjectedEvent>,
    _ engine: inout EventMatcher
  ) -> Outcome {
    guard let number = numbers[reference] else { return .missing(.noProperty) }
    return switch engine.value(number, of: event) {
    case .none: .missing(.noProperty)
    case .some(.null): .missing(.noValue)
    case .some(let value): Self.brought(value, property)
    }
  }

  static func brought(_ value: Scalar, _ property: RuleProperty) -> Outcome {
    if let value = property.value(of: value) { return .value(value) }
    guard case .string = value else { return .missing(.noText) }
    guard property.expression != nil else { return .missing(.noNumberInText) }
    var untyped = property
    untyped.type = nil
    return .missing(untyped.value(of: value) == nil ? .noMatch : .noNumberInText)
  }

  static func number(_ wanted: RuleProperty.PathNumber, in paths: [ElementPath]) -> Outcome {
    guard let first = paths.first else { return .missing(.noElement) }
    // All readings have the same numbers, except that in Android styles a number can be read as a row or as an index. In those styles,
    // the first reading has a row only if it is certain, and another reading has the index.
    let number = wanted == .index ? paths.lazy.compactMap { $0.number(wanted) }.first : first.number(wanted)
    return number.map { .value(.number(DecimalNumber($0))) } ?? .missing(.noNumber)
  }

  /// Finds the element that a selector selects relative to the event's element, and returns its text.
  private mutating func find(
    _ selector: RelativeSelector, _ rule: Int, _ number: Int, _ property: RuleProperty,
    _ place: (page: UTF8String?, paths: [ElementPath], known: [ElementPath])
  ) -> Outcome {
    guard !place.known.isEmpty else { return .missing(.noElement) }
    guard let page = place.page else { return .missing(.noPage) }
    let screens = screens[(starts.prefix(screens.count).lastIndex { $0 <= rule }) ?? 0]
    var found: Outcome?
    for path in place.known {
      let query = Query(rule: rule, property: number, page: page, path: path)
      let outcome = known[query] ?? screens.outcome(selector, property, page: page, path: path)
      if known.count >= Self.maximumKnown { known.removeAll(keepingCapacity: true) }
      known[query] = outcome
      if let other = found, other != outcome { return .missing(.readingsDiffer) }
      found = outcome
    }
    return found ?? .missing(.noElement)
  }
}

/// Finds the texts of captures from which properties are read.
struct ScreenReader {
  let texts: ScreenTexts
  let hierarchy: ClassHierarchy

  /// Reads a property off another element of a page.
  ///
  /// - Complexity: O(elements of the page), and O(depth) where the selector leaves nothing open.
  func outcome(
    _ selector: RelativeSelector, _ property: RuleProperty, page: UTF8String, path: ElementPath
  ) -> PropertyReader.Outcome {
    guard let entry = entry(selector, page, path) else { return .missing(.noCapture) }
    guard let text = entry.text else { return .missing(.capturesDiffer) }
    return PropertyReader.brought(.string(UTF8String(text)), property)
  }

  private func entry(_ selector: RelativeSelector, _ page: UTF8String, _ path: ElementPath) -> ScreenTexts.Entry? {
    if let exact = selector.exactPaths(from: path) {
      return exact.lazy.compactMap { texts.entry(page: page, path: $0) }.first
    }
    var nearest: (entry: ScreenTexts.Entry, common: Int)?
    for entry in texts[page] where selector.matches(entry.path, from: path, hierarchy: hierarchy) {
      let common = RelativeSelector.commonLength(entry.path, path)
      if nearest.map({ common > $0.common }) ?? true { nearest = (entry, common) }
    }
    return nearest?.entry
  }
}

extension RuleProperty {
  /// Returns the reason why events of the element never get the property, as far as the element and captures determine it; nil if
  /// they get it or may get it.
  ///
  /// - Complexity: As for ``ScreenReader/outcome(_:_:page:path:)``.
  package func problem(
    at path: ElementPath, page: UTF8String?, _ dictionary: ElementDictionary, _ hierarchy: ClassHierarchy
  ) -> String? {
    let outcome: PropertyReader.Outcome
    switch source {
    case .constant, .property: return nil
    case .path(let number): outcome = PropertyReader.number(number, in: [path])
    case .element(let selector):
      guard let page else { return PropertyReader.Reason.noPage.rawValue }
      outcome = ScreenReader(texts: dictionary.screenTexts, hierarchy: hierarchy).outcome(
        selector, self, page: page, path: path)
    }
    return if case .missing(let reason) = outcome { reason.rawValue } else { nil }
  }
}

extension ElementPath {
  /// Returns a number in the path; nil if it does not say it.
  fileprivate func number(_ wanted: RuleProperty.PathNumber) -> Int? {
    if wanted == .index {
      guard case .index(let index)? = components.last?.locator, index >= 0 else { return nil }
      return index
    }
    for component in components.reversed() {
      switch component.locator {
      case .row(let section, let row), .item(let section, let row):
        let number = wanted == .row ? row : section
        return number >= 0 ? number : nil
      default: continue
      }
    }
    return nil
  }
}
