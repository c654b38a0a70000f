import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleText
import EncircleTree

/// Rules for many elements of one capture.
public struct ScreenProposals: Sendable {
  /// One for each element that no rule takes, in the order of the capture.
  public internal(set) var rules: [ProposedRule] = []
  /// The first places of elements without a proposal, with their state under the rules.
  public internal(set) var others: [(element: ElementID, state: CoverageReport.State)] = []
  /// The elements that no rule can select, because their paths are too long, the style has no path for them, or events have other
  /// paths than the capture and neither ids nor texts name them.
  public internal(set) var impossible: [ElementID] = []
  /// The number of elements beyond the limit for one call.
  public internal(set) var beyondLimit = 0
  /// The app that the rules are for; nil for any.
  public internal(set) var app: String?
  /// The style of their selectors.
  public internal(set) var style = PathStyleName.hubbleData

  /// Returns the rules as one file in the layout of `encircle fmt`, with the reasons to review a rule written above it.
  ///
  /// - Parameter comments: Lines at the beginning; invisible characters in them are escaped.
  public func yaml(comments: [String] = []) -> String {
    var file: EventObject = ["version": 1]
    if let app, !style.namesBuilds { file["app"] = .string(app) }
    if style != .hubbleData { file["style"] = .string(style.rawValue) }
    return RuleFileText.written(
      file,
      rules.map { rule in
        (rule.object, rule.reviewReasons.map { "doubtful: \($0.description(of: rule.suggestion.selector))" })
      }, comments: comments)
  }
}
