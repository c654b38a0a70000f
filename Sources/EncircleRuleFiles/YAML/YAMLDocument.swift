import EncircleText

/// A YAML document, made of the events of libyaml.
enum YAMLDocument {
  /// The reason why a text is not a document.
  struct Problem: Error {
    let message: String
    /// The place; nil if the text as a whole is meant.
    let location: SourceLocation?

    init(message: String, location: SourceLocation?) { (self.message, self.location) = (message, location) }

    /// Copies the explanation of a problem from libyaml.
    init(_ explained: YAMLProblem) { (message, location) = (explained.message, explained.location) }
  }

  /// Reads a text.
  ///
  /// - Returns: The document; nil if it is empty.
  /// - Complexity: O(length), with aliases within their limits; no recursion.
  static func read(_ lines: SourceLines) throws(Problem) -> Node? {
    let characters = YAMLCharacters(lines.text)
    return try withContiguousBytes(characters.text.utf8) { bytes throws(Problem) in
      var composer = Composer(try YAMLEvents(bytes, lines), characters, lines, byteCount: bytes.count)
      return try composer.document()
    }
  }

  /// Makes nodes from events. An alias is replaced by the node that it refers to.
  private struct Composer: ~Copyable {
    // Aliases can expand to more nodes than fit into memory; rules need only a few.
    private static let maximumAliases = 16
    // The nodes that a file with aliases may have, besides one for each byte.
    private static let maximumAliasNodes = 100_000
    // Nodes are read recursively, so aliases must not create more nesting than this.
    private static let maximumLevels = 1_000

    private var events: YAMLEvents
    private let characters: YAMLCharacters
    private let lines: SourceLines
    private let maximumNodes: Int
    private var open: [OpenNode] = []
    private var anchored: [UTF8String: Composed] = [:]
    private var aliases = 0

    init(
      _ events: consuming YAMLEvents, _ characters: YAMLCharacters, _ lines: SourceLines, byteCount: Int
    ) {
      self.events = events
      (self.characters, self.lines) = (characters, lines)
      maximumNodes = byteCount + Self.maximumAliasNodes
    }

    mutating func document() throws(Problem) -> Node? {
      if case .streamEnd = try events.next().event { return nil }
      while true {
        guard let composed = try next() else { continue }
        guard !open.isEmpty else { return try single(composed.node) }
        open[open.count - 1].append(composed)
      }
    }

    /// Reads an event.
    ///
    /// - Returns: The node that the event completes; nil if it completes none.
    private mutating func next() throws(Problem) -> Composed? {
      let (event, place) = try events.next()
      switch event {
      case .start(let isMapping, let tag, let anchor):
        guard open.count < Self.maximumLevels else { throw tooDeep(place) }
        open.append(OpenNode(isMapping: isMapping, tag: tag, anchor: anchor, place: place))
        return nil
      case .end:
        guard let closed = open.popLast() else { return nil }
        return register(try closed.composed(), as: closed.anchor)
      case .scalar(let scalar, let tag, let anchor):
        let restored = Node.Scalar(string: characters.restored(scalar.string), style: scalar.style)
        let node = Node(content: .scalar(restored), tag: tag, location: place)
        return register(Composed(node: node, size: 1, levels: 0), as: anchor)
      case .alias(let name): return try alias(name, place)
      case .documentStart, .streamEnd: return nil
      }
    }

    private mutating func register(_ composed: Composed, as anchor: String?) -> Composed {
      if let anchor { anchored[UTF8String(anchor)] = composed }
      return composed
    }

    private func tooDeep(_ place: SourceLocation) -> Problem {
      Problem(message: "not valid YAML: more than \(Self.maximumLevels) levels of lists and mappings", location: place)
    }

