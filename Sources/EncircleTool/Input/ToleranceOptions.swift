import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The arguments for events of elements that rules no longer match in a new version of the app.
struct ToleranceOptions: ParsableArguments, InputArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      For events that no rule is about, say which rule would probably select them, with at least this confidence: a \
      rule that lost its element between the anchors or old captures and the new ones of --captures. A rule's own \
      'tolerance' takes precedence.
      """, valueName: "level"))
  var tolerance: Double?

  @Option(
    help: "The anchors of the rules, with the screens on which they were circled. Default: the file beside the rules.",
    completion: .file())
  var anchors: String?

  @Option(
    help: ArgumentHelp(
      "For tolerance without captures: events of the old and the new version; may be repeated.", valueName: "events"),
    completion: .file())
  var history: [String] = []

  func validate() throws {
    if let tolerance, !(tolerance > 0 && tolerance <= 1) {
      throw ValidationError("--tolerance takes a confidence above 0, up to 1.")
    }
    if history.contains("-") { throw ValidationError("--history takes files: it is read before the events.") }
  }

  /// The files of the options.
  var inputPaths: [String] { history + (anchors.map { [$0] } ?? []) }

  /// Returns whether lost elements may matter: an option requests tolerance, or there are captures, from which rules with their
  /// own `tolerance` may have lost elements.
  func isAsked(with elements: KnownElementOptions) -> Bool {
    tolerance != nil || !inputPaths.isEmpty || !elements.captures.isEmpty
  }

  /// Returns the matcher, with the table of lost elements if a rule is tolerant.
  func tolerating(
    _ matcher: Matcher, _ rules: RuleOptions, _ elements: KnownElementOptions, _ formats: InputFormatOptions
  ) throws -> Matcher {
    var lost = LostElements(matcher, tolerance: tolerance)
    guard lost.isNeeded else {
      if tolerance == nil, !inputPaths.isEmpty {
        throw ValidationError("--anchors and --history go with --tolerance, or with rules that have a 'tolerance'.")
      }
      return matcher
    }
    let known = try anchorScreens(rules.rules, matcher.identity)
    let captures = try screens(elements, formats, matcher.identity)
    guard !history.isEmpty || Self.canBeCompared(captures, known) else {
      let needed =
        "captures of the new version (--captures), and of the old one or anchors (--anchors), or events (--history)"
      guard tolerance == nil else { throw ValidationError("--tolerance needs \(needed).") }
      printError("note: rules have a tolerance, for which there is nothing to compare: it needs \(needed)")
      return matcher
    }
    lost.find(on: captures, anchors: known)
    if !history.isEmpty { lost.add(try report(matcher)) }
    let rules = Set(lost.successors.map(\.rule))
    printError(
      "tolerance: \(counted(rules.count, "rule")) lost elements"
        + (rules.isEmpty ? "" : ": " + NameList.text(rules.sorted().map(\.text), atMost: 10)))
    return matcher.tolerating(ToleranceTable(lost.successors))
  }

  private static func canBeCompared(_ captures: [NamedScreen], _ anchors: [NamedScreen]) -> Bool {
    func versions(_ screens: [NamedScreen]) -> Set<String?> { Set(screens.map(\.screen.tree.header.appVersion)) }
    return !captures.isEmpty && (!anchors.isEmpty || versions(captures).count > 1)
  }

  private func anchorScreens(_ rules: [String], _ identity: IdentityOptions) throws -> [NamedScreen] {
    if let anchors {
      guard RuleDirectory.files(anchors) != nil else {
        throw ExitStatus.noInput.failure("\(anchors): error: no such file")
      }
      guard let file = try AnchorPath.read(anchors) else {
        throw ExitStatus.badData.failure(
          "\(anchors): error: this is not a file of anchors; 'encircle anchor' writes one")
      }
      return file.anchors.map { $0.screen(identity) }
    }
    return try rules.filter { $0 != "-" }.flatMap { path in
      try AnchorPath.read(AnchorPath.beside(path))?.anchors.map { $0.screen(identity) } ?? []
    }
  }

  private func screens(
    _ elements: KnownElementOptions, _ formats: InputFormatOptions, _ identity: IdentityOptions
  ) throws -> [NamedScreen] {
    // The matcher has read them before.
    let read = elements.captures + formats.inputPaths
    try StandardInput.requireOneUse(in: read + read)
    var screens: [NamedScreen] = []
    var source = CaptureSource(paths: elements.captures, formats, identity: identity)
    source.namesSkippedFiles = false
    try source.forEach { screens.append(NamedScreen(name: $0, screen: $1)) }
    try source.requireAll()
    return screens
  }

  /// Returns the drift of the rules in the events of the versions.
  private func report(_ matcher: Matcher) throws -> StreamDrift.Report {
    var drift = StreamDrift(matcher)
    let status = try EventInput.forEach(of: history, projection: drift.projection) { reader, _, _ in
      drift.add(eventOf: reader)
    }
    if status != .done { try status.exit() }
    return drift.finish()
  }
}
