import EncircleRules
import EncircleTree

/// Counts what became of events. Each record that was read is exactly one of selected, excluded, unresolved, not selected
/// and rejected.
struct MatchSummary {
  private(set) var selected = 0
  /// Not selected because an exclude rule or an excluded page matched.
  private(set) var excluded = 0
  /// Not selected, and their element could not be found: an unknown event ID or a path that cannot be read.
  private(set) var unresolved = 0
  /// Not selected because no rule asked for them.
  private(set) var notSelected = 0
  private(set) var rejected = 0
  private var ambiguous = 0
  private var byRule: [Name: Int] = [:]
  private var byExcludeRule: [Name: Int] = [:]
  private var byPage: [Name: Int] = [:]
  private var byName: [Name: Int] = [:]

  /// All that was read.
  var read: Int { selected + excluded + unresolved + notSelected + rejected }

  mutating func count(_ decision: Decision) {
    if decision.isSelected {
      selected += 1
    } else if !decision.excludedBy.isEmpty || !decision.pages.isEmpty {
      excluded += 1
    } else if decision.resolution == .unresolved {
      unresolved += 1
    } else {
      notSelected += 1
    }
    if decision.resolution == .ambiguous { ambiguous += 1 }
    for name in decision.rules { byRule[name, default: 0] += 1 }
    for name in decision.excludedBy { byExcludeRule[name, default: 0] += 1 }
    for name in decision.pages { byPage[name, default: 0] += 1 }
    for name in decision.emit { byName[name, default: 0] += 1 }
  }

  mutating func countRejection() { rejected += 1 }
}

extension MatchSummary: CustomStringConvertible {
  /// The counts as lines.
  var description: String {
    var lines = [
      "read \(read) = selected \(selected) + excluded \(excluded) + unresolved \(unresolved) "
        + "+ not selected \(notSelected) + rejected \(rejected)"
    ]
    if ambiguous > 0 { lines.append("\(ambiguous) with an ambiguous path") }
    func add(_ title: String, _ counts: [Name: Int]) {
      guard !counts.isEmpty else { return }
      lines.append("\(title):")
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { lines.append("  \(name)  \(count)") }
    }
    add("matched by include rules", byRule)
    add("matched by exclude rules", byExcludeRule)
    add("on excluded pages", byPage)
    add("selected as", byName)
    return lines.joined(separator: "\n")
  }
}
