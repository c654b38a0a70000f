/// The certainty that a rule decides like its definition.
public enum ImportGrade: String, CaseIterable, Sendable, Comparable {
  /// It decides every event as the definition does.
  case exact
  /// It depends on a fact that is not in the file.
  case unverified
  /// It takes only part.
  case narrower
  /// It takes all that the definition took, and more.
  case wider
  /// No rule was made.
  case skipped

  public static func < (a: ImportGrade, b: ImportGrade) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .exact: 0
    case .unverified: 1
    case .narrower: 2
    case .wider: 3
    case .skipped: 4
    }
  }
}
