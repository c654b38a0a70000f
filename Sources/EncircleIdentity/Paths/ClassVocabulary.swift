import EncircleText
import EncircleTree

/// The class names that paths may contain. They decide between the readings of an ambiguous path.
public struct ClassVocabulary: Sendable {
  private var names = StringTable()
  private let hierarchy: ClassHierarchy
  private var lengths: NameLengths

  /// Creates a vocabulary of the classes in a hierarchy.
  public init(_ hierarchy: ClassHierarchy = .builtIn) {
    self.hierarchy = hierarchy
    lengths = hierarchy.nameLengths
  }

  /// Adds a class name.
  public mutating func insert(_ name: String) {
    _ = names.intern(name)
    lengths.insert(name.utf8.count)
  }

  /// Adds the class names that paths of a tree contain.
  public mutating func insertClasses(of tree: ViewTree) {
    var seen: Set<StringID> = []
    for element in tree.elements {
      let id = tree.classID(of: element)
      if seen.insert(id).inserted { insert(RuntimeSubclass.writtenClass(of: tree.strings[id])) }
    }
  }

  /// The class names that have been added to the hierarchy's names.
  package var added: some Sequence<String> { (0..<UInt32(names.count)).lazy.map { [names] in names[StringID($0)] } }

  /// Returns whether a class name is in the vocabulary.
  public func contains(_ name: String) -> Bool {
    names.find(name) != nil || hierarchy.contains(name)
  }

  /// Returns whether a class name is in the vocabulary.
  package func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    names.find(name) != nil || hierarchy.contains(name)
  }

  /// The different lengths of the class names, in bytes.
  package var nameLengths: [Int] { lengths.all }
}
