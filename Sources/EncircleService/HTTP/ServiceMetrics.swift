import Synchronization

/// Counters in the text format of Prometheus, version 0.0.4.
///
/// Source of the format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
final class ServiceMetrics: Sendable {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A counter of a service or of a collector, by its name.
  enum Counter: String {
    case eventsStored = "encircle_events_stored_total"
    case eventsRepeated = "encircle_events_repeated_total"
    case eventsRejected = "encircle_events_rejected_total"
    case ruleChanges = "encircle_rule_changes_total"
    case rulePollsFailed = "encircle_rule_polls_failed_total"

    static let ofEvents: [Self] = [.eventsStored, .eventsRepeated, .eventsRejected]
    static let ofRules: [Self] = [.ruleChanges, .rulePollsFailed]

    var help: String {
      switch self {
      case .eventsStored: "Events that were stored."
      case .eventsRepeated: "Events that had been stored before."
      case .eventsRejected: "Events that could not be used."
      case .ruleChanges: "Versions of rules that came into force."
      case .rulePollsFailed: "Polls of the control plane that gave nothing usable."
      }
    }
  }

  /// Prometheus takes the first value of a series for its beginning, not for growth. What alerts watch is therefore there from
  /// the start, with 0; otherwise the first error would raise no alert.
  private struct State {
    var operations: [String: Int] = [:]
    var statuses = [500: 0, 503: 0]
    var buckets = Array(repeating: 0, count: ServiceMetrics.bounds.count + 1)
    var seconds = 0.0
    var counters: [Counter: Int]
  }

  private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
  private let state: Mutex<State>

  /// - Parameter counters: The counters that this process has.
  init(counters: [Counter] = Counter.ofEvents) {
    state = Mutex(State(counters: Dictionary(uniqueKeysWithValues: counters.map { ($0, 0) })))
  }

  func begin(_ operation: String) { state.withLock { $0.operations[operation, default: 0] += 1 } }

  func count(status: Int, seconds: Double) {
    state.withLock { state in
      state.statuses[status, default: 0] += 1
      state.seconds += seconds
      state.buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
  }

  func add(_ count: Int, to counter: Counter) { state.withLock { $0.counters[counter, default: 0] += count } }

  var text: String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    func head(_ name: String, _ help: String, _ type: String) {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }
    head("encircle_requests_total", "Requests by operation.", "counter")
    for (operation, count) in state.operations.sorted(by: { $0.key < $1.key }) {
      lines.append("encircle_requests_total{operation=\"\(operation)\"} \(count)")
    }
    head("encircle_responses_total", "Answers by status.", "counter")
    for (status, count) in state.statuses.sorted(by: { $0.key < $1.key }) {
      lines.append("encircle_responses_total{status=\"\(status)\"} \(count)")
    }
    head("encircle_response_seconds", "Time until the head of the answer.", "histogram")
    var sum = 0
    for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], state.buckets) {
      sum += count
      lines.append("encircle_response_seconds_bucket{le=\"\(bound)\"} \(sum)")
    }
    lines += ["encircle_response_seconds_sum \(state.seconds)", "encircle_response_seconds_count \(sum)"]
    for (counter, count) in state.counters.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      head(counter.rawValue, counter.help, "counter")
      lines.append("\(counter.rawValue) \(count)")
    }
    head("encircle_log_dropped_total", "Entries that could not be written to the log.", "counter")
    lines.append("encircle_log_dropped_total \(ServiceLog.dropped)")
    return lines.joined(separator: "\n") + "\n"
  }
}
