import EncircleDrift
import EncircleIdentity
import EncircleText
import EncircleTree

/// The changes between captures of two versions of an app, for the output formats.
package struct DriftReport {
  /// A rule that breaks, with its repair.
  package struct Rule {
    package let drift: RuleDrift
    package let repair: RuleRepair?
    /// This is true if the repair has been written.
    package var isApplied = false

    package init(drift: RuleDrift, repair: RuleRepair?) {
      self.drift = drift
      self.repair = repair
    }
  }

  package var screens: [ScreenDrift]
  package var onlyOld: [String]
  package var onlyNew: [String]
  package var rules: [Rule] = []
  /// The number of rules that were checked; nil if none were requested.
  package var ruleCount: Int?
  /// This is true if elements whose taps no SDK tracks are listed, too.
  package var listsAll: Bool

  package init(screens: [ScreenDrift], onlyOld: [String], onlyNew: [String], listsAll: Bool = false) {
    self.screens = screens
    self.onlyOld = onlyOld
    self.onlyNew = onlyNew
    self.listsAll = listsAll
  }

  /// This is true if anything on the screens is different.
  package var isDifferent: Bool {
    !onlyOld.isEmpty || !onlyNew.isEmpty
      || screens.contains { !$0.changes.isEmpty || !$0.gone.isEmpty || !$0.added.isEmpty }
  }

  /// Returns the report with captures renamed; `names` maps the old names to the new ones.
  package func renamed(_ names: [String: String]) -> DriftReport {
    var report = self
    report.screens = screens.map { $0.renamed { names[$0] ?? $0 } }
    report.onlyOld = onlyOld.map { names[$0] ?? $0 }
    report.onlyNew = onlyNew.map { names[$0] ?? $0 }
    return report
  }

  package func isListed(_ element: ElementID, of screen: NamedScreen) -> Bool {
    listsAll || screen.isTracked(element)
  }

  /// Returns the changes of a screen that the report lists.
  package func changes(_ screen: ScreenDrift) -> [ScreenDrift.Change] {
    screen.changes.filter { isListed($0.match.old, of: screen.old) || isListed($0.match.new, of: screen.new) }
  }

  package func gone(_ screen: ScreenDrift) -> [ElementID] { screen.gone.filter { isListed($0, of: screen.old) } }
  package func added(_ screen: ScreenDrift) -> [ElementID] { screen.added.filter { isListed($0, of: screen.new) } }
  package func reusedIDs(_ screen: ScreenDrift) -> [ScreenDrift.IDReuse] {
    screen.reusedIDs.filter { isListed($0.old, of: screen.old) || isListed($0.new, of: screen.new) }
  }
}

extension NamedScreen {
  package func path(of element: ElementID) -> String { screen.path(of: element).written(.slashes) }

  /// Returns whether an SDK would track taps on an element. Only SDKs for the web track elements of web pages.
  fileprivate func isTracked(_ element: ElementID) -> Bool {
    guard screen.tree.web != nil else { return screen.trackingType(of: element) != nil }
    return PathStyleName.allCases.contains { $0.isWeb && screen.trackingType(of: element, in: $0) != nil }
  }
}

extension RuleDrift.Kind {
  /// The way in which the rule breaks, for people.
  package var heading: String {
    switch self {
    case .nothing: "selects nothing"
    case .another: "selects another element"
    case .fewer: "selects fewer elements"
    case .more: "selects more elements"
    case .gone: "its element is gone"
    }
  }
}

/// Returns two paths without their common beginning.
func pathDifference(_ old: ElementPath, _ new: ElementPath) -> (old: String, new: String) {
  var common = 0
  while common + 1 < min(old.components.count, new.components.count), old.components[common] == new.components[common] {
    common += 1
  }
  // The last common component is kept, as it shows where the paths part.
  let start = max(0, common - 1)
  func text(_ path: ElementPath) -> String {
    (start > 0 ? "…/" : "") + ElementPath(Array(path.components[start...])).written(.slashes)
  }
  return (text(old), text(new))
}

/// Returns a confidence as text for people, such as `0.97`.
package func confidenceText(_ value: Double) -> String {
  let hundredths = Int((min(max(value, 0), 1) * 100).rounded(.down))
  return hundredths == 100 ? "1.00" : "0." + zeroPadded(hundredths, to: 2)
}
