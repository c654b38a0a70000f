import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// `encircle plan take`
struct PlanTakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take",
    abstract: "Take events that are not in the plan into it, with the properties and types that were seen.",
    discussion: """
      Prints what would be added to the plan, and with --write adds it. Events without a name of their own count under the names \
      that rules emit. Values are taken if they are few and several people have sent each of them, because a value that only one \
      person has sent may be private.

      Exit status 1 if an event that is named was not seen.
      """)

  @OptionGroup var rules: RuleOptions

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var options: PlanOptions

  @Option(help: .eventFiles, completion: .file())
  var events: [String]

  @Argument(help: "The names of the events. Default: all that the plan does not mention.")
  var names: [String] = []

  @Flag(help: "Write them into the first file of the plan, which is made where there is none.")
  var write = false

  func validate() throws {
    let inputs = events + rules.rules + elements.captures + options.plan
    try StandardInput.requireOneUse(in: inputs + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if write { try options.requireFiles(rules) }
  }

  func run() throws {
    let ruleSet = try rules.loadRules()
    let (plan, texts) = try options.loadTexts(rules, for: ruleSet)
    let (dictionary, _) = try elements.loadScreens(formats, for: ruleSet)
    var counter = PlanStatusCounter(
      plan, ruleSet, dictionary: dictionary, now: Moment.now.milliseconds)
    counter.keepSamples()
    let read = try EventInput.forEach(of: events, projection: counter.projection) { reader, file, line in
      counter.add(eventOf: reader, PlanReport.Place(file: file, line: line))
    }
    let wanted = names.isEmpty ? nil : Set(names.map { UTF8String($0) })
    let items = counter.finishSamples().items(for: plan, wanted)
    var status = read
    for name in names where !items.contains(where: { $0["event"] == .string(name) }) {
      if plan.entry(of: UTF8String(name))?.isPlanned ?? false {
        printError("note: '\(name)' is in the plan already")
      } else {
        printError("error: '\(name)' was not seen")
        status = status.joined(with: .findings)
      }
    }
    if items.isEmpty, names.isEmpty { printError("note: nothing was seen that the plan does not have") }
    if !items.isEmpty { try take(items, texts) }
    try status.exit()
  }

  private func take(_ items: [EventObject], _ files: [(name: String, text: String)]) throws {
    let home = options.home(rules)
    var files = files
    let shown = try RuleOptions.orExit {
      let shown = try PlanSamples.appending(items, to: "", name: home)
      if !files.contains(where: { $0.name.hasSameBytes(as: home) }) { files.append((home, "")) }
      for i in files.indices where files[i].name.hasSameBytes(as: home) {
        files[i].text = try PlanSamples.appending(items, to: files[i].text, name: home)
      }
      _ = try PlanFiles(texts: files, for: RuleSet())
      return shown
    }
    try ResultWriter.print(shown)
    guard write, let file = files.first(where: { $0.name.hasSameBytes(as: home) }) else { return }
    try FileReplacement.save(Array(file.text.utf8), over: home)
    printError("\(home) was written")
  }
}
