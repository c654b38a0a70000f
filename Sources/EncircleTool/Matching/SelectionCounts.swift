import EncircleEvents
import EncircleRules
import EncircleText

/// Counts all events and the selected events by page, by version of the app and by hour.
struct SelectionCounts: Sendable {
  /// The counts for one value.
  struct Count: Sendable {
    var read = 0
    var selected = 0

    mutating func add(_ other: Count) {
      read += other.read
      selected += other.selected
    }
  }

  /// The counts by value.
  struct Table: Sendable {
    /// The counts of the first values, up to a limit.
    private(set) var counts: [[UInt8]: Count] = [:]
    /// The counts of all other values together.
    private(set) var others = Count()
    private var bytes = 0

    // Events are untrusted, so the number of kept values is limited.
    private static let maximumValues = 10_000
    private static let maximumBytes = 1 << 20

    mutating func add(_ count: Count, to value: [UInt8]) {
      if counts[value] != nil {
        counts[value]?.add(count)
      } else if counts.count < Self.maximumValues, bytes + value.count <= Self.maximumBytes {
        bytes += value.count
        counts[value] = count
      } else {
        others.add(count)
      }
    }

    mutating func add(_ other: Table) {
      for (value, count) in other.counts { add(count, to: value) }
      others.add(other.others)
    }
  }

  private(set) var pages = Table()
  private(set) var versions = Table()
  /// The counts by the number of hours since 1970, in UTC.
  private(set) var hours: [Int: Count] = [:]
  private(set) var otherHours = Count()
  private static let maximumHours = 10_000

  private var tape = JSONTape()

  /// Counts an event.
  ///
  /// - Parameters:
  ///   - json: The JSON text of the event.
  ///   - fields: The places of page, version and time in events.
  mutating func count(_ json: UnsafeBufferPointer<UInt8>, _ fields: EventFields, isSelected: Bool) {
    do throws(JSONError) { try tape.parse(json) } catch { return }
    let count = Count(read: 1, selected: isSelected ? 1 : 0)
    if let page = text(fields.places(of: .page), json) { pages.add(count, to: page) }
    if let version = text(fields.places(of: .appVersion), json) { versions.add(count, to: version) }
    if let hour = hour(fields.places(of: .time), json) { add(count, toHour: hour) }
  }

  mutating func add(_ other: SelectionCounts) {
    pages.add(other.pages)
    versions.add(other.versions)
    for (hour, count) in other.hours { add(count, toHour: hour) }
    otherHours.add(other.otherHours)
  }

  private mutating func add(_ count: Count, toHour hour: Int) {
    if hours[hour] != nil || hours.count < Self.maximumHours {
      hours[hour, default: Count()].add(count)
    } else {
      otherHours.add(count)
    }
  }

  /// Returns the node of a field: the first of its places that the event has.
  private func node(_ places: [PropertyReference], _ json: UnsafeBufferPointer<UInt8>) -> Int? {
    for place in places {
      if let found = tape.find(place, in: json) { return found }
    }
    return nil
  }

  private func text(_ places: [PropertyReference], _ json: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let node = node(places, json), tape[node].kind == .string else { return nil }
    var text: [UInt8] = []
    tape.appendString(node, in: json, to: &text)
    return text
  }

  private func hour(_ places: [PropertyReference], _ json: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let node = node(places, json) else { return nil }
    let time: DecimalNumber? =
      switch tape[node].kind {
      case .string: EventTime.milliseconds(.string(tape.string(node, in: json)))
      default: tape.number(node, in: json).flatMap { EventTime.milliseconds(.number($0)) }
      }
    guard let time, let milliseconds = Double(time.description), abs(milliseconds) < 8.64e15 else { return nil }
    return Int((milliseconds / 3_600_000).rounded(.down))
  }
}
