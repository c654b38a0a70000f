import ArgumentParser
import EncircleDrift

/// The arguments of `encircle diff` for captures of two versions of an app.
struct DriftOptions: ParsableArguments {
  /// When to end with status 1.
  enum Failure: String, CaseIterable, ExpressibleByArgument {
    /// A rule breaks.
    case broken
    /// A rule breaks, or anything on the screens is different.
    case different
  }

  @Option(
    name: .customLong("rules"),
    help: "Captures only: rules of which to see whether they break, a file or a directory; may be repeated.",
    completion: .file())
  var rules: [String] = []

  @Flag(help: "Captures only: list all elements, not only those whose taps an SDK would track.")
  var all = false

  @Option(help: "Captures only: the confidence from which on an element counts as found again.")
  var threshold = DriftThreshold.usual

  @Option(
    help: ArgumentHelp(
      "Captures only: write the repairs of rules of at least this confidence into the rule files.",
      valueName: "confidence"))
  var apply: Double?

  @Flag(help: "Captures only: let repairs replace old selectors, which otherwise stay for events of old versions.")
  var replace = false

  @Option(help: "Captures only: exit with status 1 if rules are broken, or if anything is different.")
  var failOn: Failure?

  /// Whether an argument is given that means something for captures only.
  var isGiven: Bool {
    !rules.isEmpty || all || apply != nil || replace || failOn != nil || threshold != DriftThreshold.usual
  }

  func validate() throws {
    for (name, value) in [("--threshold", threshold), ("--apply", apply ?? 1)] where !(0...1).contains(value) {
      throw ValidationError("\(name) takes a confidence from 0 to 1.")
    }
    if rules.isEmpty, apply != nil || replace {
      throw ValidationError("Name the rules that are to be repaired: --rules.")
    }
  }
}
