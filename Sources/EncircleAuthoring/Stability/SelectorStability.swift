import EncircleRules
import EncircleText
import EncircleTree

/// An estimate of how likely a selector still selects its element in the next release of the app and of the system.
///
/// ```swift
/// let stability = SelectorStability(of: try ElementSelector(parsing: "/UIWindow(0)/**/UIButton(1)"))
/// for reason in stability.reasons { print(reason.description(of: selector)) }
/// ```
///
/// The selector alone is enough for an estimate; a capture adds knowledge about classes and siblings.
public struct SelectorStability: Hashable, Sendable {
  /// The reasons why the selector may fail, the heaviest first.
  public private(set) var reasons: [StabilityReason]

  /// The score from 0 to 100: 100 minus all penalties, but not less than 0.
  public var score: Int { max(0, 100 - penalty) }

  /// The sum of the penalties, which also orders selectors whose scores are 0.
  public var penalty: Int { reasons.reduce(0) { $0 + $1.penalty } }

  /// Analyses a selector.
  ///
  /// - Parameters:
  ///   - hierarchy: The classes, for recognising controls.
  ///   - siblings: Returns the number of siblings with the class of a step, itself included; nil if unknown.
  /// - Complexity: O(length of the selector).
  public init(
    of selector: ElementSelector, hierarchy: ClassHierarchy = .builtIn, siblings: (_ step: Int) -> Int? = { _ in nil }
  ) {
    self.init(of: selector, siblings: siblings) { ClassOrigin(of: $0, in: hierarchy) }
  }

  /// Analyses a selector with origins that are known already.
  init(of selector: ElementSelector, siblings: (_ step: Int) -> Int?, origin: (UTF8String) -> ClassOrigin) {
    var reasons: [StabilityReason] = []
    var wrappers: [Int] = []
    var layouts: [Int] = []
    var elementTypes: [Int] = []
    // Several classes of the same releases come and go together, and count once.
    var bounds: Set<[Int?]> = []
    var namesApp = false
    // This is true while all steps before the present one name only ubiquitous classes.
    var isPlain = true
    // The number of these steps.
    var namedSteps = 0
    var isAnchored = selector.isAnchored
    for (i, step) in selector.steps.enumerated() {
      guard case .component(let pattern, let locator) = step else {
        if i > 0 { reasons.append(.gap(step: i)) }
        continue
      }
      let isLast = i == selector.steps.count - 1
      var countsIndex = true
      // A label that a developer has given names the app's element as a class of the app does.
      let isLabelled = Self.isLabelled(locator) || Self.namesPage(locator)
      if isLabelled { namesApp = true }
      switch pattern {
      case .any:
        if isLast, !isLabelled { reasons.append(.broadElement(step: i)) }
      case .glob(let name):
        // A part of a class name is enough to show that the class belongs to the app.
        if origin(name) == .app { namesApp = true }
        if isLast { reasons.append(.broadElement(step: i)) }
      case .name(let name), .kindOf(let name):
        if let releases = ClassReleases(of: name), bounds.insert([releases.first, releases.last]).inserted {
          reasons.append(.someReleases(step: i, name, releases))
        }
        if ClassOrigin.isElementType(name) { elementTypes.append(i) }
        if name == "UIWindow" {
          isAnchored = true
          countsIndex = false
        }
        switch selector.isCSS ? .framework : origin(name) {
        case .app: namesApp = true
        case .framework: break
        case .privateControl: reasons.append(.privateControl(step: i))
        case .wrapper:
          wrappers.append(i)
          // A wrapper hardly ever has siblings of its class; its own penalty covers its index.
          countsIndex = false
        case .layout: layouts.append(i)
        case .generated: reasons.append(.generatedName(step: i))
        }
      }
      if isLast, !namesApp, !selector.isAnchored, selector.steps[..<i].allSatisfy({ $0 == .recursiveWildcard }),
        !reasons.contains(.broadElement(step: i)), !reasons.contains(.generatedName(step: i))
      {
        reasons.append(.broadElement(step: i))
      }
      if isLast, !namesApp, !selector.isAnchored, isPlain, namedSteps > 0, !isAnchored {
        reasons.append(.plainPlace(step: i))
      }
      if !isLast {
        namedSteps += 1
        isPlain = isPlain && Self.isPlain(pattern, locator, origin)
      }
      Self.appendReasons(of: locator, step: i, countsIndex: countsIndex, siblings, to: &reasons)
    }
    if isAnchored { reasons.append(.anchored) }
    if !wrappers.isEmpty { reasons.append(.wrappers(steps: wrappers)) }
    if !layouts.isEmpty { reasons.append(.layouts(steps: layouts)) }
    if !elementTypes.isEmpty { reasons.append(.elementTypes(steps: elementTypes)) }
    if !namesApp { reasons.append(.noAppClass) }
    if selector.steps.count > StabilityReason.shortChain { reasons.append(.longChain(steps: selector.steps.count)) }
    self.reasons = reasons
    sort()
  }

