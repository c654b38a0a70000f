import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// Converts problems and findings to the protocol's diagnostics.
struct DiagnosticConversion {
  /// The maximum number of diagnostics that are published for a file.
  static let maximumInFile = 1_000

  private let server: LanguageServer
  private let project: RuleProject
  private let texts: DocumentTexts

  init(_ server: LanguageServer, _ project: RuleProject) {
    self.server = server
    self.project = project
    texts = DocumentTexts(project, server.documents)
  }

  /// Returns the diagnostics of the project's files by path.
  func diagnostics() -> [UTF8String: [LSP.Diagnostic]] {
    var result: [UTF8String: [LSP.Diagnostic]] = [:]
    func add(_ path: String, _ diagnostic: @autoclosure () -> LSP.Diagnostic) {
      let key = UTF8String(path)
      guard result[key]?.count ?? 0 < Self.maximumInFile else { return }
      result[key, default: []].append(diagnostic())
    }
    for problem in project.problems + project.companionProblems {
      // A problem without a file is shown in the first rule file.
      guard let path = problem.file ?? project.ruleFiles.first else { continue }
      add(path, convert(problem, texts[path]))
    }
    for finding in project.findings.sorted(by: { $0.severity > $1.severity }) {
      add(finding.file, convert(finding, texts[finding.file]))
    }
    return result
  }

  /// Returns the diagnostic of a problem.
  func convert(_ problem: Diagnostic, _ text: DocumentText) -> LSP.Diagnostic {
    let start = problem.location.map { text.offset(of: $0) } ?? 0
    let end = problem.location == nil ? start : text.endOfWord(at: start)
    return LSP.Diagnostic(
      range: text.range(start..<end, server.encoding), severity: .error,
      message: VisibleText.escaping(problem.messageWithSuggestion, keepingNewlines: true),
      relatedInformation: related(problem.notes))
  }

  /// Returns the diagnostic of a finding.
  func convert(_ finding: Finding, _ text: DocumentText) -> LSP.Diagnostic {
    let severity: LSP.Diagnostic.Severity =
      switch finding.severity {
      case .error: .error
      case .warning: .warning
      case .note: .information
      }
    var message = finding.message
    if let example = finding.example { message += "\nexample: \(example)" }
    if let instead = finding.edit?.replacement ?? finding.suggestion { message += "\ninstead: \(instead)" }
    return LSP.Diagnostic(
      range: text.range(range(of: finding, text), server.encoding), severity: severity, code: finding.code.rawValue,
      message: VisibleText.escaping(message, keepingNewlines: true), relatedInformation: related(finding.notes))
  }

  private func range(of finding: Finding, _ text: DocumentText) -> Range<Int> {
    let start = text.offset(of: finding.place.location)
    if let written = finding.place.written, text.has(written, at: start) { return start..<start + written.utf8.count }
    return start..<text.endOfWord(at: start)
  }

  private func related(_ notes: [Diagnostic.Note]) -> [LSP.Diagnostic.Related]? {
    let related = notes.compactMap { note -> LSP.Diagnostic.Related? in
      guard let file = note.file else { return nil }
      let text = texts[file]
      let start = text.offset(of: note.location)
      return LSP.Diagnostic.Related(
        location: LSP.Location(
          uri: server.uri(of: file), range: text.range(start..<text.endOfWord(at: start), server.encoding)),
        message: VisibleText.escaping(note.message))
    }
    return related.isEmpty ? nil : related
  }
}

extension DocumentText {
  /// Returns the end of the word at an offset, or of the text in quotes that begins there.
  ///
  /// - Complexity: O(length of the word), up to the width of a screen.
  func endOfWord(at offset: Int) -> Int {
    let most = min(bytes.count, offset + 1_000)
    guard offset < most, bytes[offset] != 0x0A, bytes[offset] != 0x0D else { return offset }
    let quote = bytes[offset]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      var i = offset + 1
      while i < most, bytes[i] != quote, bytes[i] != 0x0A { i += 1 }
      if i < most, bytes[i] == quote { return i + 1 }
    }
    var i = offset + 1
    while i < most, !Array(" \t\r\n,:{}[]()/\"'".utf8).contains(bytes[i]) { i += 1 }
    // The end must not be inside a character.
    while i < bytes.count, bytes[i] & 0xC0 == 0x80 { i += 1 }
    return i
  }
}
