import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Describes the cause of an event in words, from the rule that emits it.
enum PlanTrigger {
  /// Returns a sentence such as `Tap on 加入购物车, on HomeViewController`; nil if no rule emits the event, or its clause asks for neither.
  ///
  /// The sentence describes the first clause for the platform and the version. If there is none, it describes the first clause for
  /// the platform, and else the first of all.
  ///
  /// - Parameters:
  ///   - platform: Nil for any platform.
  ///   - version: The version of the app; nil for later versions than any that a clause names.
  static func text(
    _ entry: TrackingPlan.Entry, _ set: PlanHeaders, platform: PlannedEvent.Platform? = nil, version: String? = nil
  ) -> String? {
    let rules = entry.rules.contains(where: \.isEnabled) ? entry.rules.filter(\.isEnabled) : entry.rules
    let clauses = rules.flatMap(\.clauses)
    let own = clauses.filter { clause in
      guard let platform, case .only(let style) = clause.style else { return true }
      return platform == (style.isWeb ? .web : style.isAndroid ? .android : .ios)
    }
    let number = version.flatMap { VersionNumber($0) }
    let current = own.first { clause in
      clause.properties.allSatisfy { test in
        guard case .version(let range) = test.condition else { return true }
        return number.map { range.contains($0) } ?? range.isOpenEnded
      }
    }
    return (current ?? own.first ?? clauses.first).flatMap { text($0, set) }
  }

  /// Returns a sentence that describes a clause; nil if it asks for neither an element, a page nor an event.
  static func text(_ clause: RuleClause, _ set: PlanHeaders) -> String? {
    let texts = clause.properties.flatMap { test -> [String] in
      switch test.property {
      case .property("$element_content"), .property("$title"), .property("$el_text"): PlanTable.names(test.condition)
      default: []
      }
    }
    let pages = PlanTable.pages(clause.page)
    let names = PlanTable.names(clause.event)
    let isElement = !clause.selectors.isEmpty || !clause.eventIDs.isEmpty || !texts.isEmpty
    guard isElement || !pages.isEmpty || !names.isEmpty else { return nil }
    let isChinese = set == .zh || set == .sensors
    let separator = isChinese ? "、" : " or "
    let page = pages.joined(separator: separator)
    let what = texts.isEmpty ? clause.selectors.first?.description ?? "" : texts.joined(separator: separator)
    if isChinese {
      let start = isElement ? "点击\(what.isEmpty ? "元素" : " \(what)")" : names.joined(separator: separator)
      return page.isEmpty ? start : start.isEmpty ? page : "\(start)（\(page)）"
    }
    let start = isElement ? "Tap on \(what.isEmpty ? "an element" : what)" : names.joined(separator: separator)
    return page.isEmpty ? start : start.isEmpty ? "On \(page)" : "\(start), on \(page)"
  }
}