    private mutating func alias(_ name: String, _ place: SourceLocation) throws(Problem) -> Composed {
      aliases += 1
      guard aliases <= Self.maximumAliases else {
        throw Problem(message: "more than \(Self.maximumAliases) YAML aliases", location: place)
      }
      guard let meant = anchored[UTF8String(name)] else {
        throw Problem(YAMLProblem("found undefined alias", context: nil, at: place, in: lines))
      }
      guard open.count + meant.levels <= Self.maximumLevels else { throw tooDeep(place) }
      guard open.reduce(meant.size, { $0 + $1.size }) <= maximumNodes else {
        let message = "with its YAML aliases, the file has more than \(maximumNodes) values; this is one of them"
        throw Problem(message: message, location: place)
      }
      return meant
    }

    /// Returns the document's node if nothing comes behind the document.
    private mutating func single(_ node: Node) throws(Problem) -> Node {
      let (event, place) = try events.next()
      if case .streamEnd = event { return node }
      let context = (text: "expected a single document in the stream", location: SourceLocation(line: 1, column: 1))
      throw Problem(YAMLProblem("but found another document", context: context, at: place, in: lines))
    }
  }

  /// A node that is complete.
  private struct Composed {
    let node: Node
    /// The number of nodes, including nested ones.
    let size: Int
    /// The levels of lists and mappings in it, with its own.
    let levels: Int
  }

  /// A list or mapping whose end has not been read.
  private struct OpenNode {
    let isMapping: Bool
    let tag: String
    let anchor: String?
    let place: SourceLocation
    /// The contents; keys and values of a mapping alternate.
    private var items: [Node] = []
    /// The number of nodes, including nested ones.
    private(set) var size = 1
    private var levels = 1

    init(isMapping: Bool, tag: String, anchor: String?, place: SourceLocation) {
      (self.isMapping, self.tag, self.anchor, self.place) = (isMapping, tag, anchor, place)
    }

    mutating func append(_ child: Composed) {
      items.append(child.node)
      size += child.size
      levels = max(levels, child.levels + 1)
    }

    /// Returns the nodes read so far.
    func composed() throws(Problem) -> Composed { Composed(node: try node(), size: size, levels: levels) }

    private func node() throws(Problem) -> Node {
      guard isMapping else { return Node(content: .sequence(items), tag: tag, location: place) }
      var members: [(key: Node, value: Node)] = []
      members.reserveCapacity(items.count / 2)
      for i in stride(from: 0, to: items.count - 1, by: 2) { members.append((items[i], items[i + 1])) }
      try requireDifferentKeys(members)
      return Node(content: .mapping(members), tag: tag, location: place)
    }

    // Up to this many keys are compared with each other.
    private static let fewKeys = 8

    private func requireDifferentKeys(_ members: [(key: Node, value: Node)]) throws(Problem) {
      if members.count <= Self.fewKeys {
        let areDifferent = members.indices.allSatisfy { i in
          guard let key = members[i].key.scalar else { return true }
          return members[..<i].allSatisfy { !($0.key.scalar?.string.hasSameBytes(as: key.string) ?? false) }
        }
        if areDifferent { return }
      }
      var places: [UTF8String: SourceLocation] = [:]
      var repeated: Set<UTF8String> = []
      for (key, _) in members {
        guard let name = key.scalar.map({ UTF8String($0.string) }) else { continue }
        if places[name] == nil { places[name] = key.location } else { repeated.insert(name) }
      }
      let keys = repeated.sorted()
      guard let first = keys.first else { return }
      let names = NameList.text(keys.map { "'\($0)'" })
      // Keys that usually repeat belong to items of a list, so the author probably forgot the '- '.
      let isItem = keys.contains {
        ["id", "include", "exclude", "event", "page", "selector", "name", "screen"].contains($0)
      }
      let message =
        (keys.count == 1
          ? "the key \(names) occurs twice in one mapping" : "the keys \(names) occur twice in one mapping")
        + (isItem ? "; in a list, each item begins with '- '" : "")
      throw Problem(message: message, location: places[first])
    }
  }
}
