import EncircleIdentity
import EncircleText

extension SelectionRule {
  /// Replaces the selectors with those that they stand for in a style; see ``ElementSelector/read(in:)``. In style
  /// `posthog`, the classes of controllers that tests of the page name are replaced with the names of their screens.
  package mutating func readSelectors(in style: PathStyleName) {
    func read(_ clause: RuleClause) -> RuleClause {
      var clause = clause
      let style = clause.readingStyle(style)
      guard let style else { return clause }
      clause.selectors = clause.selectors.flatMap { $0.read(in: style) }
      clause.page = clause.page?.readPage(in: style)
      return clause
    }
    clauses = clauses.map(read)
    unless = unless.map(read)
    for i in properties.indices {
      guard case .element(var selector) = properties[i].source else { continue }
      selector.read(in: style)
      properties[i].source = .element(selector)
    }
  }
}

extension RuleClause {
  /// Returns the style for reading the clause; nil if the clause is for events of any style.
  ///
  /// - Parameter common: The style of the rule set.
  package func readingStyle(_ common: PathStyleName) -> PathStyleName? {
    switch style {
    case .unstated: common
    case .any: nil
    case .only(let own): own
    }
  }
}

extension Condition {
  /// The test with the names of screens in place of controllers' classes.
  fileprivate var ofPostHogScreens: Condition {
    switch self {
    case .all(let conditions): .all(conditions.map(\.ofPostHogScreens))
    case .any(let conditions): .any(conditions.map(\.ofPostHogScreens))
    case .not(let condition): .not(condition.ofPostHogScreens)
    case .isOneOf(let values, let fold):
      .isOneOf(
        values.flatMap { value -> [Scalar] in
          guard case .string(let name) = value else { return [value] }
          return Self.screens(name).map { .string($0) }
        }, fold: fold)
    case .kindOf(let names): .kindOf(names.flatMap { name in [name] + Self.screens(name).filter { $0 != name } })
    default: self
    }
  }

  /// Returns the screens that a name may stand for. A name without `ViewController` may be the name of a screen itself.
  private static func screens(_ name: UTF8String) -> [UTF8String] {
    let screen = UTF8String(PathStyleName.postHogScreen(ofController: name.text))
    guard !screen.text.isEmpty, screen != name else { return [name] }
    let isClass = name.text.containsBytes(of: "ViewController") || name.text.beginsWithBytes(of: "_Tt")
    return isClass ? [screen] : [name, screen]
  }

  /// The test as the styles for web pages read it, where pages are paths: `*` stands for any characters except `/`, and `**` for any
  /// characters at all.
  private var ofPagePaths: Condition {
    switch self {
    case .all(let conditions): return .all(conditions.map(\.ofPagePaths))
    case .any(let conditions): return .any(conditions.map(\.ofPagePaths))
    case .not(let condition): return .not(condition.ofPagePaths)
    case .isOneOf(let values, let fold):
      var plain: [Scalar] = []
      var patterns: [Condition] = []
      for value in values {
        guard case .string(let name) = value else {
          plain.append(value)
          continue
        }
        let isPattern = name.text.utf8.contains(UInt8(ascii: "*"))
        for form in Self.pageForms(of: name) {
          if isPattern, let pattern = Self.pagePattern(form.text, fold: fold) {
            patterns.append(.matches(pattern))
          } else {
            plain.append(.string(form))
          }
        }
      }
      if patterns.isEmpty { return .isOneOf(plain, fold: fold) }
      return .any((plain.isEmpty ? [] : [.isOneOf(plain, fold: fold)]) + patterns)
    case .text(let test, let text, let fold):
      let forms = Self.pageForms(of: text).map { Condition.text(test, $0, fold: fold) }
      return forms.count == 1 ? forms[0] : .any(forms)
    default: return self
    }
  }

  /// Returns a path as it is written and, if it has escapes, without them, as the paths of events are compared.
  private static func pageForms(of path: UTF8String) -> [UTF8String] {
    let decoded = UTF8String(WebAddress.decoded(path.text))
    return decoded == path ? [path] : [path, decoded]
  }

