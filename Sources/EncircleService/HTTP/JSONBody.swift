import EncircleEvents
import EncircleText

/// A value in a request's body, with its place. If the value does not have the type that a getter expects, the getter throws an
/// error with a JSON Pointer. Such a request is answered with 422.
struct JSONBody {
  let value: EventValue
  /// The place of the value in the body, as a JSON Pointer; empty for the whole body.
  let pointer: String

  /// Reads a body, which must be an object. It may begin with a byte order mark, as files of Windows do.
  ///
  /// - Parameter limits: The service's limits, for the body of a request.
  /// - Throws: ``ServiceError`` with 400, a line and a column if the body is not JSON or has too many levels, and with 422 if
  ///   it is not an object.
  init(_ bytes: some Collection<UInt8>, _ limits: ServiceLimits = ServiceLimits()) throws {
    let bytes = bytes.withoutByteOrderMark
    do {
      value = try EventValue(json: bytes, depthLimit: limits.depth)
    } catch let error {
      let place = withContiguousBytes(bytes) { SourceLocation(of: error.offset, in: $0) }
      throw ServiceError.malformed(
        "The body is not JSON: \(error.kind.message).", code: "bad-json",
        location: ServiceError.Location(line: place.line, column: place.column))
    }
    pointer = ""
    _ = try object
  }

  /// Creates a body from a value that is not in a request, or is a part of one.
  init(_ value: EventValue, at pointer: String = "") {
    self.value = value
    self.pointer = pointer
  }

  /// Returns an error at the place of this value.
  func error(_ message: String, code: String = "bad-value") -> ServiceError {
    .invalid(message, code: code, location: ServiceError.Location(pointer: pointer))
  }

  var object: EventObject {
    get throws {
      guard case .object(let object) = value else { throw error("This must be an object.") }
      return object
    }
  }

  /// The members of an object. A repeated name is refused, because one of its values would be ignored.
  var members: [(name: String, body: JSONBody)] {
    get throws {
      var seen: Set<UTF8String> = []
      var members: [(name: String, body: JSONBody)] = []
      for member in try object.members {
        let body = JSONBody(member.value, at: JSONPointer.member(member.name, of: pointer))
        guard seen.insert(UTF8String(member.name)).inserted else {
          throw body.error("This member is there twice.", code: "duplicate-member")
        }
        members.append((member.name, body))
      }
      return members
    }
  }

  /// The elements of an array.
  var elements: [JSONBody] {
    get throws {
      guard case .list(let list) = value else { throw error("This must be an array.") }
      return list.enumerated().map { JSONBody($1, at: "\(pointer)/\($0)") }
    }
  }

  /// Refuses members with other names, because a misspelt one would be ignored, and repeated names.
  func allow(_ names: String...) throws { try allow(names) }

  func allow(_ names: [String]) throws {
    for member in try members where !names.contains(where: { $0.hasSameBytes(as: member.name) }) {
      let nearest = Diagnostic.nearest(to: member.name, among: names).map { " Did you mean \($0)?" } ?? ""
      throw member.body.error("There is no member of this name here.\(nearest)", code: "unknown-member")
    }
  }

  /// Refuses names that are repeated in an object of this value, at any level.
  ///
  /// - Complexity: O(size of the value).
  func refuseRepeatedMembers() throws {
    var rest = [self]
    while let body = rest.popLast() {
      switch body.value {
      case .object: rest += try body.members.map(\.body)
      case .list: rest += try body.elements
      default: break
      }
    }
  }

  /// Returns a member; nil if it is missing.
  func member(_ name: String) throws -> JSONBody? {
    try object[name].map { JSONBody($0, at: JSONPointer.member(name, of: pointer)) }
  }

  /// Returns the value that `read`, such as `\.text`, reads from a member; nil if the member is missing or null.
  func optional<Value>(_ name: String, _ read: (JSONBody) throws -> Value) throws -> Value? {
    guard let member = try member(name), member.value != .null else { return nil }
    return try read(member)
  }

  /// Returns a required member.
  func required(_ name: String) throws -> JSONBody {
    guard let member = try member(name) else {
      throw JSONBody(.null, at: JSONPointer.member(name, of: pointer)).error("This is missing.")
    }
    return member
  }

  var text: String {
    get throws {
      guard case .string(let text) = value else { throw error("This must be a string.") }
      // SQLite would cut the text there.
      guard !text.utf8.contains(0) else { throw error("This must be a string without NUL characters.") }
      return text
    }
  }

  var flag: Bool {
    get throws {
      guard case .bool(let flag) = value else { throw error("This must be true or false.") }
      return flag
    }
  }

  /// The texts of an array.
  var texts: [String] {
    get throws { try elements.map { try $0.text } }
  }

  var integer: Int {
    get throws {
      guard case .number(let decimal) = value, let number = Int(decimal.description) else {
        throw error("This must be a whole number.")
      }
      return number
    }
  }

  var double: Double {
    get throws {
      guard case .number(let decimal) = value, let number = Double(decimal.description), number.isFinite else {
        throw error("This must be a number.")
      }
      return number
    }
  }

  func number(in range: ClosedRange<Int>) throws -> Int {
    guard case .number(let decimal) = value, let number = Int(decimal.description), range.contains(number) else {
      throw error("This must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
