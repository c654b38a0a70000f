import Synchronization

/// Counters in the format of Prometheus.
///
/// Source of the format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
final class ServiceMetrics: Sendable {
  private struct State {
    var operations: [String: Int] = [:]
    var statuses: [Int: Int] = [:]
    var buckets = Array(repeating: 0, count: ServiceMetrics.bounds.count + 1)
    var seconds = 0.0
    var counters: [String: (help: String, value: Int)] = [:]
  }

  private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
  private let state = Mutex(State())

  func begin(_ operation: String) { state.withLock { $0.operations[operation, default: 0] += 1 } }

  func count(status: Int, seconds: Double) {
    state.withLock { state in
      state.statuses[status, default: 0] += 1
      state.seconds += seconds
      state.buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
  }

  /// Adds to a counter of the service, such as `encircle_events_total`.
  func add(_ count: Int, to name: String, help: String) {
    state.withLock { state in
      state.counters[name, default: (help, 0)].value += count
    }
  }

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
    for (name, counter) in state.counters.sorted(by: { $0.key < $1.key }) {
      head(name, counter.help, "counter")
      lines.append("\(name) \(counter.value)")
    }
    head("encircle_log_dropped_total", "Entries that could not be written to the log.", "counter")
    lines.append("encircle_log_dropped_total \(ServiceLog.dropped)")
    return lines.joined(separator: "\n") + "\n"
  }
}
