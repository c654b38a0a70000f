import ArgumentParser
import EncircleDrift

/// The arguments of `encircle diff` for captures of two versions of an app.
struct DriftOptions: ParsableArguments {
  /// The conditions for exit status 1.
  enum Failure: String, CaseIterable, ExpressibleByArgument {
    /// A rule breaks.
    case broken
    /// A rule breaks, or the screens differ in any way.
    case different
  }

  @Option(
    name: .customLong("rules"),
    help: "For captures: rules that may break, a file or a directory; may be repeated.",
    completion: .file())
  var rules: [String] = []

  @Flag(help: "List all elements, not only those whose taps an SDK would track; for captures.")
  var all = false

  @Option(parsing: .unconditional, help: "The least confidence of an element that counts as found again; for captures.")
  var threshold = DriftThreshold.usual

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write the repairs of rules of at least this confidence into the rule files; for captures.",
      valueName: "confidence"))
  var apply: Double?

  @Flag(help: "Let repairs replace old selectors, which otherwise stay for events of old versions; for captures.")
  var replace = false

  @Option(help: "Exit with status 1 if rules are broken, or if anything is different; for captures.")
  var failOn: Failure?

  /// This is true if an argument is given that only applies to captures.
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
    if rules.isEmpty, failOn == .broken { throw ValidationError("Name the rules that may be broken: --rules.") }
  }
}
