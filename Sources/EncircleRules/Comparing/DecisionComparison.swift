import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Compares the decisions of two rule sets about the same events, and groups the differences by cause.
///
/// ```swift
/// var comparison = DecisionComparison(from: old, to: new)
/// while let record = try reader.next() {
///   if case .event(let line) = record { comparison.add(eventOf: reader, file: "events.ndjson", line: line) }
/// }
/// for group in comparison.finish().groups { print(group.count, group.difference) }
/// ```
///
/// The limits bound the memory, regardless of the number of events.
public struct DecisionComparison: ~Copyable {
  /// Bounds on the differences that are kept.
  public struct Limits: Sendable {
    /// The maximum number of groups of equal differences; the events of others are only counted.
    public var groups = 1_000
    /// The maximum number of names of rules and pages in all groups together; the events of groups beyond it are only counted.
    public var names = 1_000_000
    /// The maximum number of examples of a group: its first events.
    public var examples = 3

    public init() {}
  }

  /// One of the events of a group.
  public struct Example: Hashable, Sendable {
    /// The longest text, in bytes; a longer one is cut.
    static let longestText = 1_000

    /// The file of the event, or the capture of the element.
    public let file: String
    /// The line of the event, counted from 1; nil for an element.
    public let line: Int?
    /// The pre-order number of the element; nil for an event.
    public let element: Int?
    /// The name of the event.
    public let event: String?
    /// The page that the event names.
    public let page: String?
    /// The path that the event has, as it is written there.
    public let path: String?
    /// The event ID.
    public let eventID: EventID?
  }

  /// Events for which the two rule sets differ in the same way.
  public struct Group: Sendable {
    /// The difference between the decisions.
    public let difference: DecisionDifference
    /// The number of events.
    public internal(set) var count: Int
    /// The first of them.
    public internal(set) var examples: [Example]
  }

  /// The result of a comparison.
  public struct Report: Sendable {
    /// The number of events that were compared.
    public internal(set) var compared = 0
    /// The number of events that are decided differently, by kind.
    public internal(set) var counts: [DecisionDifference.Kind: Int] = [:]
    /// The groups: by kind, in the order of its cases, and by the number of events, the largest first.
    public internal(set) var groups: [Group] = []
    /// The number of events whose groups were too many to be kept.
    public internal(set) var ungrouped = 0

    /// The number of events that are decided differently.
    public var different: Int { counts.values.reduce(0, +) }
  }

  private var old: Decider
  private var new: Decider
  private let limits: Limits
  // The rules in both rule sets whose `emit` differs.
  private let renamed: Set<UTF8String>
  private var report = Report()
  private var numbers: [DecisionDifference: Int] = [:]
  // The names in the groups.
  private var nameCount = 0

  /// Creates a comparison.
  ///
  /// - Complexity: O(rules).
  public init(from old: Matcher, to new: Matcher, limits: Limits = Limits()) {
    self.old = Decider(old)
    self.new = Decider(new)
    self.limits = limits
    let before = old.emitNames
    renamed = Set(new.emitNames.filter { id, name in before[id].map { $0 != name } ?? false }.keys)
  }

  /// Compares the decisions about the event that a reader has returned last.
  ///
  /// Fastest with a reader that was made with the new matcher's ``Matcher/projection``.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  /// - Complexity: As for two calls of ``Decider/decide(eventOf:)``.
  public mutating func add(eventOf reader: borrowing EventReader, file: String, line: Int) {
    report.compared += 1
    // Most events of a stream are selected by neither.
    let wasSelected = old.selects(eventOf: reader)
    guard new.selects(eventOf: reader) || wasSelected else { return }
    let before = old.decide(eventOf: reader)
    let now = new.decide(eventOf: reader)
    guard let difference = DecisionDifference(from: before, to: now, renamed: renamed) else { return }
    count(difference) { fields in
      let event = reader.withEvent { try? AnalyticsEvent(json: Array($0)) }
      return Example(event, fields, now.eventID ?? before.eventID, file: file, line: line, element: nil)
    }
  }

