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

  func observe(
    _ row: inout EventRow, _ decision: Decision, _ tape: JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) {
    row.platform =
      PlannedEvent.Platform(systemPlaces: systemPlaces) { place in
        guard let node = tape.find(place, in: text), tape[node].kind == .string else { return nil }
        return tape.string(node, in: text)
      }?.rawValue
    guard let watch else { return }
    row.planFaults = watch.faults(sent: row.event.map { UTF8String($0) }, decision) {
      try? AnalyticsEvent(json: Array(text))
    }
  }
}
