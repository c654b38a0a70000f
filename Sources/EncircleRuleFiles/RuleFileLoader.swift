import EncircleRules
import EncircleText

/// The problems of rule files, all of them.
public struct RuleFileErrors: Error, Sendable, CustomStringConvertible {
  /// The problems, by file and place.
  public let diagnostics: [Diagnostic]
  /// Whether all that is wrong is that files are missing.
  public let isMissingInput: Bool

  package init(_ diagnostics: [Diagnostic], isMissingInput: Bool) {
    // Stable, so that problems of one place stay as they were found, and files as they were read.
    var files: [String: Int] = [:]
    for diagnostic in diagnostics where files[diagnostic.file ?? ""] == nil {
      files[diagnostic.file ?? ""] = files.count
    }
    let start = SourceLocation(line: 0, column: 0)
    let places = diagnostics.enumerated().map { i, diagnostic in
      (file: files[diagnostic.file ?? ""] ?? 0, location: diagnostic.location ?? start, number: i)
    }
    self.diagnostics = places.sorted { $0 < $1 }.map { diagnostics[$0.number] }
    self.isMissingInput = isMissingInput
  }

  /// The problems, one after the other.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// Loads rule sets from YAML and JSON files.
///
/// A rule set never loads by half: either there is no problem in any file, or all problems are thrown.
///
/// ```swift
/// let ruleSet = try RuleFileLoader.load(["Rules"])
/// let matcher = Matcher(ruleSet)
/// ```
public enum RuleFileLoader {
  /// The largest rule file, in bytes.
  public static let maximumFileSize = 1 << 30

  /// Loads files, and the `*.yaml`, `*.yml` and `*.json` files of directories, as one rule set.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem of every file.
  public static func load(_ paths: [String]) throws(RuleFileErrors) -> RuleSet { try RuleFiles(paths).ruleSet() }

  /// Reads a rule set from a text.
  ///
  /// - Parameter name: The file name that errors and rule origins have.
  public static func load(text: String, name: String = "<rules>") throws(RuleFileErrors) -> RuleSet {
    try read(text, name, keepsSources: false).finish()
  }

  /// Reads a rule set from a text, with the places of its rules.
  ///
  /// - Parameter name: The file name that errors and places have.
  public static func loadWithSources(
    text: String, name: String = "<rules>"
  ) throws(RuleFileErrors) -> SourcedRuleSet {
    try read(text, name, keepsSources: true).finishWithSources()
  }

  private static func read(_ text: String, _ name: String, keepsSources: Bool) throws(RuleFileErrors) -> RuleSetBuilder
  {
    var builder = RuleSetBuilder()
    builder.add(RuleFileReader.read(text, name: name, keepsSources: keepsSources))
    guard builder.diagnostics.isEmpty else { throw RuleFileErrors(builder.diagnostics, isMissingInput: false) }
    return builder
  }
}