  /// Compares the decisions about the taps on the elements of a capture that an SDK would send.
  ///
  /// Each rule set gets the events in its own style, with identities as it has them.
  ///
  /// - Returns: The requirement of a style that the capture does not meet, so that nothing was compared; else nil.
  /// - Complexity: O(elements × (depth + the cost of two decisions)).
  public mutating func add(_ screen: IdentifiedTree, name: String) -> PathStyleRequirement? {
    let (before, now) = (old.matcher.settings(for: screen), new.matcher.settings(for: screen))
    for settings in [before, now] { if let unmet = settings.style.style.unmetRequirement(for: screen) { return unmet } }
    let isSame = before.style == now.style && before.fields == now.fields && before.identity == now.identity
    let newEvents = Self.events(of: screen, now)
    let oldEvents = isSame ? newEvents : Self.events(of: screen, before)
    for element in screen.tree.elements where newEvents.trackingType(of: element) != nil {
      report.compared += 1
      let event = newEvents.event(of: element)
      let decisionBefore = old.decide(isSame ? event : oldEvents.event(of: element))
      let decisionNow = new.decide(event)
      guard let difference = DecisionDifference(from: decisionBefore, to: decisionNow, renamed: renamed) else {
        continue
      }
      count(difference) { fields in
        Example(event, fields, decisionNow.eventID, file: name, line: nil, element: element.index)
      }
    }
    return nil
  }

  /// Counts events that both rule sets are known to decide alike.
  package mutating func addUnchanged(_ count: Int) { report.compared += count }

  private static func events(of screen: IdentifiedTree, _ settings: MatcherSettings) -> ElementEvents {
    ElementEvents(
      of: IdentifiedTree(screen.tree, options: settings.identity), style: settings.style, fields: settings.fields)
  }

  /// Returns the result so far and starts over.
  ///
  /// - Complexity: O(*g* log *g*), *g* groups.
  public mutating func finish() -> Report {
    defer {
      report = Report()
      numbers = [:]
      nameCount = 0
    }
    let kinds = DecisionDifference.Kind.allCases
    var result = report
    result.groups.sort { a, b in
      let (first, second) = (a.difference, b.difference)
      if first.kind != second.kind {
        return kinds.firstIndex(of: first.kind) ?? 0 < kinds.firstIndex(of: second.kind) ?? 0
      }
      if a.count != b.count { return a.count > b.count }
      return DecisionDifference.areInOrder(first, second)
    }
    return result
  }

  private mutating func count(_ difference: DecisionDifference, _ example: (EventFields) -> Example) {
    report.counts[difference.kind, default: 0] += 1
    guard let number = numbers[difference] ?? insert(difference) else {
      report.ungrouped += 1
      return
    }
    report.groups[number].count += 1
    if report.groups[number].examples.count < limits.examples {
      report.groups[number].examples.append(example(new.matcher.settings.fields))
    }
  }

  private mutating func insert(_ difference: DecisionDifference) -> Int? {
    guard report.groups.count < limits.groups, nameCount + difference.nameCount <= limits.names else { return nil }
    nameCount += difference.nameCount
    numbers[difference] = report.groups.count
    report.groups.append(Group(difference: difference, count: 0, examples: []))
    return report.groups.count - 1
  }
}

extension Matcher {
  /// The names under which include rules select, by the ids of the rules.
  fileprivate var emitNames: [UTF8String: Set<UTF8String>] {
    var names: [UTF8String: Set<UTF8String>] = [:]
    for number in 0..<ruleNumberLimit where !removed.contains(number) && !isExclude(number) {
      names[ruleID(number)] = Set(emitNames(ofRule: number))
    }
    return names
  }
}

extension DecisionComparison.Example {
  fileprivate init(
    _ event: AnalyticsEvent?, _ fields: EventFields, _ eventID: EventID?, file: String, line: Int?, element: Int?
  ) {
    func text(_ field: EventFields.Field) -> String? {
      guard case .string(let text)? = event?.value(of: field, fields) else { return nil }
      return Self.cut(text)
    }
    self.init(
      file: file, line: line, element: element, event: text(.event), page: text(.page), path: text(.path),
      eventID: eventID)
  }

  private static func cut(_ text: String) -> String {
    text.utf8.count > longestText ? text.beginning(bytes: longestText) + "…" : text
  }
}
