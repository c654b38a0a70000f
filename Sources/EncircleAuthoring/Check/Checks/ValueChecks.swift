import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Reports tests of values that never occur, and tests of a type that the property never has.
struct ValueChecks {
  /// A test with all that is needed to report it.
  struct Tested {
    let rule: SelectionRule
    let part: RuleSource.Part
    let property: PropertyReference
    let condition: Condition
    let leaf: ConditionLeaf
    let source: RuleSource.ConditionSource?
    /// The condition on the page beside it.
    let page: Condition?

    /// Returns whether the clause may match on a page.
    func mayBeOn(_ name: UTF8String) -> Bool { page.map { ConditionProbe($0).holds(.string(name.text)) } ?? true }

    /// This is true if a comparison of numbers stands before this test.
    var hasEarlierComparison: Bool {
      condition.leaves.prefix(leaf.index).contains { if case .number = $0.test { true } else { false } }
    }

    /// The place of the value.
    var value: RuleSource.ConditionSource.Value? {
      source.flatMap { leaf.index < $0.values.count ? $0.values[leaf.index] : nil }
    }
  }

  /// The known kinds of properties, by their values.
  enum Kind {
    /// Texts that people read; captures show only some of them.
    case shown
    /// Names that developers have given.
    case actions, types
    /// Versions.
    case versions
    /// Identifiers, places and the like.
    case endless
    case other
  }

  /// A test with the values that its property has.
  struct Subject {
    let tested: Tested
    let column: KnownValues.Column
    let kind: Kind
  }

  private let values: KnownValues
  /// All texts, titles and messages of elements.
  var shownTexts: Set<UTF8String> { values.shownTexts }
  private let names: KnownNames
  private let fields: EventFields
  private var nearest: [PropertyReference: NearestValues] = [:]
  // The number of texts that may still be compared.
  private var comparisons = 20_000_000

  init(_ values: KnownValues, _ names: KnownNames, _ fields: EventFields) {
    self.values = values
    self.names = names
    self.fields = fields
  }

  /// Checks all tests of properties.
  mutating func check(_ list: inout FindingList) {
    for rule in list.rules.ruleSet.rules where rule.isEnabled {
      let source = list.rules.sources[rule.id]
      for (section, i, clause) in rule.numberedClauses {
        let isTap = clause.event.map { Self.holdsForTaps($0) } ?? true
        for (j, test) in clause.properties.enumerated() {
          let part = RuleSource.Part.property(section, i, j)
          let places = source?.condition(part)
          checkItems(test, rule, part, isTap: isTap, &list)
          checkPointer(test, rule, part, &list)
          for leaf in test.condition.leaves {
            let tested = Tested(
              rule: rule, part: part, property: test.property, condition: test.condition, leaf: leaf, source: places,
              page: clause.page)
            check(tested, isTap: isTap, &list)
          }
        }
      }
    }
  }

  /// Returns whether a condition on the event's name holds for taps, the events whose properties captures supply.
  private static func holdsForTaps(_ condition: Condition) -> Bool {
    let probe = ConditionProbe(condition)
    return (["$AppClick"] + TrackingType.allCases.map(\.rawValue)).contains { probe.holds(.string($0)) }
  }

