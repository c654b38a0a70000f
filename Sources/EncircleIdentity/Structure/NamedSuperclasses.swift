import EncircleText
import EncircleTree

extension ClassHierarchy {
  /// Creates the built-in hierarchy with the superclasses that a capture names.
  ///
  /// - Complexity: O(elements).
  package init(of screen: IdentifiedTree) {
    self = .builtIn
    insertClasses(of: screen)
  }

  /// Adds the superclasses that a capture names, for classes without a known superclass.
  ///
  /// - Returns: True if there were any.
  @discardableResult
  public mutating func insertClasses(of screen: IdentifiedTree) -> Bool {
    var isNew = false
    screen.forEachNamedSuperclass { name, superclass in
      guard superclasses(of: name).isEmpty else { return false }
      if add(name, superclass: superclass) { isNew = true }
      return true
    }
    return isNew
  }
}

extension IdentifiedTree {
  /// Calls `body` with each class whose superclass the capture names, then with the superclass and its superclass, and
  /// so on, until `body` returns false.
  package func forEachNamedSuperclass(_ body: (_ name: String, _ superclass: String) -> Bool) {
    func follow(_ name: String, _ superclasses: String) {
      var name = name
      for word in superclasses.utf8.split(whereSeparator: isWhiteSpace) {
        let superclass = RuntimeSubclass.writtenClass(of: String(Substring(word)))
        guard !superclass.hasSameBytes(as: name) else { continue }
        guard body(name, superclass) else { return }
        name = superclass
      }
    }
    // Most elements of a class have the same list of superclasses, which need not be read twice.
    struct Key: Hashable {
      let name: StringID
      let superclasses: StringID
    }
    var seen: Set<Key> = []
    for element in tree.elements {
      if let superclasses = tree.valueID(.superclasses, of: element),
        seen.insert(Key(name: tree.classID(of: element), superclasses: superclasses)).inserted
      {
        follow(className(of: element), tree.strings[superclasses])
      }
      if let controller = tree.valueID(.controller, of: element), let name = self.controller(of: element),
        let superclasses = tree.valueID(.controllerSuperclasses, of: element),
        seen.insert(Key(name: controller, superclasses: superclasses)).inserted
      {
        follow(name, tree.strings[superclasses])
      }
    }
  }
}