  /// Returns whether a step tests a name that somebody seems to have given an element of a web page.
  private static func namesPage(_ locator: ElementSelector.LocatorPattern?) -> Bool {
    guard case .conditions(let tests)? = locator else { return false }
    return tests.contains { $0.origin == .people }
  }

  private static func isLabelled(_ locator: ElementSelector.LocatorPattern?) -> Bool {
    guard case .texts(let tests)? = locator else { return false }
    return tests.contains { $0.field == .id && !$0.text.text.isEmpty }
  }

  /// Returns whether a step above an element says nothing about its place.
  private static func isPlain(
    _ pattern: ElementSelector.ClassPattern, _ locator: ElementSelector.LocatorPattern?,
    _ origin: (UTF8String) -> ClassOrigin
  ) -> Bool {
    switch locator {
    case .fields, .texts: return false
    case .conditions(let tests)?: if tests.contains(where: { $0.origin == .people }) { return false }
    case nil, .some(.none), .index: break
    }
    switch pattern {
    case .any: return true
    case .glob: return false
    case .name(let name), .kindOf(let name):
      if ClassOrigin.isPlain(name) { return true }
      if isTag(name) { return true }
      return switch origin(name) {
      case .wrapper, .layout: true
      case .app, .framework, .privateControl, .generated: false
      }
    }
  }

  /// Returns whether a name is a tag of HTML that occurs everywhere.
  private static func isTag(_ name: UTF8String) -> Bool {
    ["a", "button", "div", "span", "li", "ul", "p", "main", "body", "section", "td", "tr", "input", "form", "img"]
      .contains(name)
  }

  private static func appendReasons(
    of locator: ElementSelector.LocatorPattern?, step: Int, countsIndex: Bool, _ siblings: (_ step: Int) -> Int?,
    to reasons: inout [StabilityReason]
  ) {
    switch locator {
    case nil, .some(.none): return
    case .conditions(let tests)?:
      for test in tests { test.appendReasons(step: step, to: &reasons) }
    case .texts(let tests)?:
      for test in tests where test.field == .text {
        reasons.append(.text(isLocalised: Suggestion.Evidence.isLocalised(test.text)))
      }
    case .index(let test)?:
      guard countsIndex, test != .any else { return }
      reasons.append(.siblingIndex(step: step, indexes: test, siblings: siblings(step)))
    case .fields(let tests)?:
      for test in tests where test.test != .any {
        switch test.field {
        case .row, .item: reasons.append(.exactRow(step: step))
        case .indexx: reasons.append(.pagePosition(step: step))
        case .indexy:
          if !reasons.contains(.pagePosition(step: step)) { reasons.append(.pagePosition(step: step)) }
        case .section: continue
        }
      }
    }
  }

  /// Adds a reason that does not come from the selector of a rule.
  ///
  /// A reason that there is already counts once.
  public mutating func add(_ reason: StabilityReason) {
    if reasons.contains(reason) { return }
    reasons.append(reason)
    sort()
  }

  /// Removes the reasons which say that other elements may come to match, for a rule whose other tests alone name the element.
  mutating func removeBreadth() {
    reasons.removeAll {
      switch $0 {
      case .broadElement, .plainPlace: true
      default: false
      }
    }
  }

  /// This is true if other elements may come to match, because the selector names only ubiquitous classes.
  var isBroad: Bool {
    var copy = self
    copy.removeBreadth()
    return copy.reasons.count < reasons.count
  }

  // Reasons of one weight stay in the order of the steps.
  private mutating func sort() { reasons = reasons.stablySorted { [-$0.penalty] } }
}
