import EncircleRules
import EncircleText

/// The planned events, from plans beside rules.
///
/// ```yaml
/// version: 1
/// events:
///   - event: add_to_cart
///     platforms: [ios, android]
///     trigger: Tap on 加入购物车 in any row
///     properties:
///       - { property: price, type: number, required: true }
/// ```
///
/// If a rule emits an event, the rule states the event's name, description, owner and tags, so that each has only one source.
public struct PlanFiles: Sendable {
  /// The largest file, in bytes.
  public static let maximumFileSize = 1 << 26

  /// The names of the files, in the order in which they were read.
  public let files: [String]
  /// The events, in the order of files and places; no two have the same name.
  public let events: [PlannedEvent]
  /// The comments that silence findings, by file; in the order of their places.
  package let suppressions: [UTF8String: [SuppressionComment]]

  /// Creates a plan without events, and without files.
  public init() { (files, events, suppressions) = ([], [], [:]) }

  #if FILES
    /// Returns the paths of the plans beside rules.
    ///
    /// - Parameter rules: The paths of rules, files or directories.
    public static func paths(besides rules: [String]) -> [String] { RuleDirectory.companions(.plan, besides: rules) }

    /// Reads the files beside rules.
    ///
    /// - Parameters:
    ///   - rules: The paths of rules, files or directories.
    ///   - ruleSet: Their rules, which have the names of events that they emit.
    /// - Throws: ``RuleFileErrors`` with every problem of every file.
    public init(besides rules: [String], for ruleSet: RuleSet) throws(RuleFileErrors) {
      try self.init(Self.paths(besides: rules), for: ruleSet)
    }

    /// Reads files.
    ///
    /// - Throws: ``RuleFileErrors`` with every problem of every file.
    public init(_ paths: [String], for ruleSet: RuleSet) throws(RuleFileErrors) {
      let read = RuleDirectory.texts(of: paths, limit: Self.maximumFileSize)
      try self.init(
        texts: read.texts, problems: read.problems, isMissingInput: read.isMissingInput, for: ruleSet)
    }
  #endif

  /// Reads texts.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem of every text.
  /// - Complexity: O(*n*), *n* bytes, and the cost of compiling expressions.
  package init(
    texts: [(name: String, text: String)], problems: [Diagnostic] = [], isMissingInput: Bool = false,
    for rules: RuleSet
  ) throws(RuleFileErrors) {
    var builder = PlanReader(EmittedNames(rules), problems)
    for (name, text) in texts { builder.read(text, name: name) }
    guard builder.problems.isEmpty else {
      let onlyMissing = isMissingInput && builder.problems.count == problems.count
      throw RuleFileErrors(builder.problems, isMissingInput: onlyMissing)
    }
    files = texts.map(\.name)
    events = builder.events
    suppressions = builder.suppressions
  }
}

/// For each name, the rules that emit it, in the order of the rules and including rules that are not in force.
package struct EmittedNames: Sendable {
  /// The names, in the order of the rules.
  package private(set) var names: [UTF8String] = []
  /// The numbers of the rules of each name.
  package private(set) var rules: [UTF8String: [Int]] = [:]

  package init(_ ruleSet: RuleSet) {
    for (number, rule) in ruleSet.rules.enumerated() where rule.effect == .include {
      for name in rule.names {
        let name = UTF8String(name)
        if rules[name] == nil { names.append(name) }
        rules[name, default: []].append(number)
      }
    }
    all = ruleSet.rules
  }

  /// Returns the rules that emit a name.
  package func rules(emitting name: UTF8String) -> [SelectionRule] { (rules[name] ?? []).map { all[$0] } }

  private let all: [SelectionRule]
}
