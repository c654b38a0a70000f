import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Finds probable mistakes in valid rules, by the meaning of the rules and by captures and events.
///
/// ```swift
/// var checker = RuleChecker(try RuleFiles(["Rules"]).ruleSetWithSources())
/// checker.add(screen, name: "home.xml")
/// for finding in checker.check(at: now).findings { print(finding.code.rawValue, finding.message) }
/// ```
///
/// Rules in several styles are checked style by style, with the captures that the style can serve.
///
/// Captures and events are not kept, except for the distinct paths of their elements and, if the app has a version, captures
/// that contain an event ID of a rule.
public struct RuleChecker: Sendable {
  /// The rules in one style.
  private struct Part {
    let style: PathStyleName
    var checker: StyleChecker
    /// The rules with clauses for this style and no other.
    let ownRules: Set<UTF8String>
    /// All rules with clauses for events of this style.
    let rules: Set<UTF8String>

    init(_ checker: StyleChecker, _ style: PathStyleName, _ part: SourcedRuleSet, of rules: SourcedRuleSet) {
      self.style = style
      self.checker = checker
      ownRules = Set(rules.ruleSet.rules.filter { $0.hasClause(for: style) }.map(\.id))
      self.rules = Set(part.ruleSet.rules.map(\.id))
    }
  }

  private var parts: [Part] = []
  private let styleOfEvents: StyleOfEvents?
  /// The work that comparisons of rules may do, in steps of about a tenth of a microsecond.
  package var stepLimit: Int {
    get { parts[0].checker.stepLimit }
    set { for i in parts.indices { parts[i].checker.stepLimit = newValue } }
  }

  /// Creates a checker for rules, without captures.
  ///
  /// - Parameters:
  ///   - dictionary: The elements that are known by event ID, in one or several styles of the rules.
  ///   - plan: The plan beside the rules.
  public init(_ rules: SourcedRuleSet, dictionary: ElementDictionary? = nil, plan: PlanFiles = PlanFiles()) {
    let rules = rules.withComments(of: plan)
    let plan = PlanChecks(plan, rules.ruleSet)
    styleOfEvents = rules.ruleSet.otherStyles.isEmpty ? nil : StyleOfEvents(rules.ruleSet)
    for style in rules.ruleSet.styles {
      let own = dictionary.flatMap { given in ([given] + given.inOtherStyles).first { $0.style == style } }
      let part = rules.part(of: style)
      parts.append(Part(StyleChecker(part, dictionary: own, plan: plan), style, part, of: rules))
    }
  }

  /// Creates a checker from an earlier one with mostly the same rules and no added events.
  ///
  /// If `isRepeated`, the captures of the earlier checker must be added again if ``needsCaptures``; they are only searched for
  /// the rules that differ. Otherwise only new captures may be added.
  ///
  /// - Returns: nil if everything must be counted again.
  /// - Complexity: O(size of the rules).
  init?(_ rules: SourcedRuleSet, after earlier: RuleChecker, isRepeated: Bool) {
    guard rules.ruleSet.styles == earlier.parts.map(\.style) else { return nil }
    styleOfEvents = earlier.styleOfEvents
    for part in earlier.parts {
      let own = rules.part(of: part.style)
      guard let checker = StyleChecker(own, after: part.checker, isRepeated: isRepeated) else { return nil }
      parts.append(Part(checker, part.style, own, of: rules))
    }
  }

  /// This is true if the captures of the earlier checker must be added again.
  var needsCaptures: Bool { parts.contains { $0.checker.needsCaptures } }

