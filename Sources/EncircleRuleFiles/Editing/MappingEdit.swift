import EncircleEvents
import EncircleText

/// A change of a text: sets members of a mapping in an item of a list, and leaves everything else as it is written.
///
/// If the mapping already has the member, its value is replaced. If the item does not have the mapping, it is added after the
/// item's other members.
package struct MappingEdit {
  let item: Int
  let key: String
  let members: [EventObject.Member]

  /// - Parameters:
  ///   - item: The number of the item, from 0.
  ///   - key: The key of the mapping in the item.
  ///   - members: The members of the mapping, in their order; not empty.
  package init(item: Int, key: String, members: [EventObject.Member]) {
    self.item = item
    self.key = key
    self.members = members
  }

  /// Applies edits to the items of the list that a document has at `list`.
  ///
  /// - Throws: ``RuleFileErrors`` if something in the text cannot be laid out, or if a part to be replaced contains a comment.
  package static func apply(
    _ edits: [MappingEdit], toItemsOf list: String, in text: String, name: String
  ) throws(RuleFileErrors) -> String {
    if edits.isEmpty { return text }
    let source = RuleFileFormatter.withPlainLineEnds(text)
    func failure(_ message: String, _ offset: Int) -> RuleFileErrors {
      RuleFileErrors([Diagnostic(message, file: name, offset: offset, in: source)], isMissingInput: false)
    }
    let tree: SyntaxTree
    do throws(SyntaxParser.Problem) {
      tree = try SyntaxParser.parse(source)
    } catch {
      throw failure(error.message, error.offset)
    }
    var splices = TextSplices(source)
    for edit in edits {
      guard let items = tree.root?.collection?.entry(list)?.value.collection, edit.item < items.entries.count,
        let item = items.entries[edit.item].value.collection, item.isMapping
      else { throw failure("cannot change this part automatically: edit the text", 0) }
      let column = SyntaxParser.column(of: item.entries[0].key?.range.lowerBound ?? 0, in: splices.bytes)
      do throws(SyntaxParser.Problem) {
        try edit.apply(to: item, column: column, &splices)
      } catch {
        throw failure(error.message, error.offset)
      }
    }
    guard let result = splices.result else { throw failure("cannot change this part automatically: edit the text", 0) }
    return RuleFileFormatter.withLineEnds(of: text, result)
  }

  /// Makes the replacements in an item.
  ///
  /// - Parameter column: The column of the item's keys, from 0.
  private func apply(
    to item: CollectionSyntax, column: Int, _ splices: inout TextSplices
  ) throws(SyntaxParser.Problem) {
    let entry = item.entry(key)
    if let entry, let mapping = entry.value.collection, mapping.isMapping, !mapping.entries.isEmpty {
      let inner = SyntaxParser.column(of: mapping.entries[0].key?.range.lowerBound ?? 0, in: splices.bytes)
      for member in members {
        guard let old = mapping.entry(member.name) else {
          throw .init(message: "cannot find '\(member.name)' here", offset: entry.value.range.lowerBound)
        }
        try Self.replace(old, by: member.value, isFlow: mapping.isFlow, column: inner, &splices)
      }
      return
    }
    let mapping = ValueLayout.flow(.object(EventObject(members)))
    let fits = column + key.utf8.count + 2 + SyntaxLayout.columns(mapping) <= SyntaxLayout.width
    var value = " " + mapping
    if !fits, !item.isFlow {
      value = ""
      for member in members {
        value +=
          "\n" + SyntaxLayout.spaces(column + 2) + member.name + ":"
          + Self.block(member.value, column: column + 2, member.name)
      }
    }
    if let entry {
      guard entry.between.isEmpty, entry.keyComment == nil, let end = entry.key?.range.upperBound else {
        throw .init(message: "the part to be replaced contains a comment", offset: entry.value.range.lowerBound)
      }
      guard let behind = Self.behindColon(end, splices.bytes) else { return splices.insert(":" + value, at: end) }
      return splices.replace(behind..<max(behind, entry.value.range.upperBound), by: value)
    }
    let end = item.entries[item.entries.count - 1].value.range.upperBound
    if item.isFlow { return splices.insert(", \(key):\(value)", at: end) }
    // The end of the line of the last member, with its comment.
    var behind = end
    while behind < splices.bytes.count, behind == 0 || splices.bytes[behind - 1] != 0x0A { behind += 1 }
    let lead = behind > 0 && splices.bytes[behind - 1] != 0x0A ? "\n" : ""
    splices.insert(lead + SyntaxLayout.spaces(column) + key + ":" + value + "\n", at: behind)
  }

  private static func replace(
    _ entry: SyntaxEntry, by value: EventValue, isFlow: Bool, column: Int, _ splices: inout TextSplices
  ) throws(SyntaxParser.Problem) {
    guard !entry.value.hasComments, entry.between.isEmpty, entry.keyComment == nil, let key = entry.key else {
      throw .init(message: "the part to be replaced contains a comment", offset: entry.value.range.lowerBound)
    }
    // Replaces from the colon on, because the old value may have begun on a later line.
    let lower = key.range.upperBound
    splices.replace(
      lower..<max(lower, entry.value.range.upperBound),
      by: ":" + (isFlow ? " " + ValueLayout.flow(value) : block(value, column: column, SyntaxLayout.text(of: key))))
  }

  /// Returns the text behind a key and its colon in block style: in one line if it fits.
  private static func block(_ value: EventValue, column: Int, _ key: String) -> String {
    let line = ValueLayout.flow(value)
    guard case .list(let values) = value, !values.isEmpty,
      column + SyntaxLayout.columns(key) + 2 + SyntaxLayout.columns(line) > SyntaxLayout.width
    else { return " " + line }
    return values.map { "\n" + SyntaxLayout.spaces(column + 2) + "- " + ValueLayout.flow($0) }.joined()
  }

  /// Returns the place behind the colon of a key that ends at `end`. Returns nil if no colon follows, as after a key in braces
  /// that has no value.
  private static func behindColon(_ end: Int, _ bytes: [UInt8]) -> Int? {
    guard let next = bytes[end...].firstIndex(where: { !isWhiteSpace($0) }), bytes[next] == UInt8(ascii: ":") else {
      return nil
    }
    return next + 1
  }
}

extension CollectionSyntax {
  /// Returns the member with a name, which may be written plainly or in quotes.
  func entry(_ name: String) -> SyntaxEntry? {
    entries.first { entry in
      guard case .scalar(let scalar)? = entry.key?.content, scalar.lines.count == 1 else { return false }
      let written = scalar.lines[0].utf8
      let text = scalar.style == .plain ? written[...] : written.dropFirst().dropLast()
      return text.elementsEqual(name.utf8)
    }
  }
}
