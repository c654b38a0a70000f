/// Writes a syntax tree in canonical layout.
///
/// Recursive; the parser has limited the depth.
struct SyntaxLayout {
  /// The longest line where there is a choice, in columns; wide characters take two.
  static let width = 120

  private(set) var text = ""
  // A blank line behind a text that keeps blank lines would belong to it.
  private var refusesBlankLines = false

  /// Returns the tree as text, with LF at the end unless it is empty.
  static func text(_ tree: SyntaxTree, _ role: NodeRole) -> String {
    var layout = SyntaxLayout()
    layout.write(tree, role)
    return layout.text
  }

  private mutating func write(_ tree: SyntaxTree, _ role: NodeRole) {
    if let start = tree.start {
      write(start, indent: 0, isFirst: true)
      text += "---\n"
    }
    guard let root = tree.root else { return write(tree.after, indent: 0, isFirst: true) }
    write(tree.before, indent: 0, isFirst: true)
    if !tree.before.isEmpty, tree.before.last == .blank { blankLine() }
    var entry = SyntaxEntry(value: root)
    entry.comment = tree.comment
    if let collection = root.collection, !isInline(root, role, column: 0) {
      if !root.properties.isEmpty { text += root.properties + "\n" }
      // The comments on the lines of the brackets are comments of their own.
      var nested = collection
      if let comment = tree.comment { nested.after.append(.comment(comment)) }
      write(nested, role, indent: 0, isContinued: false)
    } else {
      write(inline: entry, indent: -2)
    }
    let trailing = tree.after.drop { $0 == .blank }
    if trailing.isEmpty { return }
    if trailing.count < tree.after.count { blankLine() }
    write(Array(trailing), indent: 0, isFirst: true)
  }

  // MARK: - Collections

  /// - Parameter isContinued: True if the first entry stands on a line that has been begun, behind a dash.
  private mutating func write(_ collection: CollectionSyntax, _ role: NodeRole, indent: Int, isContinued: Bool) {
    let isSeparated =
      role.hasBlankLinesBetween && !collection.isMapping
      && collection.entries.contains { !isInline($0.value, role.roleOfItem, column: indent + 2) }
    for (i, written) in collection.entries.enumerated() {
      var entry = written
      let itemRole =
        collection.isMapping ? role.role(ofMember: Self.name(of: entry.key)) : role.roleOfItem
      let column = indent + Self.columns(Self.key(of: entry) ?? "-") + 1
      let isInline = isInline(entry.value, itemRole, column: column)
      settle(&entry, isInline: isInline, hasPlaceBefore: !(isContinued && i == 0))
      if i > 0, isSeparated, entry.before.first != .blank { blankLine() }
      write(entry.before, indent: indent, isFirst: i == 0)
      if entry.before.last == .blank, i > 0 || entry.before.count > 1 { blankLine() }
      if !(isContinued && i == 0) { text += Self.spaces(indent) }
      text += Self.key(of: entry) ?? "-"
      if isInline {
        write(inline: entry, indent: indent)
      } else if let nested = entry.value.collection {
        if !entry.value.properties.isEmpty { text += " " + entry.value.properties }
        if let comment = entry.keyComment { text += " " + comment }
        let continues = !collection.isMapping && entry.keyComment == nil && entry.value.properties.isEmpty
        text += continues ? " " : "\n"
        write(nested, itemRole, indent: indent + 2, isContinued: continues)
      }
    }
    let after = collection.after
    if let end = after.lastIndex(where: { $0 != .blank }) {
      if after.first == .blank { blankLine() }
      write(Array(after[...end]), indent: indent, isFirst: true)
    }
  }

  /// Moves the comments of an entry to places that the layout has for them, and keeps their order.
  ///
  /// - Parameter hasPlaceBefore: True if a line can come before the entry. If not, the comments that need one have already
  ///   been removed.
  private func settle(_ entry: inout SyntaxEntry, isInline: Bool, hasPlaceBefore: Bool) {
    guard !isInline, var nested = entry.value.collection else {
      // Comments between key and value go before both.
      if entry.comment == nil, entry.between.allSatisfy({ $0 == .blank }) {
        entry.comment = entry.keyComment
      } else {
        if let comment = entry.keyComment { entry.before.append(.comment(comment)) }
        entry.before += entry.between.filter { $0 != .blank }
      }
      entry.keyComment = nil
      entry.between = []
      return
    }
    if let comment = entry.comment {
      let isFree = entry.keyComment == nil && entry.between.isEmpty && (entry.key != nil || hasPlaceBefore)
      if isFree, !entry.value.hasComments {
        entry.keyComment = comment
      } else {
        nested.after.append(.comment(comment))
      }
      entry.comment = nil
    }
    if !entry.between.isEmpty { nested.entries[0].before.insert(contentsOf: entry.between, at: 0) }
    entry.between = []
    if entry.key == nil, entry.value.properties.isEmpty {
      // The first entry follows the dash on the same line, so there is no place for a comment in between.
      if let comment = entry.keyComment { entry.before.append(.comment(comment)) }
      entry.keyComment = nil
      entry.before += Self.takeLeadingComments(&nested)
    }
    entry.value.content = .collection(nested)
  }

