import Encircle

/// Decides events that arrive as JSON, one object a line on standard input.
@main
enum Quickstart {
  static func main() throws {
    // Which element has this ID?
    let screen = IdentifiedTree(try CaptureReader().read(contentsOf: "ViewTrees/home-feed.xml"))
    for element in screen.tree.elements where screen.trackingType(of: element) != nil {
      print(screen.eventID(of: element), screen.page(of: element) ?? "-", screen.path(of: element).written(.slashes))
    }

    // Which events are wanted? All problems of all files are thrown at once, with their places.
    let matcher = Matcher(try RuleFiles(["Rules"]).ruleSet())  // immutable: share it between tasks
    var decider = Decider(matcher)  // one for each task
    while let line = readLine() {
      let decision = try decider.decide(json: Array(line.utf8))
      if decision.isSelected { print(decision.emit, "by", decision.rules) }
    }
  }
}
