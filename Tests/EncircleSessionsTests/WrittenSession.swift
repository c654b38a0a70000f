import EncircleEvents
import EncircleSessions

/// A session that a test writes: one signal a second.
struct WrittenSession {
  /// The result of a session.
  struct Result {
    var events: [EventObject] = []
    var deliveries: [Int] = []
    /// The IDs of the requests that have one.
    var requests: [String] = []
    var notes: [String] = []

    /// The names of the events.
    var names: [String] {
      events.map { Self.text($0, "event") ?? Self.text($0, "eventName") ?? Self.text($0, "eventId") ?? "" }
    }

    /// Returns what the events have under a name: as a member, or in their properties, attributes or view.
    func values(_ name: String) -> [EventValue?] { events.map { Self.value($0, name) } }

    /// Returns the texts that the events have under a name.
    func texts(_ name: String) -> [String?] {
      values(name).map { if case .string(let text)? = $0 { text } else { nil } }
    }

    private static func text(_ event: EventObject, _ name: String) -> String? {
      if case .string(let text)? = event[name] { text } else { nil }
    }

    private static func value(_ event: EventObject, _ name: String) -> EventValue? {
      if let value = event[name] { return value }
      for part in ["properties", "attributes", "viewInfo"] {
        if case .object(let object)? = event[part], let value = object[name] { return value }
      }
      return nil
    }
  }

  /// From the start of the process to an app that is active.
  static let start = ["launch", "init", ">didFinishLaunching", ">didBecomeActive"]
  /// To the background.
  static let background = [">willResignActive", ">didEnterBackground"]
  /// Back to the front.
  static let foreground = [">willEnterForeground", ">didBecomeActive"]

  /// Replays signals: `name`, `>notification`, `+seconds`, or `name {members}`.
  ///
  /// - Parameter config: The members of the configuration.
  static func replay(_ sdk: SessionSDK, config: String = "", _ signals: [String]) throws -> Result {
    var lines = [#"{"action":"config"\#(config.isEmpty ? "" : "," + config)}"#]
    var seconds = 1000
    for signal in signals {
      if signal.hasPrefix("+") {
        seconds += Int(signal.dropFirst()) ?? 0
        continue
      }
      seconds += 1
      let parts = signal.split(separator: " ", maxSplits: 1)
      var members = parts.count > 1 ? "," + parts[1].dropFirst().dropLast() : ""
      var action = String(parts[0])
      if action.hasPrefix(">") {
        members = #","name":"\#(action.dropFirst())""# + members
        action = "notification"
      }
      lines.append(
        #"{"time":\#(1_765_000_000_000 + seconds * 1000),"uptime":\#(seconds),"action":"\#(action)"\#(members)}"#)
    }
    return try replay(lines, with: sdk.model)
  }

  private static func replay<Model: SDKModel>(_ lines: [String], with _: Model.Type) throws -> Result {
    var replay = try SessionReplay<Model>(try SessionReader(Array(lines.joined(separator: "\n").utf8)))
    var result = Result()
    while let step = try replay.next() {
      for record in step.output.records {
        switch record {
        case .record(let event): result.events.append(event)
        case .event(let event):
          result.events.append(["event": .string(event.name ?? ""), "properties": .object(event.properties)])
        case .delivery(let count, let request):
          result.deliveries.append(count)
          if let request { result.requests.append(request) }
        case .note(let note): result.notes.append(note)
        }
      }
    }
    return result
  }
}
