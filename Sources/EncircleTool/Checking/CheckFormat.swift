import ArgumentParser
import EncircleCheck
import EncircleText

/// The formats in which findings about rules are written.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, github

  /// The findings.
  func text(of findings: [Finding]) -> String {
    switch self {
    case .text: findings.map(FindingText.text).joined()
    case .json: FindingJSON.text(of: findings)
    case .sarif: SARIFLog.text(of: findings)
    case .github: findings.map(GitHubAnnotation.line).joined()
    }
  }

  /// The problems of rule files that cannot be checked; people read them on standard error.
  func text(of problems: [Diagnostic]) -> String {
    switch self {
    case .text: ""
    case .json: FindingJSON.text(of: problems)
    case .sarif: SARIFLog.text(of: problems)
    case .github: problems.map(GitHubAnnotation.line).joined()
    }
  }

  /// The code of a problem for which a rule file is not loaded.
  static let problemCode = "rule-file-error"
}
