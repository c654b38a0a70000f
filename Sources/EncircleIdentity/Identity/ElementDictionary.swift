import EncircleTree

/// Turns event IDs back into elements: what captures know of them.
public struct ElementDictionary: Sendable {
  /// An element that has the event ID in some capture.
  public struct Entry: Sendable {
    /// The path.
    public let path: ElementPath
    /// The page, if the capture tells it.
    public let page: String?
  }

  private var entries: [EventID: Entry] = [:]
  /// The classes of all captures.
  public private(set) var vocabulary = ClassVocabulary()
  /// The class hierarchy as far as captures name superclasses.
  public private(set) var hierarchy: ClassHierarchy

  /// Creates an empty dictionary.
  public init(hierarchy: ClassHierarchy = .builtIn) { self.hierarchy = hierarchy }

  /// The number of event IDs.
  public var count: Int { entries.count }

  /// What is known of an event ID.
  public subscript(id: EventID) -> Entry? { entries[id] }

  /// Adds the elements of a capture; of elements that share an event ID, the one added first stays.
  ///
  /// - Complexity: O(elements × depth).
  public mutating func insert(_ screen: IdentifiedTree) {
    vocabulary.insertClasses(of: screen.tree)
    hierarchy.insertClasses(of: screen)
    screen.forEachIdentity { element, _, _, eventID in
      guard entries[eventID] == nil else { return }
      entries[eventID] = Entry(path: screen.path(of: element), page: screen.page(of: element))
    }
  }
}

extension ClassHierarchy {
  /// Adds the superclasses that a capture names, for classes of which nothing is known yet.
  public mutating func insertClasses(of screen: IdentifiedTree) {
    let tree = screen.tree
    for element in tree.elements {
      if let superclasses = tree.value(.superclasses, of: element) {
        insertChain(screen.className(of: element), superclasses)
      }
      if tree.valueID(.controller, of: element) != nil, let name = screen.controller(of: element),
        let superclasses = tree.value(.controllerSuperclasses, of: element)
      {
        insertChain(name, superclasses)
      }
    }
  }

  private mutating func insertChain(_ name: String, _ superclasses: String) {
    var name = name
    for word in superclasses.utf8.split(whereSeparator: isWhiteSpace) {
      let superclass = RuntimeSubclass.writtenClass(of: String(Substring(word)))
      guard !superclass.utf8.elementsEqual(name.utf8) else { continue }
      guard self.superclasses(of: name).isEmpty else { return }
      add(name, superclass: superclass)
      name = superclass
    }
  }
}
