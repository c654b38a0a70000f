/// The reason why a record batch cannot be decided.
public enum ArrowProblem: Error, Hashable, CustomStringConvertible {
  /// The columns do not form a table of events, or do not have Arrow's layout.
  case columns(String)
  /// More rows, or longer answers, than one batch can have.
  case tooLarge

  /// The problem in words.
  public var description: String {
    switch self {
    case .columns(let message): message
    case .tooLarge:
      "the answers to these rows take more than 2 GiB, or there are more than 2,147,483,647 rows: split the batch"
    }
  }
}
