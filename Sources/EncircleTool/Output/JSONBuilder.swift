import EncircleIdentity
import EncircleText

/// Writes nested JSON (RFC 8259) to bytes, without a tree of values in memory.
///
/// ```swift
/// var json = JSONBuilder()
/// json.object {
///   $0.member("rule", "cart.add")
///   $0.array("pages", pages) { page, json in json.value(page) }
/// }
/// ```
struct JSONBuilder {
  /// The JSON so far.
  var bytes: [UInt8] = []

  /// The JSON as text, with a line end.
  var line: String { String(decoding: bytes, as: UTF8.self) + "\n" }

  // MARK: - Values

  mutating func object(_ members: (inout JSONBuilder) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func value(_ text: String) { JSONText.append(text, to: &bytes) }

  mutating func value(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

  /// Writes a finite number, without fraction if it is whole.
  mutating func value(_ number: Double) { JSONText.append(number, to: &bytes) }

  mutating func value(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }

  mutating func array<Element>(_ elements: [Element], _ element: (Element, inout JSONBuilder) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (i, value) in elements.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ",")) }
      element(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  // MARK: - Members of an object

  // A member without value is left out.

  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  mutating func member(_ name: String, _ number: Double) {
    key(name)
    value(number)
  }

  mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  mutating func member(_ name: String, _ texts: [String]) { array(name, texts) { $1.value($0) } }

  mutating func member(_ name: String, _ eventID: EventID?) {
    guard let eventID else { return }
    key(name)
    bytes.append(UInt8(ascii: "\""))
    eventID.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a member whose value is a text in UTF-8.
  mutating func member(_ name: String, _ text: UnsafeBufferPointer<UInt8>) {
    key(name)
    JSONText.append(text, to: &bytes)
  }

  /// Writes a member whose value `write` appends.
  mutating func member(_ name: String, write: (inout JSONBuilder) -> Void) {
    key(name)
    write(&self)
  }

  mutating func object(_ name: String, _ members: (inout JSONBuilder) -> Void) {
    key(name)
    object(members)
  }

  mutating func array<Element>(
    _ name: String, _ elements: [Element], element: (Element, inout JSONBuilder) -> Void
  ) {
    key(name)
    array(elements, element)
  }

  // The names are our own and need no escapes.
  private mutating func key(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "\":".utf8)
  }
}
