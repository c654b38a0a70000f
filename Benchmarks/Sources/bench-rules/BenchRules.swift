import Foundation

/// Measures decisions on one event stream by one rule set, and prints one JSON object.
///
/// A first pass, which is not measured, finds out how many events fit into the budget, and writes the matches of the first events
/// for a comparison with the reference. Then each pass only reads the events, decides them end to end from bytes, and decides
/// them after they have been read. All passes must match the same number of rules.
@main
struct BenchRules {
  static let usage = """
    usage: bench-rules RULES.jsonl EVENTS.ndjson [options]
      --limit N          only the first N rules
      --passes N         counted passes, 5 by default
      --budget SECONDS   a pass takes no more events than the first one got done in that time
      --events N         a pass takes at most so many events
      --only PART        measures only compile, read, e2e or match, to have a profile of it; or message: each line as a
                         message of its own, decided end to end
      --dump K FILE      writes the ids of the rules that match, for each of the first K events
    """

  static func main() throws {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
    let before = Meter.residentBytes
    let (loading, ruleSet) = try Meter.time { try RuleLines.load(options.rules, limit: options.limit) }
    let loaded = Meter.residentBytes
    let (compiling, engine) = Meter.time { Engine(ruleSet) }
    let compiled = Meter.residentBytes
    let peakOfCompiling = Meter.peakBytes

    var lines = [UInt8](try Data(contentsOf: URL(fileURLWithPath: options.stream)))
    let expected = try tryOut(engine, lines, options)
    lines.removeLast(lines.count - length(of: expected.records, in: lines))

    var passes: [String: [Double]] = [:]
    if options.only == "compile" {
      passes["compile_ns_per_rule"] = (0..<options.passes).map { _ in
        Meter.time { _ = Engine(ruleSet) }.seconds / Double(max(1, ruleSet.rules.count)) * 1e9
      }
    }
    func pass(_ name: String, _ work: () throws -> Answers) rethrows {
      if let only = options.only, name != "\(only)_ns" { return }
      let (seconds, answers) = try Meter.time(work)
      check(answers, expected, name)
      passes[name, default: []].append(seconds / Double(expected.records) * 1e9)
    }
    for _ in 0..<options.passes {
      try pass("read_ns") {
        var answers = expected
        answers.records = try engine.read(lines)
        return answers
      }
      try pass("e2e_ns") { try engine.decide(lines) }
      if options.only == "message" { pass("message_ns") { engine.decideMessages(lines) } }
    }
    let peak = Meter.peakBytes
    let prepared = try engine.prepare(options.only ?? "match" == "match" ? lines : [])
    for _ in 0..<options.passes {
      pass("match_ns") {
        var answers = engine.decide(prepared)
        answers.records = expected.records
        answers.rejected = expected.rejected
        return answers
      }
    }

    let rules = Double(max(1, ruleSet.rules.count))
    var row: [String: Any] = [
      "peer": "encircle", "rules": ruleSet.rules.count, "events": expected.records, "bytes": lines.count,
      "rejected": expected.rejected, "pairs": expected.pairs, "kept": expected.kept, "load_s": loading,
      "compile_s": compiling, "peak_compile_mb": Double(peakOfCompiling) / 1e6, "peak_mb": Double(peak) / 1e6,
    ]
    for (name, figures) in passes { row[name] = figures }
    if let before, let loaded, let compiled {
      row["load_bytes_per_rule"] = Double(loaded - before) / rules
      row["growth_per_rule"] = Double(compiled - loaded) / rules
    }
    if let bytes = engine.memoryInBytes { row["bytes_per_rule"] = Double(bytes) / rules }
    if let rate = engine.memoHitRate { row["memo_hit"] = rate }
    let json = try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys, .withoutEscapingSlashes])
    FileHandle.standardOutput.write(json + Data("\n".utf8))
  }

  /// Runs the first pass, which determines the number of events in the other passes and the expected answers.
  private static func tryOut(_ engine: Engine, _ lines: [UInt8], _ options: Options) throws -> Answers {
    var dump = ""
    var records = 0
    let end = Meter.seconds + options.budget
    let answers = try engine.decide(lines) { ids in
      if records < options.dumped {
        dump += "{\"i\":\(records),\"ids\":[\(ids().map(String.init).joined(separator: ","))]}\n"
      }
      records += 1
      if records >= options.events { return false }
      // The events for the reference are decided even beyond the budget.
      return records < options.dumped || Meter.seconds < end
    }
    if let path = options.dump { try dump.write(toFile: path, atomically: true, encoding: .utf8) }
    return answers
  }

  /// Returns the length of the first `count` lines, in bytes.
  private static func length(of count: Int, in lines: [UInt8]) -> Int {
    lines.withUnsafeBufferPointer { lines in
      var left = count
      for (i, byte) in lines.enumerated() where byte == UInt8(ascii: "\n") {
        left -= 1
        if left == 0 { return i + 1 }
      }
      return lines.count
    }
  }

  private static func check(_ answers: Answers, _ expected: Answers, _ pass: String) {
    guard answers != expected else { return }
    FileHandle.standardError.write(Data("wrong: \(pass): \(answers), expected \(expected)\n".utf8))
    exit(1)
  }
}

/// The options on the command line.
private struct Options {
  var rules = ""
  var stream = ""
  var limit = Int.max
  var passes = 5
  var budget = Double.infinity
  var events = Int.max
  var dumped = 0
  var dump: String?
  var only: String?

  /// Returns nil if the arguments are invalid.
  init?(_ arguments: some Sequence<String>) {
    var files: [String] = []
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--limit":
        guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        limit = number
      case "--passes":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        passes = number
      case "--budget":
        guard let seconds = rest.popFirst().flatMap({ Double($0) }) else { return nil }
        budget = seconds
      case "--events":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        events = number
      case "--only":
        guard let part = rest.popFirst(), ["compile", "read", "e2e", "match", "message"].contains(part) else {
          return nil
        }
        only = part
      case "--dump":
        guard let number = rest.popFirst().flatMap({ Int($0) }), let path = rest.popFirst() else { return nil }
        dumped = number
        dump = path
      default: files.append(word)
      }
    }
    guard files.count == 2 else { return nil }
    rules = files[0]
    stream = files[1]
  }
}
