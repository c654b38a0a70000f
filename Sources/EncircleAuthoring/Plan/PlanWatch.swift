import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Compares events with plans when they arrive, so that faults can be counted.
package struct PlanWatch: Sendable {
  /// A fault of a property.
  package struct Fault: Hashable, Sendable {
    /// The ``PlanWatch/fingerprint(of:of:)`` of the property.
    package let fingerprint: Int64
    package let violation: PlanReport.Violation
  }

  private struct Event: Sendable {
    var checks: [(check: PropertyCheck, fingerprint: Int64)] = []
    var rules: Set<UTF8String> = []
  }

  private let events: [UTF8String: [Event]]

  /// - Complexity: O(size of the plans).
  package init(_ plans: [TrackingPlan]) {
    var events: [UTF8String: [Event]] = [:]
    for entry in plans.flatMap(\.entries) {
      guard let properties = entry.planned?.properties, !properties.isEmpty else { continue }
      events[entry.event, default: []].append(
        Event(
          checks: properties.map { (PropertyCheck($0), Self.fingerprint(of: $0, of: entry.event)) },
          rules: Set(entry.rules.map(\.id))))
    }
    self.events = events
  }

  /// This is true if no property is planned.
  package var isEmpty: Bool { events.isEmpty }

  /// Returns the faults of an event, without duplicates.
  ///
  /// - Parameters:
  ///   - name: The name under which it was sent.
  ///   - event: Reads the event; called only if one of its names has planned properties.
  /// - Complexity: O(size of the event) for one with planned properties.
  package func faults(sent name: UTF8String?, _ decision: Decision, event: () -> AnalyticsEvent?) -> [Fault] {
    var names = decision.emit
    if let name, !names.contains(name) { names.append(name) }
    let planned = names.flatMap { events[$0] ?? [] }
    guard !planned.isEmpty, let event = event() else { return [] }
    var faults: [Fault] = []
    for one in planned {
      let given = decision.givenValues { one.rules.contains($0) }
      for (check, fingerprint) in one.checks {
        guard let violation = check.violation(in: event, given: given) else { continue }
        let fault = Fault(fingerprint: fingerprint, violation: violation)
        if !faults.contains(fault) { faults.append(fault) }
      }
    }
    return faults
  }

  /// Returns a hash of a planned property, which is the same in every process. It almost certainly changes with the key, the
  /// type, the values, the pattern, or whether the property is a list or required.
  static func fingerprint(of property: PlannedProperty, of event: UTF8String) -> Int64 {
    var json = JSONBuilder()
    json.object {
      $0.member("event", event.text)
      $0.member("property", property.property.text)
      $0.member("type", property.type?.rawValue)
      $0.member("list", property.isList)
      $0.member("required", property.isRequired)
      $0.member("values", property.values.map(\.description))
      $0.member("pattern", property.pattern?.description)
    }
    return json.bytes.withUnsafeBytes { Int64(bitPattern: EventID(identity: $0).leadingBits) }
  }
}

extension Decision {
  /// Returns the properties that the event gets from those rules whose ids `isAsked` accepts.
  func givenValues(_ isAsked: (UTF8String) -> Bool) -> [UTF8String: Scalar] {
    var given: [UTF8String: Scalar] = [:]
    for values in properties where isAsked(values.rule) {
      for value in values.values { given[value.name] = value.value }
    }
    return given
  }
}
