import EncircleEvents
import EncircleSessions

/// A session in few words, for tests of single statements.
///
/// A signal is an action with its other members in JSON, such as `track "event":"Paid"`, the name of a notification, or
/// `+600`, after which the next signal comes 600 s later; `clock+600` sets the device's clock forward, `clock-600` back. Signals are
/// a second apart.
struct BriefSession {
  /// A launch into the foreground.
  static let front = ["launch", "init", "didFinishLaunching", "didBecomeActive"]
  /// To the background.
  static let left = ["willResignActive", "didEnterBackground"]
  /// And back.
  static let back = [#"willEnterForeground "state":"background""#, #"state "state":"inactive""#, "didBecomeActive"]
  /// A launch in the background.
  static let woken = [#"launch "state":"background""#, "init", "didFinishLaunching"]

  /// The result of the replay.
  struct Result {
    var events: [SessionEvent] = []
    /// Events in an SDK's own format.
    var records: [EventObject] = []
    var notes: [String] = []
    /// The number of events in each delivery.
    var deliveries: [Int] = []
    /// The IDs of the requests that have one.
    var requests: [String] = []

    /// The names of the events, in order; of a profile its type.
    var names: [String] { events.map { $0.name ?? $0.type } }

    /// The values of a property of the events of one name, as JSON; `-` where it is missing.
    func values(_ property: String, of name: String) -> [String] {
      events.filter { $0.name == name }.map { event in
        event.properties[property].map { String(decoding: $0.json, as: UTF8.self) } ?? "-"
      }
    }
  }

  /// Replays a session.
  ///
  /// - Parameter configuration: Members of the configuration, in JSON.
  static func replay<Model: SDKModel>(
    _ signals: [String], configuration: String = "", with _: Model.Type = SensorsModel.self
  ) throws -> Result {
    let configured = configuration.isEmpty ? "" : ",\(configuration)"
    var lines = [#"{"action":"config"\#(configured)}"#]
    // 2026-01-01 00:00:00 UTC.
    var (clock, uptime) = (1_767_225_600.0, 1000.0)
    for signal in signals {
      if signal.hasPrefix("clock"), let seconds = Double(signal.dropFirst(5)) {
        clock += seconds
      } else if signal.hasPrefix("+"), let seconds = Double(signal.dropFirst()) {
        clock += seconds
        uptime += seconds
      } else {
        clock += 1
        uptime += 1
        lines.append(#"{"time":\#(Int64((clock * 1000).rounded())),"uptime":\#(uptime),\#(members(of: signal))}"#)
      }
    }
    let reader = try SessionReader(Array(lines.joined(separator: "\n").utf8))
    var replay = try SessionReplay<Model>(reader)
    var result = Result()
    while let step = try replay.next() {
      for record in step.output.records {
        switch record {
        case .event(let event): result.events.append(event)
        case .record(let record): result.records.append(record)
        case .note(let note): result.notes.append(note)
        case .delivery(let count, let request):
          result.deliveries.append(count)
          if let request { result.requests.append(request) }
        }
      }
    }
    return result
  }

  private static func members(of signal: String) -> String {
    let parts = signal.split(separator: " ", maxSplits: 1).map(String.init)
    let others = parts.count > 1 ? ",\(parts[1])" : ""
    if NotificationSignal.Name(rawValue: parts[0]) != nil {
      return #""action":"notification","name":"\#(parts[0])"\#(others)"#
    }
    return #""action":"\#(parts[0])"\#(others)"#
  }
}
