import EncircleText
import Hummingbird

extension JSONBuilder {
  mutating func member(_ name: String, _ number: Int64) { member(name, Int(number)) }

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
    return response(bytes: json.bytes, status: status, headers: headers)
  }
}
