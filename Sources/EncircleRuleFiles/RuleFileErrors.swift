import EncircleText

/// The problems of rule files, all of them.
public struct RuleFileErrors: Error, Sendable, CustomStringConvertible {
  /// The problems, by file and place.
  public let diagnostics: [Diagnostic]
  /// Whether the only problem is that files are missing.
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

  /// The problems, one after the other, as the tool prints them.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
