import ArgumentParser
import EncircleAuthoring
import EncircleText

/// The formats of findings about rules.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, github

  /// Returns findings in the format.
  ///
  /// - Parameter isColored: True if the text format has colours.
  func text(of findings: [Finding], isColored: Bool = false) -> String {
    switch self {
    case .text: findings.map { FindingText.text($0, isColored: isColored) }.joined()
    case .json: FindingJSON.text(of: findings)
    case .sarif: SARIFLog.text(of: findings)
    case .github: findings.map(GitHubAnnotation.line).joined()
    }
  }

  /// Returns the problems of rule files that cannot be loaded; empty for `text`, where only standard error has them.
  func text(of problems: [Diagnostic]) -> String {
    switch self {
    case .text: ""
    case .json: FindingJSON.text(of: problems)
    case .sarif: SARIFLog.text(of: problems)
    case .github: problems.map(GitHubAnnotation.line).joined()
    }
  }

  /// The code of problems that prevent a rule file from being loaded.
  static let problemCode = "rule-file-error"
}
