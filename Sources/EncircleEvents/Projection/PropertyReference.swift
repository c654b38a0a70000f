import EncircleText

/// A place in events: a key of `properties`, or a JSON Pointer (RFC 6901) from the event's root. Alternatively, the texts that
/// captures contain around the event's element.
public enum PropertyReference: Hashable, Sendable, CustomStringConvertible {
  /// A key of `properties`.
  case property(UTF8String)
  /// A pointer from the root.
  case pointer(JSONPointer)
  /// The texts in the innermost element that matches this selector and contains the event's element. No event has them itself;
  /// they are looked up in captures or a dictionary.
  case textsWithin(UTF8String)

  /// Parses a reference; a text that begins with `/` is a pointer. Nil for a malformed pointer.
  public init?(parsing text: String) {
    if text.utf8.first == UInt8(ascii: "/") {
      guard let pointer = JSONPointer(parsing: text) else { return nil }
      self = .pointer(pointer)
    } else {
      self = .property(UTF8String(text))
    }
  }

  /// Returns the written form of a reference to a key of an event's properties. A key that begins with `/` would be read as a pointer,
  /// so it is written as one.
  package static func text(ofKey key: String, in container: String = "properties") -> String {
    key.utf8.first == UInt8(ascii: "/") ? JSONPointer.member(key, of: "/" + container) : key
  }

  /// The name of the event's own member that the reference stands for; nil if it points deeper.
  package var memberOfEvent: String? {
    guard case .pointer(let pointer) = self, pointer.steps.count == 1 else { return nil }
    return String(decoding: pointer.steps[0].name, as: UTF8.self)
  }

  /// The reference as it is written in rules.
  public var description: String {
    switch self {
    case .property(let name): name.text
    case .pointer(let pointer): pointer.description
    case .textsWithin(let selector): "a text within \(selector)"
    }
  }
}
