import EncircleText

/// Names of Swift classes as a program prints them, `TotalView` for `_TtCC5Kiosk8CartView9TotalView`.
///
/// `NSStringFromClass`, the source of names in captures, gives the module and the class, `Kiosk.CartView`, if these suffice.
/// Nested, private, local and generic classes have mangled names instead. `String(describing:)` gives neither module nor outer
/// types, but generic arguments.
///
/// Source: <https://github.com/swiftlang/swift/blob/main/docs/ABI/OldMangling.rst>, a mangling that only Objective-C's runtime
/// names still use.
public enum SwiftClassName {
  /// The longest name that is read, in bytes; a longer one is returned as it is.
  static let maximumLength = 4096

  /// Returns the result of `String(describing:)` for a class with a runtime name; the name itself if it cannot be parsed.
  ///
  /// - Complexity: O(length of the result).
  public static func described(_ name: String) -> String {
    guard name.utf8.starts(with: "_Tt".utf8) else { return withoutModule(name) }
    guard name.utf8.count <= maximumLength else { return name }
    var parser = MangledNameParser(Array(name.utf8.dropFirst(3)))
    return parser.parse() ?? lastIdentifier(Array(name.utf8)) ?? name
  }

  /// Returns a class name without the module before it. The modules in generic arguments stay.
  public static func withoutModule(_ name: String) -> String {
    // UIKit's have none.
    guard withContiguousBytes(name.utf8, { $0.contains(UInt8(ascii: ".")) }) else { return name }
    let bytes = name.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
    guard let dot = bytes[..<end].lastIndex(of: UInt8(ascii: ".")), bytes.index(after: dot) < end else { return name }
    return String(name[bytes.index(after: dot)...])
  }

  /// Returns the last identifier of a mangled name whose rest cannot be parsed: the name of a class without arguments.
  private static func lastIdentifier(_ name: [UInt8]) -> String? {
    var digits = name.count - 1
    while digits > 3 {
      digits -= 1
      guard isDigit(name[digits]) else { continue }
      var start = digits
      while start > 3, isDigit(name[start - 1]), digits - start < 3 { start -= 1 }
      // A digit before the length may belong to a name that ends with one.
      for first in start...digits where name[first] != UInt8(ascii: "0") {
        let length = name[first...digits].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        if length == name.count - 1 - digits { return String(validating: name[(digits + 1)...], as: UTF8.self) }
      }
    }
    return nil
  }
}

/// Reads a mangled type behind `_Tt`.
private struct MangledNameParser {
  /// A type, module or function: its printed name, and the number of nominal types from the outermost to it. Each of these has
  /// its own list of generic arguments.
  struct Entity {
    var name: String
    var nesting = 0
  }

  private let bytes: [UInt8]
  private var position = 0
  // The entities that `S_`, `S0_`, `S1_`… refer to, in the order of parsing.
  private var substitutions: [Entity] = []
  private var depth = 0
  // The printed length so far. A few bytes can repeat earlier parts of a name, so the printed form could grow exponentially.
  private var length = 0

  private static let maximumDepth = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() -> String? {
    guard let type = parseType(), position == bytes.count else { return nil }
    return type.name
  }

  // MARK: - Types

  private mutating func parseType() -> Entity? {
    guard depth < Self.maximumDepth, let kind = next() else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch kind {
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"): return parseNominal()
    case UInt8(ascii: "P"): return parseProtocols()
    case UInt8(ascii: "G"): return parseGeneric()
    case UInt8(ascii: "S"): return parseSubstitution()
    case UInt8(ascii: "T"), UInt8(ascii: "t"): return parseTuple()
    case UInt8(ascii: "F"), UInt8(ascii: "b"), UInt8(ascii: "c"): return parseFunctionType()
    case UInt8(ascii: "M"): return parseType().flatMap { made("\($0.name).Type") }
    case UInt8(ascii: "R"): return parseType().flatMap { made("inout \($0.name)") }
    case UInt8(ascii: "D"): return parseType()
    default: return nil
    }
  }

  // nominal = kind context name
  private mutating func parseNominal() -> Entity? {
    guard let context = parseContext(), let name = parseName() else { return nil }
    return named(name, in: context)
  }

  private mutating func named(_ name: String, in context: Entity) -> Entity {
    let entity = Entity(name: name, nesting: context.nesting + 1)
    substitutions.append(entity)
    return entity
  }

  // generic = "G" type 1*( *type "_" )
  private mutating func parseGeneric() -> Entity? {
    guard let base = parseType() else { return nil }
    var arguments: [String] = []
    for _ in 0..<max(1, base.nesting) {
      arguments = []
      while !take("_") {
        guard let argument = parseType() else { return nil }
        arguments.append(argument.name)
      }
    }
    let list = arguments.isEmpty ? "" : "<\(arguments.joined(separator: ", "))>"
    return made(base.name + list, nesting: base.nesting)
  }

