import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

extension LanguageServer {
  /// The maximum number of corrections in a response.
  static let maximumActions = 100

  /// Returns the corrections of problems and findings in a range, at most ``maximumActions``.
  func codeActions(_ params: LSP.CodeActionParams) -> [LSP.CodeAction]? {
    guard let (path, document) = document(params.textDocument.uri), let project = project(of: path) else { return nil }
    let wanted = params.context?.only ?? ["quickfix"]
    guard wanted.contains(where: { $0.isEmpty || $0 == "quickfix" }) else { return [] }
    let text = document.text
    let range =
      text.offset(
        of: params.range.start, encoding)...max(
        text.offset(of: params.range.start, encoding), text.offset(of: params.range.end, encoding))
    let conversion = DiagnosticConversion(self, project)
    var actions: [LSP.CodeAction] = []
    for finding in project.findings
    where actions.count < Self.maximumActions && finding.file.hasSameBytes(as: path.text) {
      guard let edit = finding.edit else { continue }
      let start = text.offset(of: edit.location)
      // The text may have changed since the check.
      guard start <= range.upperBound, start + edit.written.utf8.count >= range.lowerBound,
        text.has(edit.written, at: start)
      else { continue }
      let diagnostic = conversion.convert(finding, text)
      actions.append(
        LSP.CodeAction(
          title: "Write \(VisibleText.shortened(edit.replacement))", diagnostics: [diagnostic],
          isPreferred: finding.certainEdit != nil,
          edit: self.edit(params.textDocument.uri, text, start..<start + edit.written.utf8.count, edit.replacement)))
    }
    for problem in project.problems + project.companionProblems where actions.count < Self.maximumActions {
      guard let file = problem.file, file.hasSameBytes(as: path.text), let location = problem.location,
        let meant = problem.suggestion
      else { continue }
      let start = text.offset(of: location)
      guard start <= range.upperBound, let word = problem.quotedWord(at: start, in: text),
        word.upperBound >= range.lowerBound
      else { continue }
      let diagnostic = conversion.convert(problem, text)
      actions.append(
        LSP.CodeAction(
          title: "Write \(VisibleText.shortened(meant))", diagnostics: [diagnostic],
          edit: self.edit(params.textDocument.uri, text, word, text.spelled(meant, at: word))))
    }
    return actions
  }

  private func edit(_ uri: String, _ text: DocumentText, _ range: Range<Int>, _ replacement: String)
    -> LSP.WorkspaceEdit
  {
    LSP.WorkspaceEdit(changes: [uri: [LSP.TextEdit(range: text.range(range, encoding), newText: replacement)]])
  }
}

extension Diagnostic {
  /// Returns the range of the word that the message quotes, if the text has it at a place, with or without quotes.
  func quotedWord(at offset: Int, in text: DocumentText) -> Range<Int>? {
    for word in message.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false).dropFirst() {
      guard !word.isEmpty else { continue }
      let word = String(Substring(word))
      for start in [offset, offset + 1] where text.has(word, at: start) { return start..<start + word.utf8.count }
    }
    return nil
  }
}

extension DocumentText {
  /// Returns a word in the form in which it replaces another one: in quotes if it is a whole scalar and needs them.
  fileprivate func spelled(_ word: String, at range: Range<Int>) -> String {
    let written = ScalarSpelling.written(word)
    // For most words the context does not matter, and finding it means scanning from the beginning of the text.
    if written.hasSameBytes(as: word) { return word }
    return YAMLPlace(at: range.lowerBound, in: bytes)?.token == range ? written : word
  }
}
