/// The members of a mapping by key. There are few, so that they are looked at one by one.
package struct NodeMembers {
  private var members: [(key: String, value: Node)] = []

  package var isEmpty: Bool { members.isEmpty }

  mutating func append(_ key: String, _ value: Node) { members.append((key, value)) }

  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The member with a key, which is one of the words of rule files.
  package subscript(key: String) -> Node? {
    for i in members.indices where members[i].key == key { return members[i].value }
    return nil
  }
}