  // protocols = "P" *( context name / "S" index ) "_"
  private mutating func parseProtocols() -> Entity? {
    var names: [String] = []
    while !take("_") {
      guard let context = parseContext() else { return nil }
      if context.nesting > 0, !beginsName {
        names.append(context.name)
        continue
      }
      guard let name = parseName() else { return nil }
      names.append(named(name, in: context).name)
    }
    return made(names.isEmpty ? "Any" : names.joined(separator: " & "))
  }

  private var beginsName: Bool {
    peek().map { isDigit($0) || $0 == UInt8(ascii: "P") || $0 == UInt8(ascii: "L") } ?? false
  }

  // tuple = "T" *( [ identifier ] type ) "_"
  private mutating func parseTuple() -> Entity? {
    var elements: [String] = []
    while !take("_") {
      var label = ""
      if peek().map(isDigit) ?? false {
        guard let name = parseIdentifier() else { return nil }
        label = name + ": "
      }
      guard let type = parseType() else { return nil }
      elements.append(label + type.name)
    }
    return made("(\(elements.joined(separator: ", ")))")
  }

  private mutating func parseFunctionType() -> Entity? {
    guard let argument = parseType(), let result = parseType() else { return nil }
    let list = argument.name.utf8.first == UInt8(ascii: "(") ? argument.name : "(\(argument.name))"
    return made("\(list) -> \(result.name)")
  }

  /// Parses the part of a substitution after its `S`.
  private mutating func parseSubstitution() -> Entity? {
    if let index = parseIndex() { return index < substitutions.count ? substitutions[index] : nil }
    guard let letter = next(), let name = Self.standardTypes[letter] else { return nil }
    return Entity(name: name, nesting: 1)
  }

  private static let standardTypes: [UInt8: String] = {
    let types: KeyValuePairs<Unicode.Scalar, String> = [
      "a": "Array", "b": "Bool", "c": "UnicodeScalar", "d": "Double", "f": "Float", "i": "Int", "P": "UnsafePointer",
      "p": "UnsafeMutablePointer", "Q": "ImplicitlyUnwrappedOptional", "q": "Optional", "R": "UnsafeBufferPointer",
      "r": "UnsafeMutableBufferPointer", "S": "String", "u": "UInt", "V": "UnsafeRawPointer",
      "v": "UnsafeMutableRawPointer",
    ]
    return Dictionary(uniqueKeysWithValues: types.map { (UInt8(ascii: $0), $1) })
  }()

  // MARK: - Contexts and names

  private mutating func parseContext() -> Entity? {
    guard depth < Self.maximumDepth, let first = peek() else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch first {
    case UInt8(ascii: "s"):
      position += 1
      return Entity(name: "Swift")
    case UInt8(ascii: "S"):
      position += 1
      if take("o") || take("C") { return Entity(name: "__C") }
      return parseSubstitution()
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "P"):
      position += 1
      return parseNominal()
    case UInt8(ascii: "E"):
      position += 1
      // An extension has its module, then the type that it extends.
      return parseContext() == nil ? nil : parseContext()
    case UInt8(ascii: "Z"):
      position += 1
      return parseContext()
    case UInt8(ascii: "F"):
      position += 1
      guard parseContext() != nil, parseFunctionName(), parseType() != nil else { return nil }
      return Entity(name: "")
    default:
      guard let module = parseIdentifier() else { return nil }
      substitutions.append(Entity(name: module))
      return Entity(name: module)
    }
  }

  /// Parses the name of a function, or its equivalent in an initializer, a deinitializer or a closure.
  private mutating func parseFunctionName() -> Bool {
    if take("C") || take("c") || take("D") || take("d") { return true }
    if take("U") || take("u") { return parseIndex() != nil }
    if take("o") { position += 1 }
    return parseName() != nil
  }

  // name = [ "L" index / "P" identifier ] identifier
  private mutating func parseName() -> String? {
    if take("L") { if parseIndex() == nil { return nil } }
    if take("P") { if parseIdentifier() == nil { return nil } }
    return parseIdentifier()
  }

  // index = "_" / number "_"
  private mutating func parseIndex() -> Int? {
    if take("_") { return 0 }
    guard peek().map(isDigit) ?? false, let number = parseNumber(), take("_") else { return nil }
    return number + 1
  }

  // identifier = number bytes
  private mutating func parseIdentifier() -> String? {
    guard let count = parseNumber(), count > 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return String(validating: bytes[position..<position + count], as: UTF8.self)
  }

  private mutating func parseNumber() -> Int? {
    var number = 0
    var isEmpty = true
    while let byte = peek(), isDigit(byte) {
      number = number * 10 + Int(byte - 0x30)
      guard number <= SwiftClassName.maximumLength else { return nil }
      isEmpty = false
      position += 1
    }
    return isEmpty ? nil : number
  }

  private mutating func made(_ name: String, nesting: Int = 0) -> Entity? {
    length += name.utf8.count
    return length <= SwiftClassName.maximumLength * 4 ? Entity(name: name, nesting: nesting) : nil
  }

  // MARK: - Bytes

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func next() -> UInt8? {
    guard let byte = peek() else { return nil }
    position += 1
    return byte
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }
}
