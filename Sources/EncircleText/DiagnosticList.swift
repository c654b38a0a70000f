/// Problems as they are found. Only the first are kept, as a broken text can have as many as it has bytes.
package struct DiagnosticList: Sendable {
  /// The largest number of problems that are kept.
  package static let limit = 1_000
  // The longest message, in bytes: a message may quote a text of any length.
  private static let longestMessage = 1_024

  /// The first problems.
  package private(set) var kept: [Diagnostic] = []
  /// The number of all problems.
  package private(set) var count = 0

  package init() {}

  /// This is true if the list has no problems.
  package var isEmpty: Bool { count == 0 }

  /// Adds a problem.
  ///
  /// - Parameter diagnostic: The problem; evaluated only if the list keeps it.
  package mutating func append(_ diagnostic: @autoclosure () -> Diagnostic) {
    count += 1
    guard kept.count < Self.limit else { return }
    var diagnostic = diagnostic()
    diagnostic.message = Self.shortened(diagnostic.message)
    for i in diagnostic.notes.indices { diagnostic.notes[i].message = Self.shortened(diagnostic.notes[i].message) }
    kept.append(diagnostic)
  }

  /// Adds the problems of another list.
  package mutating func append(contentsOf other: DiagnosticList) {
    kept += other.kept.prefix(Self.limit - kept.count)
    count += other.count
  }

  /// Moves all places down by a number of lines, as the text turns out to be a part of another one.
  package mutating func move(by lines: Int) {
    for i in kept.indices {
      kept[i].location?.line += lines
      for j in kept[i].notes.indices { kept[i].notes[j].location.line += lines }
    }
  }

  private static func shortened(_ message: String) -> String {
    message.utf8.count > longestMessage ? message.beginning(bytes: longestMessage) + "…" : message
  }
}
