import EncircleRuleFiles
import EncircleText

extension LanguageServer {
  /// The longest new id, in bytes.
  private static let longestID = 1_000

  /// Returns the rule id at a place, if there is one.
  func prepareRename(_ params: LSP.PositionParams) -> LSP.PrepareRenameResult? {
    guard let (path, document) = document(params.textDocument.uri),
      let (id, range) = ruleID(at: params.position, document.text, path.text)
    else { return nil }
    return LSP.PrepareRenameResult(range: document.text.range(range, encoding), placeholder: id)
  }

  /// Returns the edits that change the id of a rule in its definition, in the tests that expect it, and in the plan if the rule
  /// emits its id.
  func rename(_ params: LSP.RenameParams) throws(ResponseError) -> LSP.WorkspaceEdit? {
    guard let (path, document) = document(params.textDocument.uri), let project = project(of: path),
      let (id, _) = ruleID(at: params.position, document.text, path.text)
    else { throw ResponseError(.requestFailed, "there is no rule id here") }
    guard !params.newName.isEmpty, params.newName.utf8.count <= Self.longestID,
      !params.newName.unicodeScalars.contains(where: { VisibleText.isUnsafe($0) || $0 == "\"" || $0 == "\\" })
    else {
      throw ResponseError(
        .requestFailed, "expected a text of one line without \" and \\, of at most \(Self.longestID) bytes")
    }
    let index = index(of: project)
    if let file = index.invalidFiles.first {
      throw ResponseError(.requestFailed, "\(file) is not valid, so its uses of the id cannot be found")
    }
    let definitions = index.entries.filter { $0.role == .definition }
    if definitions.contains(where: { $0.text == UTF8String(params.newName) }) {
      throw ResponseError(.requestFailed, "there is another rule with this id")
    }
    guard definitions.contains(where: { $0.text == UTF8String(id) }) else {
      throw ResponseError(.requestFailed, "there is no rule with this id")
    }
    let isEmitted = index.entries.contains { $0.role == .emit && $0.text == UTF8String(id) }
    let uses = index.uses(ofRule: UTF8String(id)).filter { $0.role != .expectedName || !isEmitted }
    let places = Dictionary(grouping: uses) { UTF8String($0.file) }.mapValues { $0.map(\.node) }
    let written = ScalarSpelling.written(params.newName)
    let texts = DocumentTexts(project, documents)
    var changes: [String: [LSP.TextEdit]] = [:]
    for (file, places) in places {
      let text = texts[file.text]
      let edits = try places.map { place throws(ResponseError) in
        guard let range = text.range(of: place) else {
          throw ResponseError(
            .requestFailed, "\(file):\(place.location): the id is written in a way that cannot be changed")
        }
        return LSP.TextEdit(range: text.range(range, encoding), newText: text.quoted(written, like: range))
      }
      // Tests with an alias repeat the places of its anchor, and a place is changed once.
      var seen: Set<LSP.TextEdit> = []
      changes[uri(of: file.text)] = edits.filter { seen.insert($0).inserted }
    }
    return LSP.WorkspaceEdit(changes: changes)
  }

  private func ruleID(at position: LSP.Position, _ text: DocumentText, _ path: String) -> (String, Range<Int>)? {
    let offset = text.offset(of: position, encoding)
    guard let place = YAMLPlace(at: offset, in: text.bytes), !place.token.isEmpty else { return nil }
    let role = RuleRole(place.path, inFile: path)
    if place.hasColon {
      guard role == .expectedProperties else { return nil }
    } else {
      let isID = place.path.last == .key("id") && RuleRole(Array(place.path.dropLast()), inFile: path) == .rule
      guard place.mayBeValue, isID || role == .ruleIDs else { return nil }
    }
    let id = place.text(in: text.bytes)
    return id.isEmpty ? nil : (id, place.content(in: text.bytes))
  }
}

extension DocumentText {
  /// Returns the range of a scalar in one line, with its quotes; nil if the text there differs from the scalar.
  func range(of node: Node) -> Range<Int>? {
    guard let written = node.scalar?.written else { return nil }
    let start = offset(of: node.location)
    return has(written, at: start) ? start..<start + written.utf8.count : nil
  }

  /// Returns a scalar in double quotes if the scalar that it replaces has them, because JSON needs them.
  fileprivate func quoted(_ written: String, like range: Range<Int>) -> String {
    let isQuoted = bytes[range.lowerBound] == UInt8(ascii: "\"")
    return isQuoted && written.utf8.first != UInt8(ascii: "\"") ? "\"\(written)\"" : written
  }
}
