/// Writes a syntax tree as JSON: as many lines as the author gave it, but lists of rules and clauses always have several.
enum JSONLayout {
  static func text(_ root: SyntaxNode, _ role: NodeRole) -> String {
    var text = ""
    write(root, role, indent: 0, column: 0, isRoot: true, to: &text)
    return text + "\n"
  }

  private static func write(
    _ node: SyntaxNode, _ role: NodeRole, indent: Int, column: Int, isRoot: Bool = false, to text: inout String
  ) {
    guard let collection = node.collection, !collection.entries.isEmpty else { return text += oneLine(node) }
    let isForced = isRoot || (collection.isMapping ? role.isBlockMapping : role.isBlockList)
    if collection.isOneLine, !isForced {
      let line = oneLine(node)
      if column + line.unicodeScalars.count <= SyntaxLayout.width { return text += line }
    }
    text += collection.isMapping ? "{\n" : "[\n"
    let spaces = String(repeating: " ", count: indent + 2)
    for (i, entry) in collection.entries.enumerated() {
      let key = entry.key.map { oneLine($0) + ": " } ?? ""
      text += spaces + key
      let itemRole =
        entry.key == nil ? role.roleOfItem : role.role(ofMember: String(oneLine(entry.key!).dropFirst().dropLast()))
      write(entry.value, itemRole, indent: indent + 2, column: indent + 2 + key.unicodeScalars.count, to: &text)
      text += i < collection.entries.count - 1 ? ",\n" : "\n"
    }
    text += String(repeating: " ", count: indent) + (collection.isMapping ? "}" : "]")
  }

  private static func oneLine(_ node: SyntaxNode) -> String {
    switch node.content {
    case .scalar(let scalar): return scalar.lines.joined()
    case .collection(let collection):
      if collection.entries.isEmpty { return collection.isMapping ? "{}" : "[]" }
      let entries = collection.entries.map { entry in
        (entry.key.map { oneLine($0) + ": " } ?? "") + oneLine(entry.value)
      }
      let joined = entries.joined(separator: ", ")
      return collection.isMapping ? "{ \(joined) }" : "[\(joined)]"
    case .empty, .alias, .blockScalar: return ""
    }
  }
}
