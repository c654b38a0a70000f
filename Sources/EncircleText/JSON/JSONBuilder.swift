/// Writes nested JSON (RFC 8259) to bytes, without a tree of values in memory.
///
/// ```swift
/// var json = JSONBuilder()
/// json.object {
///   $0.member("rule", "cart.add")
///   $0.array("pages", pages) { page, json in json.value(page) }
/// }
/// ```
package struct JSONBuilder {
  /// The JSON so far.
  package var bytes: [UInt8] = []

  package init() {}

  /// The JSON as text, with a line end.
  package var line: String { String(decoding: bytes, as: UTF8.self) + "\n" }

  // MARK: - Values

  package mutating func object(_ members: (inout JSONBuilder) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  package mutating func value(_ text: String) { JSONText.append(text, to: &bytes) }

  package mutating func value(_ number: Int) { appendDecimal(number, to: &bytes) }

  /// Writes a finite number, without fraction if it is whole.
  package mutating func value(_ number: Double) { JSONText.append(number, to: &bytes) }

  package mutating func value(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }

  package mutating func null() { bytes.append(contentsOf: "null".utf8) }

  package mutating func array<Element>(_ elements: [Element], _ element: (Element, inout JSONBuilder) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (i, value) in elements.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ",")) }
      element(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  // MARK: - Members of an object

  // A member without a value is omitted.

  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  package mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, _ number: Double) {
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  package mutating func member(_ name: String, _ texts: [String]) { array(name, texts) { $1.value($0) } }

  /// Writes a text, or null.
  package mutating func nullable(_ name: String, _ text: String?) {
    member(name) { json in
      if let text { json.value(text) } else { json.null() }
    }
  }

  /// Writes a number, or null.
  package mutating func nullable(_ name: String, _ number: Int?) {
    member(name) { json in
      if let number { json.value(number) } else { json.null() }
    }
  }

  /// Writes a member whose value is JSON already.
  package mutating func member(_ name: String, json: some Sequence<UInt8>) {
    member(name) { $0.bytes.append(contentsOf: json) }
  }

  /// Writes a member whose value is a text in UTF-8.
  package mutating func member(_ name: String, _ text: UnsafeBufferPointer<UInt8>) {
    key(name)
    JSONText.append(text, to: &bytes)
  }

  /// Writes a member whose value `write` appends.
  package mutating func member(_ name: String, write: (inout JSONBuilder) -> Void) {
    key(name)
    write(&self)
  }

  /// Writes a member whose name comes from outside and may need escapes.
  package mutating func member(escaping name: String, write: (inout JSONBuilder) -> Void) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    value(name)
    bytes.append(UInt8(ascii: ":"))
    write(&self)
  }

  package mutating func object(_ name: String, _ members: (inout JSONBuilder) -> Void) {
    key(name)
    object(members)
  }

  package mutating func array<Element>(
    _ name: String, _ elements: [Element], element: (Element, inout JSONBuilder) -> Void
  ) {
    key(name)
    array(elements, element)
  }

  // These names are constants of Encircle and need no escapes.
  package mutating func key(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    var name = name
    name.withUTF8 { bytes.append(contentsOf: $0) }
    bytes.append("\":")
  }
}
