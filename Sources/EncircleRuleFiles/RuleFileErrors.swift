import EncircleText

/// The problems of rule files, all of them.
public struct RuleFileErrors: Error, Sendable, CustomStringConvertible {
  /// The problems, by file and place. If there are very many, only the first thousand, and a last one with the number of the
  /// others.
  public let diagnostics: [Diagnostic]
  /// The number of all problems.
  public let count: Int
  /// This is true if the only problem is that files are missing.
  public let isMissingInput: Bool

  package init(_ diagnostics: [Diagnostic], isMissingInput: Bool) {
    var list = DiagnosticList()
    for diagnostic in diagnostics { list.append(diagnostic) }
    self.init(list, isMissingInput: isMissingInput)
  }

  package init(_ list: DiagnosticList, isMissingInput: Bool) {
    let diagnostics = list.kept
    // The sort is stable: problems at one place keep their order, and files keep the order of reading.
    var files: [UTF8String: Int] = [:]
    let start = SourceLocation(line: 0, column: 0)
    let places = diagnostics.enumerated().map { i, diagnostic in
      let file = UTF8String(diagnostic.file ?? "")
      let number = files[file] ?? files.count
      files[file] = number
      return (file: number, location: diagnostic.location ?? start, number: i)
    }
    var sorted = places.sorted { $0 < $1 }.map { diagnostics[$0.number] }
    let others = list.count - sorted.count
    if others > 0 { sorted.append(Diagnostic("and \(counted(others, "more problem"))")) }
    self.diagnostics = sorted
    count = list.count
    self.isMissingInput = isMissingInput
  }

  /// The problems, one after the other, as the tool prints them.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
