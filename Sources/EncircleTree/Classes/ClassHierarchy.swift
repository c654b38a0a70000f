import EncircleText

/// A table of classes and their superclasses, for kind-of tests where a capture does not name superclasses.
public struct ClassHierarchy: Sendable {
  private var names = StringTable()
  // The superclasses by class; noClass if a class has none or an unknown one.
  private var superclasses: [UInt32] = []
  // For each class, an upper bound of the number of classes on the longest way down to a subclass.
  private var heights: [UInt8] = []
  // The role of each class.
  private var roles: [Role] = []
  private static let noClass = UInt32.max

  private enum Role: UInt8 {
    /// A class.
    case one
    /// A class whose superclass is another name of it: the two names are kinds of each other.
    case named
    /// A short name that several classes have.
    case shared
  }

  /// The lengths of the names.
  package private(set) var nameLengths = NameLengths()

  public init() {}

  /// The public and well-known private classes of UIKit and of Android's widgets.
  public static let builtIn: ClassHierarchy = {
    var hierarchy = ClassHierarchy()
    // The tables are string literals, because the compiler takes 5 s for the array literals that `.embedInCode` makes of them.
    for table in [uiKit, android] { table.withUTF8Buffer { hierarchy.addTable($0) } }
    return hierarchy
  }()