  /// Returns the expression for a path with stars; nil if it is too long for one.
  package static func pagePattern(_ path: String, fold: Bool) -> RegularExpression? {
    var pattern = fold ? "(?i)^" : "^"
    var stars = 0
    func end() -> String { stars == 0 ? "" : stars == 1 ? "[^/]*" : ".*" }
    for scalar in path.unicodeScalars {
      if scalar == "*" {
        stars += 1
        continue
      }
      pattern += end()
      stars = 0
      if "\\.+?()|[]{}^$".unicodeScalars.contains(scalar) { pattern += "\\" }
      pattern.unicodeScalars.append(scalar)
    }
    return try? RegularExpression(pattern + end() + "$")
  }

  /// Returns the test that this test on a page stands for in a style. In `sensors-android` the page of a fragment is
  /// `Activity|Fragment`, and a name without `|` may be either part; in the styles of GrowingIO a name may begin with a slash, as in
  /// events; in `posthog` it is the name of the screen.
  package func readPage(in style: PathStyleName) -> Condition {
    if style == .postHog { return ofPostHogScreens }
    if style.isWeb { return ofPagePaths }
    guard style == .sensorsAndroid || style.hasIndexList else { return self }
    switch self {
    case .all(let conditions): return .all(conditions.map { $0.readPage(in: style) })
    case .any(let conditions): return .any(conditions.map { $0.readPage(in: style) })
    case .not(let condition): return .not(condition.readPage(in: style))
    case .isOneOf(let values, let fold):
      if style.hasIndexList {
        let names = values.map { value -> Scalar in
          guard case .string(let name) = value else { return value }
          return .string(UTF8String(style.page(ofEvent: name.text)))
        }
        return .isOneOf(names, fold: fold)
      }
      var others: [Condition] = []
      for case .string(let name) in values where !name.text.utf8.contains(UInt8(ascii: "|")) {
        others += [
          .text(.prefix, UTF8String(name.text + "|"), fold: fold),
          .text(.suffix, UTF8String("|" + name.text), fold: fold),
        ]
      }
      let own = Condition.isOneOf(values, fold: fold)
      return others.isEmpty ? own : .any([own] + others)
    case .text(let test, let start, let fold)
    where style.hasIndexList && (test == .prefix || test == .glob) && start.text.utf8.count > 1:
      return .text(test, UTF8String(style.page(ofEvent: start.text)), fold: fold)
    case .text, .matches, .exists, .number, .version, .kindOf, .items, .numberInText, .sample: return self
    }
  }
}

extension ElementSelector {
  /// Returns the selectors that this one stands for if its steps are written as a style writes components.
  ///
  /// The `sensors` styles write `Class[3]`, `Class[-]`, `Class[0][3]` and `Class[0][-]`, where `-` is any index or row;
  /// `sensors-android` writes `Class[3]`, `Class[-]` and `ELVC[1:0]`, `hubbledata-android` `Class[3]`, `Class[0]#id` and, in
  /// expandable lists, `Class[group:1]` and `Class[group:1,child:2]`; `growingio` writes `Section/Class` for a cell, as in an
  /// `xpath`. The number of a cell may be a row or an item, so there is a selector for each possibility, also for nested lists.
  package func read(in style: PathStyleName) -> [ElementSelector] {
    switch style {
    case .hubbleData, .lede, .postHog, .growingIOAndroid: return [self]
    case .sensorsWeb, .postHogWeb:
      // A selector that is not CSS is reported when its file is read.
      return isCSS ? [self] : (try? Self.css(parsing: description)) ?? [self]
    case .sensors, .sensorsExact, .hubbleDataAndroid, .sensorsAndroid: return readBrackets(style)
    case .growingIO: return readSections()
    }
  }