  /// Adds a capture. If no style of the rules can serve it, it does not count, and the requirement that it does not meet is returned.
  ///
  /// - Parameter name: The name of the capture in findings.
  /// - Complexity: O(elements × selectors that each is tried on), and a few times O(elements) once for each selector
  ///   that may not last.
  @discardableResult
  public mutating func add(_ screen: IdentifiedTree, name: String) -> PathStyleRequirement? {
    let styles = screen.platformStyles(among: parts.map(\.style))
    var unmet: PathStyleRequirement?
    var isServed = false
    for i in parts.indices where styles.contains(parts[i].style) {
      if let missing = parts[i].style.style.unmetRequirement(for: screen) {
        unmet = unmet ?? missing
      } else {
        parts[i].checker.add(screen, name: name)
        isServed = true
      }
    }
    return isServed ? nil : unmet
  }

  /// Adds an event.
  public mutating func add(_ event: AnalyticsEvent) {
    guard let styleOfEvents else { return parts[0].checker.add(event) }
    guard let style = styleOfEvents.style(of: event) else { return }
    for i in parts.indices where parts[i].style == style { parts[i].checker.add(event) }
  }

  /// The result of a check.
  public struct Result: Sendable {
    /// The findings, in order of file and place.
    public let findings: [Finding]
    /// The number of rules that were not compared with all others, as these are too many, their selectors test more than the tags
    /// of web pages, or it would take too long.
    public let undecided: Int
    /// The number of elements of captures that were skipped because their paths are too long or the work would take too
    /// long. Unless it is 0, no rule is reported to match nothing.
    public let skippedElements: Int

    init(findings: [Finding], undecided: Int, skippedElements: Int) {
      self.findings = findings
      self.undecided = undecided
      self.skippedElements = skippedElements
    }
  }

  /// Checks the rules.
  ///
  /// - Parameter now: The time, in milliseconds since 1970.
  public func check(at now: Int64) -> Result { check(at: now) {} }

  /// Checks the rules; the caller can cancel the check.
  ///
  /// - Parameter goOn: Called now and then; an error ends the check.
  package func check(at now: Int64, _ goOn: () throws -> Void) rethrows -> Result {
    guard parts.count > 1 else { return try parts[0].checker.check(at: now, goOn) }
    let results = try parts.map { try $0.checker.check(at: now, goOn) }
    var found: [Key: (finding: Finding, parts: [Int])] = [:]
    for (i, result) in results.enumerated() {
      for finding in result.findings { found[Key(finding), default: (finding, [])].parts.append(i) }
    }
    let findings = found.values.filter { finding, numbers in counts(finding, in: numbers) }
    return Result(
      findings: findings.map(\.finding).sorted(by: Finding.areInOrder), undecided: results.map(\.undecided).max() ?? 0,
      skippedElements: results.map(\.skippedElements).reduce(0, +))
  }

  /// Returns whether to report a finding that was made in the rules of only some styles.
  ///
  /// An element missing in the captures of one platform may be in the captures of another, and a rule covered on one may not be
  /// covered on another. Such findings must be made in each style that the rule has clauses for.
  private func counts(_ finding: Finding, in numbers: [Int]) -> Bool {
    let isOwn = numbers.contains { parts[$0].ownRules.contains(finding.rule) }
    switch finding.code {
    case .matchesNothing, .unknownApp, .unknownClass, .unknownPage, .unknownProperty, .unknownEvent, .unknownAction,
      .unknownValue, .wrongType:
      if isOwn { return true }
    case .sameMeaning, .coveredRule, .nearlyCovered, .neverSelects, .uselessTolerance, .uselessSameKind,
      .uselessSuppression:
      break
    default: return true
    }
    return parts.indices.allSatisfy { i in
      let isAbout = finding.rule.text.isEmpty || parts[i].rules.contains(finding.rule)
      return !isAbout || numbers.contains(i)
    }
  }

  /// A finding regardless of its part.
  private struct Key: Hashable {
    let code: CheckCode
    let file: UTF8String
    let location: SourceLocation
    let message: UTF8String

    init(_ finding: Finding) {
      code = finding.code
      file = UTF8String(finding.file)
      location = finding.place.location
      message = UTF8String(finding.message)
    }
  }
}