  /// Adds the classes of a table. It has one class per line, indented by two spaces more than its superclass. A comment
  /// begins with `#`.
  private mutating func addTable(_ text: UnsafeBufferPointer<UInt8>) {
    var path: [(indentation: Int, id: UInt32)] = []
    for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) {
      let indentation = line.prefix { $0 == UInt8(ascii: " ") }.count
      let name = line.dropFirst(indentation).prefix {
        $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\r")
      }
      guard !name.isEmpty else { continue }
      while let last = path.last, last.indentation >= indentation { path.removeLast() }
      let id = intern(UnsafeBufferPointer(rebasing: name))
      superclasses[Int(id)] = path.last?.id ?? Self.noClass
      path.append((indentation, id))
      for (i, ancestor) in path.enumerated() {
        heights[Int(ancestor.id)] = max(heights[Int(ancestor.id)], UInt8(path.count - 1 - i))
      }
    }
  }

  /// The largest number of superclasses of a class. Real classes have fewer than 20.
  public static let maximumDepth = 128

  /// Makes `superclass` the superclass of `name`, whatever it was before.
  ///
  /// - Returns: False if `superclass` is itself a kind of `name`, or if some class would have more than ``maximumDepth``
  ///   superclasses; then nothing changes.
  /// - Complexity: O(``maximumDepth``).
  @discardableResult
  public mutating func add(_ name: String, superclass: String) -> Bool {
    let sub = internString(name)
    let base = internString(superclass)
    var depth = Int(heights[Int(sub)]) + 1
    var ancestor = base
    while ancestor != Self.noClass {
      guard ancestor != sub, depth <= Self.maximumDepth else { return false }
      ancestor = superclasses[Int(ancestor)]
      depth += 1
    }
    superclasses[Int(sub)] = base
    if roles[Int(sub)] == .named { roles[Int(sub)] = .one }
    var height = heights[Int(sub)] + 1
    ancestor = base
    while ancestor != Self.noClass, heights[Int(ancestor)] < height {
      heights[Int(ancestor)] = height
      height += 1
      ancestor = superclasses[Int(ancestor)]
    }
    return true
  }

  /// Adds the short names of Android classes, as some SDKs and people write them.
  ///
  /// A short name that only one class has, or that a class shares only with its subclasses, is another name of that class. Any other
  /// short name is a kind of the nearest common superclass of the classes with this name; if that is the direct superclass of each,
  /// they are kinds of the short name. So `MaterialButton` is a kind of `AppCompatButton`, of AndroidX or of the support library, and
  /// of `android.widget.Button`. A dot may stand for the `$` before inner classes.
  ///
  /// - Complexity: O(classes × ``maximumDepth``).
  package mutating func insertShortNames() {
    var shortNames: [String] = []
    var owners: [UTF8String: [UInt32]] = [:]
    for id in 0..<UInt32(names.count) {
      let name = names[StringID(id)]
      guard let short = Self.shortName(of: name) else { continue }
      if owners[UTF8String(short)] == nil { shortNames.append(short) }
      owners[UTF8String(short), default: []].append(id)
    }
    for short in shortNames where names.find(short) == nil {
      if let owners = owners[UTF8String(short)] { insert(short, of: owners) }
    }
    for id in owners.values.joined().sorted() {
      let name = names[StringID(id)]
      if name.utf8.contains(UInt8(ascii: "$")) { add(name.replacingBytes(of: "$", with: "."), superclass: name) }
    }
  }

  private mutating func insert(_ short: String, of owners: [UInt32]) {
    let common = owners.dropFirst().reduce(owners[0]) { commonKind($0, $1) }
    guard common != Self.noClass else { return }
    let isOwner = owners.contains(common)
    let superclass = isOwner ? superclasses[Int(common)] : common
    if superclass != Self.noClass, !add(short, superclass: names[StringID(superclass)]) { return }
    if isOwner {
      if add(names[StringID(common)], superclass: short) { roles[Int(common)] = .named }
      return
    }
    roles[Int(internString(short))] = .shared
    guard owners.allSatisfy({ superclasses[Int($0)] == common }) else { return }
    for owner in owners { add(names[StringID(owner)], superclass: short) }
  }

  /// Returns the nearest common superclass of two classes, or one of them if the other is a kind of it; else ``noClass``.
  private func commonKind(_ first: UInt32, _ second: UInt32) -> UInt32 {
    var (first, second) = (first, second)
    var difference = depth(of: first) - depth(of: second)
    while difference > 0 { (first, difference) = (superclasses[Int(first)], difference - 1) }
    while difference < 0 { (second, difference) = (superclasses[Int(second)], difference + 1) }
    while first != second { (first, second) = (superclasses[Int(first)], superclasses[Int(second)]) }
    return first
  }

  /// Returns the number of classes from a class up to its root.
  private func depth(of id: UInt32) -> Int {
    var (id, depth) = (id, 0)
    while id != Self.noClass { (id, depth) = (superclasses[Int(id)], depth + 1) }
    return depth
  }

  /// Returns a name without its package and outer classes; nil for a name without a package.
  private static func shortName(of name: String) -> String? {
    let parts = name.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }
    guard parts.count > 1, name.utf8.contains(UInt8(ascii: ".")), let last = parts.last else { return nil }
    return String(Substring(last))
  }

  /// Returns whether a class is in the hierarchy. A short name that several classes have is not a class.
  public func contains(_ name: String) -> Bool { names.find(name).map(isOneClass) ?? false }

  /// Returns whether a class is in the hierarchy. A short name that several classes have is not a class.
  package func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool { names.find(name).map(isOneClass) ?? false }

  private func isOneClass(_ id: StringID) -> Bool { roles[Int(id.rawValue)] != .shared }

  /// Returns the superclasses of a class, nearest first. The array is empty if none is known.
  public func superclasses(of name: String) -> [String] {
    var result: [String] = []
    var id = names.find(name)?.rawValue
    while let current = id, superclasses[Int(current)] != Self.noClass {
      id = superclasses[Int(current)]
      result.append(names[StringID(superclasses[Int(current)])])
    }
    return result
  }

  /// Returns whether `name` is `base` or a known subclass of it.
  ///
  /// - Complexity: O(depth of the hierarchy).
  public func isClass(_ name: String, kindOf base: String) -> Bool {
    if name.hasSameBytes(as: base) { return true }
    guard let id = names.find(name), let baseID = names.find(base) else { return false }
    return isClass(id.rawValue, kindOf: baseID.rawValue)
  }

  /// Calls `body` with the name of every class, in the order in which the classes were added.
  package func forEachClass(_ body: (String) -> Void) {
    for id in 0..<names.count { body(names[StringID(UInt32(id))]) }
  }

  /// The number of classes.
  package var count: Int { names.count }

  /// Calls `body` with the name of every class that is one of some classes or a subclass of one.
  ///
  /// - Complexity: O(classes).
  package func forEachClass(kindOfAny bases: some Sequence<String>, _ body: (String) -> Void) {
    var known = [Bool?](repeating: nil, count: names.count)
    for base in bases { if let id = names.find(base) { known[Int(kind(id.rawValue))] = true } }
    for start in known.indices {
      var last = start
      while known[last] == nil, superclasses[last] != Self.noClass { last = Int(superclasses[last]) }
      let isKind = known[last] ?? false
      var id = start
      while known[id] == nil {
        known[id] = isKind
        if id != last { id = Int(superclasses[id]) }
      }
      if isKind { body(names[StringID(UInt32(start))]) }
    }
  }

  /// Returns whether `name` is `base` or a known subclass of it.
  ///
  /// - Complexity: O(depth of the hierarchy).
  package func isClass(_ name: UnsafeBufferPointer<UInt8>, kindOf base: UnsafeBufferPointer<UInt8>) -> Bool {
    if sameBytes(name, base) { return true }
    guard let id = names.find(name), let baseID = names.find(base) else { return false }
    return isClass(id.rawValue, kindOf: baseID.rawValue)
  }

  /// Calls `body` with the name of a class, if it is known, and the names of its superclasses, nearest first, until it returns
  /// false. The second argument is true if the name is another name of the previous class.
  package func forEachSuperclass(
    from name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, _ isOtherName: Bool) -> Bool
  ) {
    guard var id = names.find(name)?.rawValue else { return }
    var isOtherName = false
    while id != Self.noClass, names.withBytes(of: StringID(id), { body($0, isOtherName) }) {
      isOtherName = roles[Int(id)] == .named
      id = superclasses[Int(id)]
    }
  }

  /// Returns the highest of a class's names: all kinds of the class are kinds of this name.
  private func kind(_ id: UInt32) -> UInt32 { roles[Int(id)] == .named ? superclasses[Int(id)] : id }

  private func isClass(_ id: UInt32, kindOf base: UInt32) -> Bool {
    var id = id
    let base = kind(base)
    while id != Self.noClass {
      if id == base { return true }
      id = superclasses[Int(id)]
    }
    return false
  }

  private mutating func internString(_ name: String) -> UInt32 {
    var name = name
    return name.withUTF8 { intern($0) }
  }

  private mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let id = names.intern(name).rawValue
    if superclasses.count < names.count {
      superclasses.append(Self.noClass)
      heights.append(0)
      roles.append(.one)
      nameLengths.insert(name.count)
    }
    return id
  }
}