  /// Reports a place where no event has a value, if its last part is the name of a property. Places in which the rules expect a
  /// field are not reported.
  private func checkPointer(
    _ test: PropertyTest, _ rule: SelectionRule, _ part: RuleSource.Part, _ list: inout FindingList
  ) {
    guard names.hasEvents, values(of: test.property).count == 0, !ConditionProbe(test.condition).holds(nil),
      case .pointer = test.property, !fields.references.values.contains(where: { $0.contains(test.property) })
    else { return }
    let text = test.property.description
    let last = text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }).last
    guard let name = last.map({ UTF8String(String(Substring($0))) }), names.observedProperties.contains(name) else {
      return
    }
    list.add(
      .unknownProperty, rule, part,
      "no event has anything at \(text), which is a place from the root of an event; "
        + "a name without '/' is one of its properties",
      suggestion: name.text, replacement: name.text)
  }

  private mutating func check(_ tested: Tested, isTap: Bool, _ list: inout FindingList) {
    if checkApp(tested, &list) { return }
    let kind = kind(of: tested.property)
    let column = values(of: tested.property, isTap: isTap)
    if checkPattern(tested, column, kind, &list) { return }
    if checkType(tested, column, kind, &list) { return }
    if checkDefined(tested, column, &list) || checkMissing(tested, column, &list) { return }
    if checkHyphen(tested, &list) || checkSeconds(tested, &list) || checkFlag(tested, column, &list) { return }
    guard column.textCount > 0, !column.isOpen, comparisons > 0 else { return }
    let subject = Subject(tested: tested, column: column, kind: kind)
    switch tested.leaf.test {
    case .value(.string(let text), _, _) where checkPartialVersion(text, subject, &list): return
    case .matches(let expression): checkExpression(expression, subject, &list)
    case .value(.string(let text), let fold, let all): checkText(text.text, fold, all, subject, &list)
    case .text(let test, let text, let fold): checkPart(test, text.text, fold, subject, &list)
    case .version:
      let texts = column.texts.keys.sorted()
      guard !texts.contains(where: { VersionNumber($0.text) != nil }), let first = texts.first else { return }
      list.add(
        .wrongType, tested,
        "\(tested.property) is never a version in \(column.source), but a text such as \"\(first)\"")
    default: return
    }
  }

  /// Returns the known values of a property, in taps or in other events.
  func values(of property: PropertyReference, isTap: Bool = true) -> KnownValues.Column {
    // The values of elements in captures say nothing about other events.
    guard let column = values.columns[property], isTap || column.eventCount > 0 else { return KnownValues.Column() }
    return column
  }

  /// Returns whether a property is a text wherever it comes from.
  func isText(_ property: PropertyReference) -> Bool {
    switch kind(of: property) {
    case .shown, .actions, .types, .versions: true
    case .endless, .other: false
    }
  }

  private func kind(of property: PropertyReference) -> Kind {
    func isOne(of fields: [EventFields.Field]) -> Bool {
      fields.contains { self.fields.places(of: $0).contains(property) }
    }
    if isOne(of: [.content, .title, .alertTitle, .alertMessage]) { return .shown }
    if isOne(of: [.actions]) { return .actions }
    if isOne(of: [.type]) { return .types }
    if isOne(of: [.appVersion]) { return .versions }
    if isOne(of: [.distinctID, .eventID, .path, .position, .pathIndexes, .time]) { return .endless }
    if case .property(let name) = property, Self.versionProperties.contains(name) { return .versions }
    return .other
  }

  private static let versionProperties: Set<UTF8String> = [
    "$app_version", "$os_version", "$lib_version", "$browser_version",
  ]

  // MARK: - App

  /// Reports a test for another app than the file is for.
  private func checkApp(_ tested: Tested, _ list: inout FindingList) -> Bool {
    let apps = tested.rule.apps
    guard let app = apps.first, fields.places(of: .app).contains(tested.property), !tested.leaf.isNegated,
      case .value(.string(let text), let fold, let all) = tested.leaf.test, !fold, !apps.contains(text)
    else { return false }
    let names = apps.contains { all.contains(.string($0)) }
    list.add(
      .unknownValue, tested,
      "the rules of this file are for events of \(apps.map(\.text).joined(separator: " or ")), so \(tested.property) is never \"\(text)\" where they apply",
      suggestion: names ? nil : app.text, replacement: names ? nil : app.text)
    return true
  }

  // MARK: - Patterns

  /// Reports a text that looks like a pattern but is compared literally.
  private func checkPattern(
    _ tested: Tested, _ column: KnownValues.Column, _ kind: Kind, _ list: inout FindingList
  ) -> Bool {
    guard case .value(.string(let text), let fold, _) = tested.leaf.test, kind != .endless,
      column.texts[UTF8String(text.text)] == nil, !values.shownTexts.contains(text),
      let pattern = PatternText(value: text.text, isVersion: kind == .versions)
    else { return false }
    switch pattern.kind {
    // Texts for people may begin with > or contain a *.
    case .comparisons:
      guard kind != .shown, kind == .versions || column.textCount == 0 || column.numberCount > 0 else { return false }
    case .glob, .expression:
      guard kind == .versions || column.texts.keys.contains(where: { pattern.matches($0.text, fold: fold) }) else {
        return false
      }
    case .alternatives(let texts):
      guard texts.allSatisfy({ column.texts[UTF8String($0)] != nil }) else { return false }
    case .negation(let rest):
      guard column.texts[UTF8String(rest)] != nil || values.shownTexts.contains(UTF8String(rest)) else { return false }
    case .kind: return false
    }
    list.add(pattern, text.text, tested.property.description, tested)
    return true
  }

  // MARK: - Texts

  private mutating func checkText(
    _ text: String, _ fold: Bool, _ all: [Scalar], _ subject: Subject, _ list: inout FindingList
  ) {
    let (column, kind) = (subject.column, subject.kind)
    guard kind != .endless, column.texts[UTF8String(text)] == nil else { return }
    if kind == .shown, values.shownTexts.contains(UTF8String(text)) { return }
    let known = nearest(subject.tested.property, column)
    let hasDigits = text.utf8.contains(where: isDigit)
    if hasDigits, known.hasWithOtherNumbers(text) { return }
    func isAsked(_ other: String) -> Bool { all.contains(.string(UTF8String(other))) }
    if let match = known.variant(of: text) {
      comparisons -= all.count
      // The rule ignores case, so to it both are the same text.
      if fold, match.text.lowercased().hasSameBytes(as: text.lowercased()) { return }
      if !isAsked(match.text) { report(text, match, subject, nil, &list) }
      return
    }
    if kind == .types, names.classes.contains(UTF8String(text)) || TrackingType(rawValue: text) != nil { return }
    if kind == .actions, isKnown(actions: text, column) { return }
    comparisons -= 8 * column.texts.count + all.count
    let isNamed = kind == .actions || kind == .types
    // A few frequent values are taken for all the values that there are.
    let isClosed = isNamed || (kind == .other && column.texts.count <= 20 && column.textCount >= 3 * column.texts.count)
    if let match = known.nearest(to: text, isOpen: !isClosed) {
      if !isAsked(match.text) { report(text, match, subject, isClosed ? nil : .note, &list) }
      return
    }
    if kind == .shown, !subject.tested.leaf.isNegated, !all.contains(where: { isAmong($0, column) }),
      let match = known.onlyNeighbour(
        of: text, counts: { column.pagesOfShortTexts[$0]?.contains(where: subject.tested.mayBeOn) ?? false })
    {
      report(text, match, subject, .note, &list, isGuess: true)
      return
    }
    guard !subject.tested.leaf.isNegated, isClosed, !all.contains(where: { isAmong($0, column) }) else { return }
    if isNamed {
      if column.captureCount > 0 { report(text, known.containing(text), subject, nil, &list) }
    } else if column.textCount >= max(10, 5 * column.texts.count) {
      report(text, nil, subject, .note, &list)
    }
  }

  private func isAmong(_ value: Scalar, _ column: KnownValues.Column) -> Bool {
    if case .string(let text) = value { column.texts[text] != nil } else { false }
  }

  /// Returns whether each action of the list occurs on a control of the captures, and no known value of the property contains all
  /// of them.
  private func isKnown(actions: String, _ column: KnownValues.Column) -> Bool {
    let parts = actions.utf8.split(separator: UInt8(ascii: ",")).map { UTF8String(String(Substring($0))) }
    guard !parts.isEmpty, parts.allSatisfy({ names.actions.contains($0) }) else { return false }
    return !column.texts.keys.contains { known in
      let all = Set(known.text.utf8.split(separator: UInt8(ascii: ",")).map { UTF8String(String(Substring($0))) })
      return all.isSuperset(of: parts)
    }
  }

  /// Checks a text that values should begin with, end with or contain.
  private mutating func checkPart(
    _ test: Condition.TextTest, _ text: String, _ fold: Bool, _ subject: Subject, _ list: inout FindingList
  ) {
    let (column, kind) = (subject.column, subject.kind)
    guard kind != .endless, kind != .versions else { return }
    comparisons -= column.texts.count + (kind == .shown ? values.shownTexts.count : 0)
    func passes(_ part: String) -> (UTF8String) -> Bool {
      let probe = ConditionProbe(.text(test, UTF8String(part), fold: fold))
      return { probe.holds(.string($0.text)) }
    }
    let passes = passes(text)
    if column.texts.keys.contains(where: passes) || (kind == .shown && values.shownTexts.contains(where: passes)) {
      return
    }
    let known = nearest(subject.tested.property, column)
    comparisons -= known.size / 8
    let match: NearestValues.Match?
    if test == .glob, reportQuestionMark(text, fold, subject, &list) { return }
    if reportSigns(test, text, fold, subject, &list) { return }
    if test == .glob {
      let plain = TextVariants.plain(text)
      let passing = column.texts.filter { key, _ in
        ConditionProbe(.text(test, UTF8String(plain), fold: fold)).holds(.string(key.text))
      }
      let count = passing.values.reduce(0, +)
      match = count == 0 ? nil : NearestValues.Match(text: plain, count: count)
    } else {
      match =
        known.part(like: text) { whole, part in
          ConditionProbe(.text(test, UTF8String(part), fold: false)).holds(.string(whole))
        } ?? nearestName(to: text, column, kind)
    }
    if let match { report(text, match, subject, nil, &list, passing: test) }
  }

  /// Returns the nearest single action, or type.
  private func nearestName(to text: String, _ column: KnownValues.Column, _ kind: Kind) -> NearestValues.Match? {
    guard kind == .actions || kind == .types else { return nil }
    var parts: [UTF8String: Int] = [:]
    for (known, count) in column.texts {
      for part in known.text.utf8.split(separator: UInt8(ascii: ",")) {
        parts[UTF8String(String(Substring(part))), default: 0] += count
      }
    }
    return NearestValues(parts).nearest(to: text, isOpen: false)
  }

  private mutating func nearest(_ property: PropertyReference, _ column: KnownValues.Column) -> NearestValues {
    if let known = nearest[property] { return known }
    let made = NearestValues(column.texts)
    nearest[property] = made
    return made
  }

  private func report(
    _ text: String, _ match: NearestValues.Match?, _ subject: Subject, _ severity: Severity?,
    _ list: inout FindingList, passing test: Condition.TextTest? = nil, isGuess: Bool = false
  ) {
    let does =
      switch test {
      case nil: "is never \"\(text)\""
      case .prefix?: "never begins with \"\(text)\""
      case .suffix?: "never ends with \"\(text)\""
      case .contains?: "never contains \"\(text)\""
      case .glob?: "never has the form \"\(text)\""
      }
    let seen = match.map { "; \"\($0.text)\" occurs \($0.count == 1 ? "once" : "\($0.count) times")" }
    let texts = subject.column.texts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    let others = texts.prefix(3).map { "\"\($0.key)\" (\($0.value))" }.joined(separator: ", ")
    list.add(
      .unknownValue, subject.tested,
      "\(subject.tested.property) \(does) in \(subject.column.source)"
        + (seen ?? ", but \(others)" + (texts.count > 3 ? " and others" : "")),
      severity: severity, suggestion: match?.text, replacement: match?.text, isGuess: isGuess)
  }
}

extension FindingList {
  /// Returns the place of a tested value, possibly in a definition of another file, or else of its part.
  func place(of tested: ValueChecks.Tested) -> RuleSource.Place? {
    tested.value?.place ?? rules.sources[tested.rule.id]?[tested.part]
  }

  /// Adds a finding about a test of a value, with its place.
  ///
  /// - Parameter replacement: The text to write in place of the value.
  mutating func add(
    _ code: CheckCode, _ tested: ValueChecks.Tested, _ message: String, severity: Severity? = nil,
    suggestion: String? = nil, replacement: String? = nil, edit: Finding.Edit? = nil, isGuess: Bool = false
  ) {
    let place = tested.value?.place
    let own = replacement.flatMap { self.edit(place, spelled($0, at: place)) }
    add(
      code, tested.rule, tested.part, message, severity: severity, suggestion: suggestion, edit: edit ?? own,
      isGuess: isGuess
    ) { _ in
      place
    }
  }
}
