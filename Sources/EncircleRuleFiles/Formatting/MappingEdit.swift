import EncircleText
import EncircleTree

/// A change of a text: members that a mapping in an item of a list gets, while all else stays as it is written.
///
/// Where the mapping has the member already, its value is replaced; a mapping that is not there is added behind the other
/// members of the item.
package struct MappingEdit {
  /// The value of a member.
  package indirect enum Value {
    /// A word that YAML is to read as it is, such as a number.
    case plain(String)
    /// A text, in quotes where it needs them.
    case text(String)
    case list([Value])

    /// As it stands in one line.
    var line: String {
      switch self {
      case .plain(let word): word
      case .text(let text): ScalarSpelling.spelled(text).lines[0]
      case .list(let values): "[\(values.map(\.line).joined(separator: ", "))]"
      }
    }
  }

  /// A member of the mapping.
  package struct Member {
    let key: String
    let value: Value

    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  let item: Int
  let key: String
  let members: [Member]

  /// - Parameters:
  ///   - item: The number of the item, from 0.
  ///   - key: The key of the mapping in the item.
  ///   - members: Of the mapping, in their order; not empty.
  package init(item: Int, key: String, members: [Member]) {
    self.item = item
    self.key = key
    self.members = members
  }

  /// Applies edits to the items of the list that a document has at `list`.
  ///
  /// - Throws: ``RuleFileErrors`` if the text has something that cannot be laid out, or has a comment in what is to be
  ///   replaced.
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
    var splices: [(range: Range<Int>, text: String)] = []
    let bytes = Array(source.utf8)
    for edit in edits {
      guard let items = tree.root?.collection?.entry(list)?.value.collection, edit.item < items.entries.count,
        let item = items.entries[edit.item].value.collection, item.isMapping
      else { throw failure("cannot change what stands here", 0) }
      let column = SyntaxParser.column(of: item.entries[0].key?.range.lowerBound ?? 0, in: bytes)
      do throws(SyntaxParser.Problem) {
        try splices.append(contentsOf: edit.splices(item, column: column, bytes))
      } catch {
        throw failure(error.message, error.offset)
      }
    }
    var result = bytes
    for splice in splices.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(splice.range, with: Array(splice.text.utf8))
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the range to be replaced, and the text that replaces it.
  ///
  /// - Parameter column: Of the keys of the item, from 0.
  private func splices(
    _ item: CollectionSyntax, column: Int, _ bytes: [UInt8]
  ) throws(SyntaxParser.Problem) -> [(range: Range<Int>, text: String)] {
    let entry = item.entry(key)
    if let entry, let mapping = entry.value.collection, mapping.isMapping, !mapping.entries.isEmpty {
      var splices: [(range: Range<Int>, text: String)] = []
      let inner = SyntaxParser.column(of: mapping.entries[0].key?.range.lowerBound ?? 0, in: bytes)
      for member in members {
        guard let old = mapping.entry(member.key) else {
          throw .init(message: "cannot find '\(member.key)' here", offset: entry.value.range.lowerBound)
        }
        splices.append(try Self.replacement(of: old, by: member.value, isFlow: mapping.isFlow, column: inner))
      }
      return splices
    }
    let mapping = "{ \(members.map { "\($0.key): \($0.value.line)" }.joined(separator: ", ")) }"
    let fits = column + key.utf8.count + 2 + SyntaxLayout.columns(mapping) <= SyntaxLayout.width
    var value = " " + mapping
    if !fits, !item.isFlow {
      value = ""
      for member in members {
        value +=
          "\n" + SyntaxLayout.spaces(column + 2) + member.key + ":"
          + Self.block(member.value, column: column + 2, member.key)
      }
    }
    if let entry {
      guard entry.between.isEmpty, entry.keyComment == nil, let end = entry.key?.range.upperBound else {
        throw .init(message: "there is a comment in what is to be replaced", offset: entry.value.range.lowerBound)
      }
      return [(Self.behindColon(end, bytes)..<max(Self.behindColon(end, bytes), entry.value.range.upperBound), value)]
    }
    let end = item.entries[item.entries.count - 1].value.range.upperBound
    if item.isFlow { return [(end..<end, ", \(key):\(value)")] }
    // Behind the line of the last member, and its comment.
    var behind = end
    while behind < bytes.count, behind == 0 || bytes[behind - 1] != 0x0A { behind += 1 }
    let lead = behind > 0 && bytes[behind - 1] != 0x0A ? "\n" : ""
    return [(behind..<behind, lead + SyntaxLayout.spaces(column) + key + ":" + value + "\n")]
  }

  private static func replacement(
    of entry: SyntaxEntry, by value: Value, isFlow: Bool, column: Int
  ) throws(SyntaxParser.Problem) -> (range: Range<Int>, text: String) {
    guard !entry.value.hasComments, entry.between.isEmpty, entry.keyComment == nil, let key = entry.key else {
      throw .init(message: "there is a comment in what is to be replaced", offset: entry.value.range.lowerBound)
    }
    // From the colon on, as what was in lines may come behind it.
    let name = key.range
    let lower = name.upperBound
    return (
      lower..<max(lower, entry.value.range.upperBound),
      ":" + (isFlow ? " " + value.line : block(value, column: column, SyntaxLayout.text(of: key)))
    )
  }

  /// Returns the text behind a key and its colon in block style: in one line if it fits.
  private static func block(_ value: Value, column: Int, _ key: String) -> String {
    let line = value.line
    guard case .list(let values) = value, !values.isEmpty,
      column + SyntaxLayout.columns(key) + 2 + SyntaxLayout.columns(line) > SyntaxLayout.width
    else { return " " + line }
    return values.map { "\n" + SyntaxLayout.spaces(column + 2) + "- " + $0.line }.joined()
  }

  /// The place behind the colon of a key that ends there.
  private static func behindColon(_ end: Int, _ bytes: [UInt8]) -> Int {
    var i = end
    while i < bytes.count, bytes[i] != UInt8(ascii: ":") { i += 1 }
    return i + 1
  }
}

extension CollectionSyntax {
  /// The member of that name, written plainly or in quotes.
  func entry(_ name: String) -> SyntaxEntry? {
    entries.first { entry in
      guard case .scalar(let scalar)? = entry.key?.content, scalar.lines.count == 1 else { return false }
      let written = scalar.lines[0].utf8
      let text = scalar.style == .plain ? written[...] : written.dropFirst().dropLast()
      return text.elementsEqual(name.utf8)
    }
  }
}
