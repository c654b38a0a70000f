import EncircleEvents
import EncircleRuleFiles
import EncircleRules

/// Streams a file of events, compressed or not, through the rules of a directory.
@main
enum MatchEvents {
  static func main() throws {
    // All problems of all files are thrown at once, each with its place.
    let ruleSet = try RuleFiles(["Rules"]).ruleSet()
    let matcher = Matcher(ruleSet)
    var decider = Decider(matcher)

    var reader = try EventReader(path: "events.ndjson")
    while let record = try reader.next() {
      switch record {
      case .event(let line):
        let decision = decider.decide(eventOf: reader)
        print(line, decision.isSelected, decision.rules)
      case .rejection(let rejection): print("not an event:", rejection)
      }
    }

    try read([#"{"event":"$AppSt"#, #"art"}"#, "\n{}"])

    // The same for rules that are at hand as text, which may be wrong.
    do throws(RuleFileErrors) {
      _ = try RuleFiles(
        text: "version: 1\nrules: [{ id: start, include: { evnt: $AppStart } }]", name: "start.yaml"
      ).ruleSet()
    } catch {
      print(error)
    }
  }

  /// Reads events that arrive in chunks, as the body of a request does.
  private static func read(_ texts: [String]) throws {
    let body = texts.map(\.utf8)
    var reader = EventReader()
    for chunk in body {
      reader.append(chunk)
      while let record = try reader.next() { print(record) }
    }
    reader.finish()
    while let record = try reader.next() { print(record) }
  }
}
