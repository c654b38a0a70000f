import Testing

/// The statements in `docs/articles.md` that a test shows. The tables' column of tests is compared with these traits.
public struct ArticleStatements: TestTrait {
  /// Numbers such as `H12`.
  public let numbers: [String]
}

extension Trait where Self == ArticleStatements {
  /// Says which statements a test shows, by their numbers in `docs/articles.md`.
  public static func articles(_ numbers: String...) -> Self { ArticleStatements(numbers: numbers) }
}
