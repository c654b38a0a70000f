import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import Foundation

/// Times decisions on an event stream, one thread, CPU time, best and median of several runs.
///
///     swift run -c release --package-path Benchmarks bench-rules [-r RUNS] EVENTS RULES…
@main
struct BenchRules {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var runs = 7
    if arguments.first == "-r", arguments.count > 2, let number = Int(arguments[1]) {
      runs = number
      arguments.removeFirst(2)
    }
    guard arguments.count >= 2 else {
      print("usage: bench-rules [-r RUNS] EVENTS RULES…")
      exit(64)
    }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: arguments[0])))
    let events = try count(bytes)
    print("\(events) events, \(String(format: "%.1f", Double(bytes.count) / 1e6)) MB, \(runs) runs")
    let json = try time("JSON alone", runs, events, bytes.count) { _ = try count(bytes) }
    for path in arguments.dropFirst() {
      let loading = clock()
      let ruleSet = try RuleFileLoader.load([path])
      let compiling = clock()
      let matcher = Matcher(ruleSet)
      let done = clock()
      let seconds = { (from: clock_t, to: clock_t) in
        String(format: "%.2f s", Double(to - from) / Double(CLOCKS_PER_SEC))
      }
      print(
        "\(path): \(matcher.rules.count) rules, loaded in \(seconds(loading, compiling)), compiled in \(seconds(compiling, done))"
      )
      var matches = 0
      let all = try time("JSON and decisions", runs, events, bytes.count) { matches = try decide(bytes, matcher) }
      print("  matches per event \(Double(matches) / Double(events)), share of JSON \(Int(100 * json / all)) %")
    }
  }

  private static func time(_ name: String, _ runs: Int, _ events: Int, _ bytes: Int, _ work: () throws -> Void) rethrows
    -> Double
  {
    var seconds: [Double] = []
    for _ in 0..<runs {
      let start = clock()
      try work()
      seconds.append(Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }
    seconds.sort()
    let figures = [seconds[0], seconds[runs / 2]].map {
      String(
        format: "%.0f events/s, %.0f ns/event, %.0f MB/s", Double(events) / $0, $0 / Double(events) * 1e9,
        Double(bytes) / $0 / 1e6)
    }
    print("  \(name): best \(figures[0]); median \(figures[1])")
    return seconds[runs / 2]
  }

  private static func count(_ bytes: [UInt8]) throws -> Int {
    var reader = EventReader(ByteSource(bytes))
    var events = 0
    while let record = try reader.next() { if case .event = record { events += 1 } }
    return events
  }

  private static func decide(_ bytes: [UInt8], _ matcher: Matcher) throws -> Int {
    var reader = EventReader(ByteSource(bytes))
    var state = MatchState(for: matcher)
    var matches = 0
    while let record = try reader.next() {
      guard case .event = record else { continue }
      let decision = matcher.decide(eventOf: reader, using: &state)
      matches += decision.rules.count + decision.excludedBy.count
    }
    return matches
  }
}
