import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A selector for one element, taken apart into the components of the element's path that it names, so that each list can
/// be opened and closed.
struct SelectorSkeleton {
  /// A list that the element is in.
  struct Level {
    /// The component of the cell in the path.
    let component: Int
    /// The cell's class.
    let className: String
    /// The place of the cell, if the capture has it.
    let section: Int?
    let row: Int?
    /// The name of the field with the row: row or item.
    let rowField: ElementSelector.Field
    /// This is true if paths and selectors write the row as an index.
    let isIndexed: Bool
  }

  /// The lists that the element is in, the innermost first.
  let levels: [Level]

  private struct Part {
    var pattern: ElementSelector.ClassPattern
    var locator: ElementSelector.LocatorPattern?
  }

  // The components that are named, by their number in the path.
  private var parts: [Int: Part]
  private var isAnchored: Bool
  private let isCSS: Bool
  private let path: [[PathComponent]]

  /// The text that the path has of the element itself, as paths of PostHog do; nil if it has none.
  var ownText: String? { path.last?.first?.texts?.text }

  /// - Parameters:
  ///   - selector: A selector that matches the path; where it does not, all of the path is taken.
  ///   - path: The forms of each component, outermost first; not empty.
  init(_ selector: ElementSelector?, path: [[PathComponent]]) {
    self.path = path
    isCSS = selector?.isCSS ?? false
    levels = path.indices.reversed().compactMap { Self.level($0, path[$0]) }
    if let selector, let parts = Self.parts(of: selector, path) {
      self.parts = parts
      isAnchored = selector.isAnchored
    } else {
      isAnchored = true
      parts = Dictionary(
        uniqueKeysWithValues: path.enumerated().map { i, forms in
          let component = Self.isIndexed(forms) ? forms[1] : forms[0]
          return (
            i,
            Part(
              pattern: .name(UTF8String(component.className)),
              locator: ElementSelector.LocatorPattern(exactly: component.locator))
          )
        })
    }
  }

  private static func level(_ number: Int, _ forms: [PathComponent]) -> Level? {
    func known(_ value: Int) -> Int? { value == Locator.unknown ? nil : value }
    func level(_ section: Int, _ row: Int, _ field: ElementSelector.Field) -> Level {
      Level(
        component: number, className: forms[0].className, section: known(section), row: known(row), rowField: field,
        isIndexed: isIndexed(forms))
    }
    return switch forms.first?.locator {
    case .row(let section, let row): level(section, row, .row)
    case .item(let section, let item): level(section, item, .item)
    default: nil
    }
  }

  /// Returns whether a component is a row without a section, followed by the index by which paths have it; see ``path(of:in:_:_:_:)``.
  private static func isIndexed(_ forms: [PathComponent]) -> Bool {
    guard forms.count == 2, case .row(Locator.unknown, _) = forms[0].locator, case .index = forms[1].locator else {
      return false
    }
    return true
  }

  /// Returns the components that a selector's steps match, going up from the element; nil if the steps do not match the path in
  /// this way.
  private static func parts(of selector: ElementSelector, _ path: [[PathComponent]]) -> [Int: Part]? {
    var parts: [Int: Part] = [:]
    var next = path.count - 1
    var mayPass = false
    for step in selector.steps.reversed() {
      guard case .component(let pattern, let locator) = step else {
        mayPass = true
        continue
      }
      func matches(_ i: Int) -> Bool { path[i].contains { step.matches($0, hierarchy: .builtIn) } }
      if mayPass { while next >= 0, !matches(next) { next -= 1 } }
      guard next >= 0, matches(next) else { return nil }
      parts[next] = Part(pattern: pattern, locator: locator)
      next -= 1
      mayPass = false
    }
    return selector.isAnchored && next >= 0 && !mayPass ? nil : parts
  }

  /// Returns the selector with the rows and sections of lists fixed or left open.
  ///
  /// - Parameter isFixed: For each level, whether section and row are the element's; others stay as they are.
  func selector(_ isFixed: [(section: Bool, row: Bool)]) -> ElementSelector {
    var parts = parts
    for (level, fixed) in zip(levels, isFixed) {
      let tests = [
        (ElementSelector.Field.section, fixed.section ? level.section : nil),
        (level.rowField, fixed.row ? level.row : nil),
      ].map { field, number in
        ElementSelector.FieldTest(field, number.map { .range(lower: $0, upper: $0) } ?? .any)
      }
      let isOpen = tests.allSatisfy { $0.test == .any }
      let locator: ElementSelector.LocatorPattern = level.isIndexed ? .index(tests[1].test) : .fields(tests)
      if let part = parts[level.component] {
        // If the selector names a cell without a place, the cell gets a place only if its section or row is fixed.
        if part.locator != nil || !isOpen { parts[level.component]?.locator = locator }
      } else if !isOpen {
        parts[level.component] = Part(pattern: .name(UTF8String(level.className)), locator: locator)
      }
    }
    var steps: [ElementSelector.Step] = []
    var previous: Int?
    for (number, part) in parts.sorted(by: { $0.key < $1.key }) {
      if let previous, number > previous + 1 { steps.append(.recursiveWildcard) }
      if previous == nil, isAnchored, number > 0 { steps.append(.recursiveWildcard) }
      steps.append(.component(part.pattern, part.locator))
      previous = number
    }
    return ElementSelector(isAnchored: isAnchored, steps: steps, isCSS: isCSS)
  }

  /// Returns the path without the place in the innermost list. It is the same for all elements of one kind.
  static func kind(of path: [[PathComponent]]) -> [PathComponent] {
    var components = path.compactMap(\.first)
    for i in components.indices.reversed() {
      switch components[i].locator {
      case .row, .item:
        components[i].locator = .none
        return components
      default: continue
      }
    }
    return components
  }

  /// Returns the path of an element as events of a style have it, with the forms that selectors are matched against; nil if the
  /// style has no path for it. A row that the capture does not give means any row. A row that `hubbledata-android` writes with an
  /// index has two forms: a row without a section, and the index. The style `hubbledata` needs neither chains nor the hierarchy.
  static func path(
    of element: ElementID, in screen: IdentifiedTree, _ chains: @autoclosure () -> PathChains,
    _ hierarchy: @autoclosure () -> ClassHierarchy, _ style: PathStyleName
  ) -> [[PathComponent]]? {
    guard style != .hubbleData else {
      return screen.tree.inclusiveAncestors(of: element).reversed().map { view in
        [PathComponent(screen.className(of: view), screen.unknownPlace(of: view) ?? screen.locator(of: view))]
      }
    }
    let chain = chains().chain(to: element)
    var path = style.style.path(of: chain)
    // A segmented control is one element, whichever segment is selected.
    let isControl = if case .segmentedControl? = chain.last?.role { true } else { false }
    if style == .sensors, !isControl, var position = style.style.position(in: chain) {
      position.withUTF8 { path?.fill(position: $0) }
    }
    guard let sent = path else { return nil }
    let hierarchy = hierarchy()
    var forms = UnknownPlaces(around: element, in: screen).forms(of: sent, hierarchy)
    guard !forms.isEmpty, !forms.contains(where: \.isEmpty) else { return nil }
    guard style == .hubbleDataAndroid else { return forms }
    // A row with a resource id has the same index as any other.
    for i in sent.indexedRows(hierarchy) where forms[i].count == 1 {
      guard case .index(let row) = forms[i][0].locator else { continue }
      forms[i].insert(PathComponent(forms[i][0].className, .row(section: Locator.unknown, row: row)), at: 0)
    }
    return forms
  }
}
