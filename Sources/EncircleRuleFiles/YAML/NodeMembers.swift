/// The members of a mapping by key. There are only a few, so looking up a key is a linear search.
package struct NodeMembers {
  private var members: [(key: String, value: Node)] = []
  // The keys that are probably meant by unknown ones.
  private var misspelt: [String] = []

  package var isEmpty: Bool { members.isEmpty }

  mutating func append(_ key: String, _ value: Node) { members.append((key, value)) }

  /// Records the known key that an unknown key probably means. An empty key records that a message has explained the meaning.
  mutating func noteMisspelt(_ key: String) { misspelt.append(key) }

  /// Returns whether a key exists, or a misspelling of it that has been reported.
  package func mayHave(_ key: String) -> Bool { self[key] != nil || misspelt.contains(key) }

  /// This is true if a message for some unknown key has already explained what to write instead.
  package var hasExplained: Bool { misspelt.contains("") }

  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The member with a key, which is one of the words of rule files.
  package subscript(key: String) -> Node? {
    for i in members.indices where members[i].key == key { return members[i].value }
    return nil
  }
}
