import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules

/// Streams a file of events, compressed or not, through the rules of a directory.
@main
enum MatchEvents {
  static func main() throws {
    // All problems of all files are thrown at once, each with its place.
    let ruleSet = try RuleFileLoader.load(["Rules"])
    let matcher = Matcher(ruleSet)
    var decider = Decider(matcher)

    var reader = try EventReader(ByteSource(path: "events.ndjson"))
    while let record = try reader.next() {
      switch record {
      case .event(let line):
        let decision = decider.decide(eventOf: reader)
        print(line, decision.isSelected, decision.rules)
      case .rejection(let rejection): print("not an event:", rejection)
      }
    }

    // The same for rules that are at hand as text, which may be wrong.
    do throws(RuleFileErrors) {
      _ = try RuleFileLoader.load(
        text: "version: 1\nrules: [{ id: start, include: { evnt: $AppStart } }]", name: "start.yaml")
    } catch {
      print(error)
    }
  }
}