  private func readBrackets(_ style: PathStyleName) -> [ElementSelector] {
    var readings = [self]
    var cells = 0
    for (i, step) in steps.enumerated().reversed() {
      guard case .steps(let row, let item) = step.readBrackets(style) else { continue }
      for j in readings.indices { readings[j].steps[i] = row }
      guard row != item else { continue }
      cells += 1
      if cells <= Self.maximumCells {
        readings += readings.map { reading in
          var other = reading
          other.steps[i] = item
          return other
        }
      } else {
        // Lists are hardly ever nested this deep. The outer cells get the kind of the last cell that was tried both ways.
        for j in readings.indices.dropFirst(readings.count / 2) { readings[j].steps[i] = item }
      }
    }
    return readings
  }

  /// The number of nested cells for which every combination of row and item is tried.
  private static let maximumCells = 3

  /// This is true if a step tests texts, which only paths of PostHog have.
  package var hasTexts: Bool { steps.contains(where: \.hasTexts) }

  /// Returns the number of the first step that cannot match anything in a style, because the style never writes its brackets, or its
  /// paths lack the tested texts or conditions; nil if every step can match.
  package func unreadableStep(in style: PathStyleName) -> Int? {
    if style.isWeb { return isCSS ? unanswerableStep(in: style) : 0 }
    if isCSS { return 0 }
    if style != .postHog, let step = steps.firstIndex(where: \.hasTexts) { return step }
    return switch style {
    case .hubbleData, .lede, .postHog, .growingIO, .growingIOAndroid: nil
    case .sensorsWeb, .postHogWeb: nil
    case .sensors, .sensorsExact, .hubbleDataAndroid, .sensorsAndroid:
      steps.firstIndex { if case .unreadable = $0.readBrackets(style) { true } else { false } }
    }
  }

  /// Returns the number of the first step with a test that events of a web style can never answer for that element; nil if all tests
  /// can be answered.
  private func unanswerableStep(in style: PathStyleName) -> Int? {
    guard style == .sensorsWeb else { return nil }
    return steps.indices.first { i in
      guard case .component(_, .conditions(let tests)?) = steps[i] else { return false }
      return !tests.allSatisfy { $0.isAnsweredBySensors(ofElementItself: i == steps.count - 1) }
    }
  }

  private func readSections() -> [ElementSelector] {
    var rows = ElementSelector(isAnchored: isAnchored, steps: [])
    var items = rows
    var i = 0
    while i < steps.count {
      guard i + 1 < steps.count, case .component(.name("Section"), let section) = steps[i],
        case .component(let pattern, let row) = steps[i + 1], section.isIndex, row.isIndex
      else {
        rows.steps.append(steps[i])
        items.steps.append(steps[i])
        i += 1
        continue
      }
      let tests = section.indexTest.map { [FieldTest(.section, $0)] } ?? []
      func cell(_ field: Field) -> Step {
        let all = tests + (row.indexTest.map { [FieldTest(field, $0)] } ?? [])
        return .component(pattern, all.isEmpty ? nil : .fields(all))
      }
      rows.steps.append(cell(.row))
      items.steps.append(cell(.item))
      i += 2
    }
    return rows == items ? [rows] : [rows, items]
  }
}

extension ElementSelector.PageTest {
  /// Returns whether events of Sensors' SDK for web pages contain the tested value.
  fileprivate func isAnsweredBySensors(ofElementItself isOwn: Bool) -> Bool {
    switch self {
    case .id, .nthOfType: true
    case .hasClass: isOwn
    case .hasAttribute(let name), .attribute(let name, _): isOwn && ["id", "class", "name", "href"].contains(name)
    case .nthChild: false
    }
  }
}

extension ElementSelector.Step {
  /// This is true if the step tests texts.
  package var hasTexts: Bool { if case .component(_, .texts?) = self { true } else { false } }

  fileprivate enum Reading {
    /// The step has no brackets, or their content is not a locator.
    case unchanged
    /// The step has brackets that the style does not write.
    case unreadable
    /// The step with a row, and with an item; both are the same if it is for no cell.
    case steps(ElementSelector.Step, ElementSelector.Step)
  }

