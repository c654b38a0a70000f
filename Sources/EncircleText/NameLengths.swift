/// The distinct lengths of a set of names, in bytes. A text whose length is not among them cannot be one of the names, which saves
/// looking it up.
package struct NameLengths: Sendable {
  private var known: Set<Int> = []
  /// The lengths, in the order of their first insertion.
  package private(set) var all: [Int] = []

  package init() {}

  package mutating func insert(_ length: Int) {
    if known.insert(length).inserted { all.append(length) }
  }
}
