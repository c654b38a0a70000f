import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

extension LanguageServer {
  /// Returns the rule id at a place, if there is one.
  func prepareRename(_ params: LSP.PositionParams) -> LSP.PrepareRenameResult? {
    guard let (path, document) = document(params.textDocument.uri),
      let (id, range) = ruleID(at: params.position, document.text, path.text)
    else { return nil }
    return LSP.PrepareRenameResult(range: document.text.range(range, encoding), placeholder: id)
  }

  /// Returns the edits that give a rule another id: where it is defined, and where tests expect it.
  func rename(_ params: LSP.RenameParams) throws(ResponseError) -> LSP.WorkspaceEdit? {
    guard let (path, document) = document(params.textDocument.uri), let project = project(of: path),
      let (id, _) = ruleID(at: params.position, document.text, path.text)
    else { throw ResponseError(.requestFailed, "there is no id of a rule here") }
    guard !params.newName.isEmpty, params.newName.utf8.count <= RuleUses.longestID,
      !params.newName.unicodeScalars.contains(where: { VisibleText.isUnsafe($0) || $0 == "\"" || $0 == "\\" })
    else {
      throw ResponseError(
        .requestFailed, "expected a text of one line without \" and \\, of at most \(RuleUses.longestID) bytes")
    }
    var uses = RuleUses(of: id)
    for file in project.ruleFiles { try read(file, project) { uses.addRules($0, $1, of: file) } }
    if uses.isKnown(params.newName) { throw ResponseError(.requestFailed, "there is another rule with this id") }
    guard uses.isDefined else { throw ResponseError(.requestFailed, "there is no rule with this id") }
    for file in project.testFiles { try read(file, project) { uses.addTests($0, $1, of: file) } }
    let written = ScalarSpelling.written(params.newName)
    var changes: [String: [LSP.TextEdit]] = [:]
    for (file, places) in uses.places {
      let text = documents[file]?.text ?? DocumentText(project.text(of: file.text, documents) ?? "")
      changes[uri(of: file.text)] = try places.map { place throws(ResponseError) in
        guard let range = text.range(of: place) else {
          throw ResponseError(
            .requestFailed, "\(file):\(place.location): the id is written in a way that cannot be changed")
        }
        return LSP.TextEdit(range: text.range(range, encoding), newText: text.quoted(written, like: range))
      }
    }
    return LSP.WorkspaceEdit(changes: changes)
  }

  private func read(
    _ file: String, _ project: RuleProject, _ body: (Node, NodeReader) -> Void
  ) throws(ResponseError) {
    var nodes = NodeReader(project.text(of: file, documents) ?? "", name: file)
    if let root = nodes.root() { return body(root, nodes) }
    guard nodes.diagnostics.isEmpty else {
      throw ResponseError(.requestFailed, "\(file) is not valid, so its uses of the id cannot be found")
    }
  }

  private func ruleID(at position: LSP.Position, _ text: DocumentText, _ path: String) -> (String, Range<Int>)? {
    let offset = text.offset(of: position, encoding)
    guard let place = YAMLPlace(at: offset, in: text.bytes), place.mayBeValue, !place.hasColon, !place.token.isEmpty
    else { return nil }
    let isTest = RuleTestFiles.isTestFile(path)
    let role = RuleRole(place.path, isTestFile: isTest)
    let isID = place.path.last == .key("id") && RuleRole(Array(place.path.dropLast()), isTestFile: isTest) == .rule
    guard isID || role == .ruleIDs else { return nil }
    let id = place.text(in: text.bytes)
    return id.isEmpty ? nil : (id, place.content(in: text.bytes))
  }
}

/// The places where an id of a rule is written.
private struct RuleUses {
  /// The longest new id, in bytes.
  static let longestID = 1_000

  private let id: String
  private(set) var places: [UTF8String: [Node]] = [:]
  private(set) var isDefined = false
  // All ids, and the names that rules emit.
  private var known: Set<UTF8String> = []
  private var emitted: Set<UTF8String> = []
  private var emitsID = false

  init(of id: String) { self.id = id }

  func isKnown(_ other: String) -> Bool { known.contains(UTF8String(other)) }

  mutating func addRules(_ root: Node, _ nodes: NodeReader, of file: String) {
    for rule in root["rules"]?.sequence ?? [] {
      guard let own = rule["id"], let text = own.scalar?.string else { continue }
      known.insert(UTF8String(text))
      if let emit = rule["emit"]?.scalar?.string { emitted.insert(UTF8String(emit)) }
      guard text.utf8.elementsEqual(id.utf8) else { continue }
      isDefined = true
      emitsID = rule["emit"] == nil
      places[UTF8String(file), default: []].append(own)
    }
  }

  mutating func addTests(_ root: Node, _ nodes: NodeReader, of file: String) {
    // A rule without `emit` emits its id.
    let emit = emitsID && !emitted.contains(UTF8String(id)) ? ["emit"] : []
    for test in root["tests"]?.sequence ?? [] {
      guard let expectation = test["expect"] else { continue }
      for key in ["rules", "includes", "excludedBy"] + emit {
        guard let value = expectation[key] else { continue }
        for item in value.sequence ?? [value] where item.scalar?.string.utf8.elementsEqual(id.utf8) == true {
          places[UTF8String(file), default: []].append(item)
        }
      }
    }
  }
}

extension Node {
  /// The member of a mapping with a key.
  fileprivate subscript(key: String) -> Node? {
    mapping?.first { $0.key.scalar?.string.utf8.elementsEqual(key.utf8) == true }?.value
  }
}

extension DocumentText {
  /// Returns where a scalar is written in one line, with its quotes; nil if it is not written as it reads.
  fileprivate func range(of node: Node) -> Range<Int>? {
    guard let written = node.scalar?.written else { return nil }
    let start = offset(of: node.location)
    return has(written, at: start) ? start..<start + written.utf8.count : nil
  }

  /// Returns a scalar with double quotes if that which it replaces has some, as JSON needs them.
  fileprivate func quoted(_ written: String, like range: Range<Int>) -> String {
    let isQuoted = bytes[range.lowerBound] == UInt8(ascii: "\"")
    return isQuoted && written.utf8.first != UInt8(ascii: "\"") ? "\"\(written)\"" : written
  }
}
