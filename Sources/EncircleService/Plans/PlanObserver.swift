import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Extracts the data counted for plans from arriving events: the platform, and faults of properties.
struct PlanObserver {
  private let systemPlaces: [PropertyReference]
  private let watch: PlanWatch?

  /// - Parameter watch: Nil if no property is planned.
  init(_ rules: [ActiveRules], _ watch: PlanWatch?) {
    let fields = rules.isEmpty ? [EventFields()] : rules.flatMap(\.fields)
    systemPlaces = fields.places(of: .os)
    self.watch = watch
  }

  /// - Parameter isRedacted: True if the JSON of the row may lack values that the text has.
  func observe(
    _ row: inout EventRow, _ decision: Decision, isRedacted: Bool, _ tape: JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) {
    row.platform = isRedacted ? row.json.withUnsafeBufferPointer { platform(of: $0) } : platform(tape, text)
    guard let watch else { return }
    row.planFaults = watch.faults(sent: row.event.map { UTF8String($0) }, decision) {
      try? AnalyticsEvent(json: Array(text))
    }
  }

  private func platform(of json: UnsafeBufferPointer<UInt8>) -> String? {
    var tape = JSONTape()
    guard (try? tape.parse(json)) != nil else { return nil }
    return platform(tape, json)
  }

  private func platform(_ tape: JSONTape, _ text: UnsafeBufferPointer<UInt8>) -> String? {
    let platform = PlannedEvent.Platform(systemPlaces: systemPlaces) { place in
      guard let node = tape.find(place, in: text), tape[node].kind == .string else { return nil }
      return tape.string(node, in: text)
    }
    return platform?.rawValue
  }
}
