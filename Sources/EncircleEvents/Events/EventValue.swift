import EncircleText

/// A value in an event, of one of the types that JSON has.
///
/// Strings are compared by their bytes, never by canonical equivalence, and numbers by their exact value. Values nested
/// deeper than 512 levels cannot be read back from their JSON.
public enum EventValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number of any size.
  case number(DecimalNumber)
  /// A text.
  case string(String)
  /// An array.
  case list([EventValue])
  /// An object.
  case object(EventObject)
}

extension EventValue: Hashable {
  /// Values are equal if they have the same type and content; the order of members counts.
  ///
  /// - Complexity: O(*n*), *n* bytes of their JSON.
  public static func == (a: EventValue, b: EventValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    // Equal values have the same JSON, and writing it needs no recursion.
    case (.list, .list), (.object, .object): a.json == b.json
    default: false
    }
  }

  /// Hashes the values that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension EventValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(integerLiteral value: Int64) { self = .number(DecimalNumber(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: EventValue...) { self = .list(elements) }
  /// Creates an object.
  public init(dictionaryLiteral elements: (String, EventValue)...) {
    self = .object(EventObject(elements.map { EventObject.Member(name: $0, value: $1) }))
  }
}

/// An object in an event: members in their order.
public struct EventObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// The name, compared by its bytes.
    public var name: String
    /// The value.
    public var value: EventValue

    /// Creates a member.
    public init(name: String, value: EventValue) {
      self.name = name
      self.value = value
    }

    /// Members are equal if their values are, and their names are byte by byte.
    public static func == (a: Member, b: Member) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value == b.value
    }

    /// Hashes the values that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
      hasher.combine(value)
    }
  }

  /// The members. Names may occur more than once; the last one counts.
  public var members: [Member]

  /// Creates an object.
  public init(_ members: [Member] = []) { self.members = members }

  /// Creates an object.
  public init(dictionaryLiteral elements: (String, EventValue)...) {
    members = elements.map { Member(name: $0, value: $1) }
  }

  /// The value of the last member of that name.
  ///
  /// Setting it replaces that value and removes the earlier ones, appends a new member, or, with nil, removes all members
  /// of that name.
  ///
  /// - Complexity: O(*m*), *m* members.
  public subscript(name: String) -> EventValue? {
    get { members.last { $0.name.hasSameBytes(as: name) }?.value }
    set {
      let hasName = { (member: Member) in member.name.hasSameBytes(as: name) }
      guard let newValue else { return members.removeAll(where: hasName) }
      guard let last = members.lastIndex(where: hasName) else {
        return members.append(Member(name: name, value: newValue))
      }
      members[last].value = newValue
      guard let first = members.firstIndex(where: hasName), first < last else { return }
      let kept = members[last...]
      members.removeSubrange(last...)
      members.removeAll(where: hasName)
      members += kept
    }
  }
}