  /// Removes and returns comments that would need a line before an entry which follows a dash on the same line.
  private static func takeLeadingComments(_ collection: inout CollectionSyntax) -> [Trivia] {
    guard var entry = collection.entries.first else { return [] }
    var result = entry.before.filter { $0 != .blank }
    entry.before = []
    let between = entry.between.filter { $0 != .blank }
    if entry.key == nil || !between.isEmpty || entry.comment != nil, entry.value.properties.isEmpty || !between.isEmpty
    {
      if let comment = entry.keyComment { result.append(.comment(comment)) }
      entry.keyComment = nil
      result += between
      entry.between = []
    }
    if entry.key == nil, entry.value.properties.isEmpty, var nested = entry.value.collection {
      result += takeLeadingComments(&nested)
      entry.value.content = .collection(nested)
    }
    collection.entries[0] = entry
    return result
  }

  // MARK: - Lines

  private mutating func write(_ trivia: [Trivia], indent: Int, isFirst: Bool) {
    var isFirst = isFirst
    for (i, item) in trivia.enumerated() {
      switch item {
      case .comment(let comment):
        text += Self.spaces(indent) + comment + "\n"
        isFirst = false
        refusesBlankLines = false
      // Blank lines at the end belong to the next entry.
      case .blank: if !isFirst, i < trivia.count - 1 { blankLine() }
      }
    }
  }

  private mutating func blankLine() {
    if text.isEmpty || refusesBlankLines || text.utf8.suffix(2).elementsEqual([0x0A, 0x0A]) { return }
    text += "\n"
  }

  /// Writes the text after a key or dash, to the end of the line or of the scalar's lines.
  private mutating func write(inline entry: SyntaxEntry, indent: Int) {
    refusesBlankLines = false
    let comment = entry.comment.map { " " + $0 } ?? ""
    let lead = text.isEmpty || text.utf8.last == 0x0A ? "" : " "
    let properties = entry.value.properties
    if !properties.isEmpty { text += lead + properties }
    let space = properties.isEmpty ? lead : " "
    switch entry.value.content {
    case .empty: break
    case .alias(let alias): text += space + alias
    case .collection(let collection): text += space + Self.flow(collection)
    case .scalar(let scalar):
      text += space + scalar.lines[0]
      for line in scalar.lines.dropFirst() { text += "\n" + (line.isEmpty ? "" : Self.spaces(indent + 2) + line) }
    case .blockScalar(let scalar):
      let sign = scalar.needsIndentation ? "2" : ""
      text += space + scalar.header.prefix(1) + sign + scalar.header.dropFirst() + comment + "\n"
      for line in scalar.lines { text += (line.isEmpty ? "" : Self.spaces(max(indent + 2, 2)) + line) + "\n" }
      refusesBlankLines = scalar.keepsBlankLines
      return
    }
    text += comment + "\n"
  }

  // MARK: - One line

  /// Returns whether a node stands on the line of its key, or is a scalar, which begins there.
  private func isInline(_ node: SyntaxNode, _ role: NodeRole, column: Int) -> Bool {
    guard let collection = node.collection else { return true }
    if collection.entries.isEmpty { return true }
    guard collection.isFlow, !(collection.isMapping ? role.isBlockMapping : role.isBlockList),
      Self.isOneLine(node, role)
    else { return false }
    let properties = node.properties.isEmpty ? 0 : Self.columns(node.properties) + 1
    return column + properties + Self.columns(Self.flow(collection)) <= Self.width
  }

  /// Returns whether a node can be written in one line in brackets.
  private static func isOneLine(_ node: SyntaxNode, _ role: NodeRole) -> Bool {
    switch node.content {
    case .empty, .blockScalar: return false
    case .alias: return true
    case .scalar(let scalar): return scalar.lines.count == 1
    case .collection(let collection):
      if collection.entries.isEmpty { return true }
      guard collection.isFlow, collection.isMapping || !role.isBlockList, !node.hasComments else { return false }
      return collection.entries.allSatisfy { entry in
        guard let key = entry.key else { return isOneLine(entry.value, role.roleOfItem) }
        return isOneLine(key, .other) && isOneLine(entry.value, role.role(ofMember: name(of: key)))
      }
    }
  }

  /// Returns a key as it is written.
  static func text(of key: SyntaxNode) -> String { flow(key) }

  private static func flow(_ node: SyntaxNode) -> String {
    let lead = node.properties.isEmpty ? "" : node.properties + " "
    switch node.content {
    case .empty, .blockScalar: return node.properties
    case .alias(let alias): return lead + alias
    case .scalar(let scalar): return lead + scalar.lines[0]
    case .collection(let collection): return lead + flow(collection)
    }
  }

  private static func flow(_ collection: CollectionSyntax) -> String {
    if collection.entries.isEmpty { return collection.isMapping ? "{}" : "[]" }
    let entries = collection.entries.map { entry in (key(of: entry).map { $0 + " " } ?? "") + flow(entry.value) }
    let joined = entries.joined(separator: ", ")
    return collection.isMapping ? "{ \(joined) }" : "[\(joined)]"
  }

  /// Returns the key with its colon; nil in a list.
  private static func key(of entry: SyntaxEntry) -> String? {
    guard let key = entry.key else { return nil }
    switch key.content {
    // The colon would be part of the alias, or of the anchor or tag of an empty key.
    case .alias: return flow(key) + " :"
    case .empty where !key.properties.isEmpty: return flow(key) + " :"
    default: return flow(key) + ":"
    }
  }

  /// Returns the name that determines the role of a member.
  private static func name(of key: SyntaxNode?) -> String {
    guard case .scalar(let scalar) = key?.content, scalar.style == .plain else { return "" }
    return scalar.lines[0]
  }

  static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
  }
}
