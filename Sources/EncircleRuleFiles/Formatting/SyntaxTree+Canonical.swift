import EncircleText

extension SyntaxNode {
  /// This parser and libyaml read the text differently.
  struct Mismatch: Error {
    /// The place, in bytes.
    let offset: Int
  }

  /// Changes scalars to their canonical spelling, and sorts keys.
  ///
  /// - Parameters:
  ///   - node: The same node as libyaml reads it.
  ///   - keepsOrder: True if keys keep their order.
  ///   - isJSON: True if strings keep their spelling.
  /// - Throws: ``Mismatch`` if the two nodes differ.
  mutating func makeCanonical(_ node: Node, _ role: NodeRole, keepsOrder: Bool, isJSON: Bool) throws(Mismatch) {
    switch content {
    case .alias: return
    case .empty:
      guard let scalar = node.scalar, scalar.string.isEmpty else { throw Mismatch(offset: range.lowerBound) }
    case .blockScalar:
      guard node.scalar != nil else { throw Mismatch(offset: range.lowerBound) }
    case .scalar(let scalar):
      guard let value = node.scalar else { throw Mismatch(offset: range.lowerBound) }
      guard properties.isEmpty, !isJSON else { return }
      content = .scalar(ScalarSpelling.canonical(scalar, value, isSelector: role == .selectors))
    case .collection(var collection):
      if collection.isMapping {
        try Self.makeMembersCanonical(
          &collection, node, role, keepsOrder: keepsOrder, isJSON: isJSON, offset: range.lowerBound)
      } else {
        guard let sequence = node.sequence, sequence.count == collection.entries.count else {
          throw Mismatch(offset: range.lowerBound)
        }
        for (i, item) in sequence.enumerated() {
          try collection.entries[i].value.makeCanonical(item, role.roleOfItem, keepsOrder: keepsOrder, isJSON: isJSON)
        }
      }
      content = .collection(collection)
    }
  }

  private static func makeMembersCanonical(
    _ collection: inout CollectionSyntax, _ node: Node, _ role: NodeRole, keepsOrder: Bool, isJSON: Bool, offset: Int
  ) throws(Mismatch) {
    guard let mapping = node.mapping, mapping.count == collection.entries.count else { throw Mismatch(offset: offset) }
    var keys: [String?] = []
    for (i, (key, value)) in mapping.enumerated() {
      guard let name = key.scalar?.string else { throw Mismatch(offset: offset) }
      keys.append(name)
      try collection.entries[i].key?.makeCanonical(key, .other, keepsOrder: true, isJSON: isJSON)
      try collection.entries[i].value.makeCanonical(
        value, role.role(ofMember: name), keepsOrder: keepsOrder, isJSON: isJSON)
    }
    guard !keepsOrder else { return }
    let order = role.ordered(keys)
    guard order != Array(order.indices) else { return }
    // The header of a file stays at the top. It is everything before the first key, or only what precedes the last blank line
    // there.
    var header: [Trivia] = []
    if role.isBlockMapping {
      let first = collection.entries[0].before
      let end = (first.lastIndex(of: .blank) ?? first.count - 1) + 1
      header = Array(first[..<end])
      collection.entries[0].before = Array(first[end...])
    }
    collection.entries = order.map { collection.entries[$0] }
    collection.entries[0].before.insert(contentsOf: header, at: 0)
  }
}

extension Node {
  /// Returns whether two nodes have the same meaning: keys and values with equal bytes and types, in the same order except for sorted
  /// keys.
  func means(_ other: Node, _ role: NodeRole) -> Bool {
    guard typeName.hasSameBytes(as: other.typeName) else { return false }
    switch (content, other.content) {
    case (.scalar(let a), .scalar(let b)):
      if a.string.hasSameBytes(as: b.string) { return true }
      guard role == .selectors, let selector = ScalarSpelling.canonicalSelector(a.string) else { return false }
      return selector.hasSameBytes(as: b.string)
    case (.sequence(let a), .sequence(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.means($1, role.roleOfItem) }
    case (.mapping(let a), .mapping(let b)):
      guard a.count == b.count else { return false }
      let (first, second) = (a, b)
      let order = role.ordered(first.map { $0.key.scalar?.string })
      let otherOrder = role.ordered(second.map { $0.key.scalar?.string })
      return zip(order, otherOrder).allSatisfy { i, j in
        let role = role.role(ofMember: first[i].key.scalar?.string ?? "")
        return first[i].key.means(second[j].key, .other) && first[i].value.means(second[j].value, role)
      }
    default: return false
    }
  }

  /// The tag; for a scalar without one, the tag that its text implies.
  private var typeName: String { tag.isEmpty && scalar != nil ? ScalarTag(of: self).rawValue : tag }
}
