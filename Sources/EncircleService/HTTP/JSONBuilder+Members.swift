import EncircleText
import Hummingbird

// These functions are for answers, whose members are null rather than missing, and which contain values that are JSON already.

extension JSONBuilder {
  mutating func null() { bytes.append(contentsOf: "null".utf8) }

  mutating func value(orNull text: String?) { if let text { value(text) } else { null() } }

  mutating func value(orNull number: Int?) { if let number { value(number) } else { null() } }

  mutating func member(_ name: String, orNull text: String?) { member(name) { $0.value(orNull: text) } }

  mutating func member(_ name: String, orNull number: Int?) { member(name) { $0.value(orNull: number) } }

  mutating func member(_ name: String, _ number: Int64) { member(name, Int(number)) }

  /// Writes a member whose value is already JSON.
  mutating func member(_ name: String, json: some Sequence<UInt8>) {
    member(name) { $0.bytes.append(contentsOf: json) }
  }

  /// Writes an array whose elements are written one by one, each by a call of ``element(_:)``.
  mutating func array(_ name: String, elements: (inout JSONBuilder) throws -> Void) rethrows {
    member(name) { $0.bytes.append(UInt8(ascii: "[")) }
    try elements(&self)
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes an object as an element of an array.
  mutating func element(_ members: (inout JSONBuilder) -> Void) {
    if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    object(members)
  }
}

extension JSON {
  /// Returns a response with an object whose members `members` writes.
  static func response(
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], _ members: (inout JSONBuilder) -> Void
  ) -> Response {
    var json = JSONBuilder()
    json.object(members)
    return response(bytes: ByteBuffer(bytes: json.bytes), status: status, headers: headers)
  }
}
