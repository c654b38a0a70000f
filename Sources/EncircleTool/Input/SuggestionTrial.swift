import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Foundation

/// Tries suggestions in other captures and orders them by the elements that they select there.
struct SuggestionTrial {
  /// The elements that the suggestions select in another capture.
  struct Other {
    var capture: String
    /// This is true if the capture has the element's page.
    var hasPage: Bool
    /// The pages of the elements that each selector matches.
    var matches: [[String?]]
    /// The outcome of each suggestion.
    var outcomes: [TransferRanking.Outcome] = []
  }

  private(set) var suggestions: [Suggestion]
  private(set) var others: [Other] = []
  private var ranking: TransferRanking
  private let style: PathStyleName

  init(_ suggestions: [Suggestion], style: PathStyleName, ranking: TransferRanking) {
    self.suggestions = suggestions
    self.style = style
    self.ranking = ranking
  }

  /// Tries the suggestions in all captures except the one that they were made from.
  ///
  /// - Parameter page: The page of the element.
  /// - Returns: The exit status for captures that cannot be read.
  mutating func run(
    _ paths: [String], _ formats: InputFormatOptions, without own: String?, page: String?
  ) throws -> ExitStatus {
    guard !paths.isEmpty else { return .done }
    let own = own.flatMap { $0 == "-" ? nil : URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    var source = CaptureSource(paths: paths, formats)
    let settings = SelectionSettings(style: style)
    let (style, suggestions) = (style, suggestions)
    var ranking = ranking
    var others: [Other] = []
    try source.forEach { name, screen in
      if let own, URL(fileURLWithPath: name).resolvingSymlinksInPath().path == own { return }
      if let refusal = style.refusal(of: screen) {
        printError("\(name): note: \(refusal)")
        return
      }
      let matches = suggestions.map { settings.elements(matching: $0.selector, in: screen) }
      let hasPage =
        page != nil && screen.tree.elements.contains { sameText(screen.page(of: $0, in: style), page) }
      ranking.add(screen, matches: matches)
      others.append(
        Other(capture: name, hasPage: hasPage, matches: matches.map { $0.map { screen.page(of: $0, in: style) } }))
    }
    self.ranking = ranking
    self.others = others
    return source.status
  }

  /// Orders the suggestions by the elements that they select in the other captures, and keeps the best.
  mutating func keepBest(_ limit: Int) {
    let order = Array(ranking.order.prefix(limit))
    for i in others.indices {
      others[i].outcomes = order.map { ranking.outcomes(of: $0)[i] }
      let matches = others[i].matches
      others[i].matches = order.map { matches[$0] }
    }
    suggestions = order.map { suggestions[$0] }
  }
}
