import ArgumentParser
import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// `encircle diff` on captures of two versions of an app.
struct CaptureComparison {
  let options: DriftOptions
  let formats: InputFormatOptions

  // The maximum number of files in a directory that are checked to find out whether it has captures.
  private static let maximumLookedAt = 50

  /// Returns whether a path names a capture, a directory with at least one capture, or anchors. Standard input and pipes are
  /// not checked, because they can be read only once. For them, the other argument decides.
  static func areCaptures(_ path: String, _ formats: InputFormatOptions) throws -> Bool {
    if isReadOnce(path) { return false }
    let reader = try formats.readerOrExit()
    if try AnchorPath.read(path) != nil { return true }
    return CaptureList([path]).files.prefix(maximumLookedAt).contains { isCapture($0, reader) }
  }

  /// Returns whether a path names standard input or a pipe.
  static func isReadOnce(_ path: String) -> Bool { path == "-" || FileDescriptor.isStream(path) }

  /// Returns whether a file can be read as a capture. A broken file counts, too, if the user named it and it resembles a
  /// capture: reading it then reports the problem. A broken file that was found in a directory does not count, because a
  /// directory of rules may contain one, such as an empty note.
  private static func isCapture(_ file: CaptureList.File, _ reader: CaptureReader) -> Bool {
    do throws(CaptureError) {
      _ = try reader.read(contentsOf: file.path)
      return true
    } catch {
      return !file.isFound && CaptureList.isNamedLikeCapture(file.path) && !error.isOfOtherFile
    }
  }

  /// Compares captures, and the rules on them; writes repairs on request.
  func report(_ old: String, _ new: String) throws -> DriftReport {
    let files = options.rules.isEmpty ? nil : RuleFiles(options.rules)
    if let name = files?.compiled.first?.name {
      throw ValidationError("\(name) holds compiled rules, which cannot be repaired: name the files they were made of.")
    }
    let ruleSet = try files.map { try RuleOptions.ruleSet($0) }
    let identity = ruleSet?.identity ?? IdentityOptions()
    let anchors = try AnchorPath.read(old)?.anchors
    let before = try anchors?.map { $0.screen(identity) } ?? screens(old, identity)
    var now = try screens(new, identity)
    // Anchors omit some data, such as the values of controls. Those data must not count as new.
    if anchors != nil { now = now.map { $0.asAnchored(identity) } }
    let pairing = ScreenPairing(before, now)
    let drifts = pairing.pairs.map {
      ScreenDrift(from: before[$0.old], to: now[$0.new], threshold: options.threshold)
    }
    Self.noteOrder(of: drifts)
    var report = DriftReport(
      screens: drifts, onlyOld: pairing.onlyOld.map { before[$0].name }, onlyNew: pairing.onlyNew.map { now[$0].name },
      listsAll: options.all)
    guard let files, let ruleSet else { return report }
    noteUnserved(before + now, by: ruleSet)
    let open = Self.rulesWithoutCounterpart(ruleSet, drifts, pairing.onlyOld.map { before[$0].screen })
    for id in open { printError("note: \(id) is not compared: the captures with its elements have no counterpart") }
    report.ruleCount = ruleSet.rules.count - open.count
    var repairer = RuleRepairer(files, ruleSet, drifts, threshold: options.threshold)
    let broken = RuleDrift.find(ruleSet, drifts, threshold: options.threshold)
    let repairs = repairer.repairs(of: broken, replaces: options.replace)
    report.rules = zip(broken, repairs).map { DriftReport.Rule(drift: $0, repair: $1) }
    if let least = options.apply { try apply(repairer, from: least, &report) }
    return report
  }

  private func screens(_ path: String, _ identity: IdentityOptions) throws -> [NamedScreen] {
    var screens: [NamedScreen] = []
    var source = CaptureSource(paths: [path], formats, identity: identity)
    try source.forEach { screens.append(NamedScreen(name: $0, screen: $1)) }
    try source.requireAll()
    guard !screens.isEmpty else {
      throw ValidationError("\(path) has no capture: captures are compared with captures, and rules with rules.")
    }
    return screens
  }

  /// Notes that the arguments are probably in the wrong order: all old captures are of a later version than the new ones.
  private static func noteOrder(of drifts: [ScreenDrift]) {
    let backwards = drifts.compactMap { drift -> (old: String, new: String)? in
      guard let old = drift.old.screen.tree.header.appVersion, let new = drift.new.screen.tree.header.appVersion,
        let before = VersionNumber(old), let now = VersionNumber(new), now < before
      else { return nil }
      return (old, new)
    }
    guard let first = backwards.first, backwards.count == drifts.count else { return }
    printError("note: the captures of version \(first.old) are compared with those of the earlier version \(first.new)")
  }

  /// Returns the rules whose elements are only on old captures without a counterpart.
  private static func rulesWithoutCounterpart(
    _ ruleSet: RuleSet, _ drifts: [ScreenDrift], _ screens: [IdentifiedTree]
  ) -> [UTF8String] {
    guard !screens.isEmpty else { return [] }
    let compared = RuleDrift.selecting(ruleSet, on: drifts.flatMap { [$0.old.screen, $0.new.screen] })
    return RuleDrift.selecting(ruleSet, on: screens).subtracting(compared).sorted()
  }

  /// Names the captures on which no rule can select an element, and the styles whose clauses are not compared, because the taps on a
  /// capture's elements are events of one style.
  private func noteUnserved(_ screens: [NamedScreen], by ruleSet: RuleSet) {
    let withoutRules = ruleSet.withoutRules
    var ignored: [PathStyleName: Set<PathStyleName>] = [:]
    for named in screens {
      let style = withoutRules.part(for: named.screen).style
      if let unmet = style.style.unmetRequirement(for: named.screen) {
        printError("\(named.name): note: no rules compared: a style of the rules cannot serve this capture: \(unmet)")
      }
      let others = ruleSet.styles.filter { $0 != style && named.screen.isOnPlatform(of: $0) }
      if !others.isEmpty { ignored[style, default: []].formUnion(others) }
    }
    for (style, others) in ignored.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      printError(
        "note: rules are compared in style \(style.rawValue), and not those for the same platform in style "
          + NameList.text(others.map(\.rawValue).sorted(), atMost: 10) + ": compare these in a rule set of their own")
    }
  }

  /// Writes the repairs that are certain enough. Unless requested, repairs must not lose events of old versions.
  private func apply(_ repairer: RuleRepairer, from least: Double, _ report: inout DriftReport) throws {
    var repairs: [RuleRepair] = []
    for number in report.rules.indices {
      guard let repair = report.rules[number].repair, repair.confidence >= least, options.replace || !repair.isReplacing
      else { continue }
      repairs.append(repair)
      report.rules[number].isApplied = true
    }
    for (file, before, after) in try RuleOptions.orExit({ try repairer.applying(repairs) }) where before != after {
      try FileReplacement.requireChangeable(file)
      try FileReplacement.save(Array(after.utf8), over: file)
    }
  }
}