  private static let sectionViews = [Array("[SectionHeader]".utf8), Array("[SectionFooter]".utf8)]

  /// Returns the meaning of the step in the notation of a style with brackets.
  fileprivate func readBrackets(_ style: PathStyleName) -> Reading {
    guard case .component(let pattern, let locator) = self, let name = pattern.text, name.contains(UInt8(ascii: "["))
    else { return .unchanged }
    // These are class names already: `[SectionHeader][0]` is read as `[SectionHeader](0)`.
    if style.isSensors, Self.sectionViews.contains(name) { return .unchanged }
    guard locator == nil else { return .unreadable }
    // The style reads the step as a path of one component.
    let text = style == .hubbleDataAndroid ? Array("p:".utf8) + name : name
    let path = text.withUnsafeBufferPointer { try? style.style.read($0, vocabulary: nil).first }
    guard let component = path?.components.last, path?.components.count == 1,
      // `[SectionHeader]` is a class name.
      !component.className.utf8.dropFirst().contains(UInt8(ascii: "["))
    else { return .unreadable }
    var className = component.className
    if let id = component.attributes.resourceID { className += "#" + id }
    let named = pattern.renamed(className)
    func step(_ locator: ElementSelector.LocatorPattern) -> ElementSelector.Step { .component(named, locator) }
    func section(_ number: Int) -> ElementSelector.FieldTest { ElementSelector.FieldTest(.section, .exactly(number)) }
    switch component.place {
    case .none: return .unreadable
    // The position of an event gives a child of a group section and row.
    case .anyIndex where style == .sensorsAndroid && className.hasSameBytes(as: "ELVC"):
      return .steps(.component(named, nil), .component(named, nil))
    case .anyIndex: return .steps(step(.index(.any)), step(.index(.any)))
    case .cell(let number, let row, _), .groupChild(let number, let row):
      return .steps(
        step(.fields([section(number), ElementSelector.FieldTest(.row, .exactly(row))])),
        step(.fields([section(number), ElementSelector.FieldTest(.item, .exactly(row))])))
    case .anyCell(let number, _): return .steps(step(.fields([section(number)])), step(.fields([section(number)])))
    default:
      guard case .index(let index) = component.place.locator else { return .unchanged }
      return .steps(step(.index(.exactly(index))), step(.index(.exactly(index))))
    }
  }
}

extension PathStyleName {
  /// The steps with brackets that selectors of the style may have, in words; nil if it has none.
  package var bracketExamples: String? {
    switch self {
    case .hubbleData, .lede, .postHog, .growingIO, .growingIOAndroid, .sensorsWeb, .postHogWeb: nil
    case .sensorsAndroid: "View[3], View[-], ELVG[1] or ELVC[1:0]"
    case .sensors, .sensorsExact: "View[3], View[-], Cell[0][3], Cell[0][-] or [SectionHeader][0]"
    case .hubbleDataAndroid: "View[3], View[3]#id, Fragment[-], View[group:1] or View[group:1,child:2]"
    }
  }
}

extension ElementSelector.ClassPattern {
  /// The bytes of the class name or glob; nil for `*`.
  fileprivate var text: [UInt8]? {
    switch self {
    case .any: nil
    case .name(let name), .glob(let name), .kindOf(let name): Array(name.text.utf8)
    }
  }

  fileprivate func renamed(_ name: String) -> ElementSelector.ClassPattern {
    switch self {
    case .any: .any
    case .name: .name(UTF8String(name))
    case .glob: name.hasSameBytes(as: "*") ? .any : .glob(UTF8String(name))
    case .kindOf: .kindOf(UTF8String(name))
    }
  }
}

extension ElementSelector.LocatorPattern? {
  fileprivate var isIndex: Bool {
    switch self {
    case nil, .index: true
    case .some(.none), .fields, .texts, .conditions: false
    }
  }

  fileprivate var indexTest: ElementSelector.NumberTest? {
    if case .index(let test)? = self { test } else { nil }
  }
}
