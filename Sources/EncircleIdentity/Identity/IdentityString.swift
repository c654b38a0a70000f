import EncircleText

/// The parts of an identity string, the pre-image of an event ID.
///
/// `path(P)` and then, each only where it applies, `&controller(C)`, `&actions(A)`, `&message(M)`, `&title(T)`.
public struct IdentityString: Sendable {
  /// The path as it is written, with underscores.
  public var path: String
  /// Class of the nearest view controller; nil for a navigation-bar item.
  public var controller: String?
  /// Action selectors of a navigation-bar item; empty for anything else.
  public var actions: [String] = []
  /// Message of the alert; nil outside of alerts and where it has none. An empty one is written.
  public var message: String?
  /// Title of the alert; nil outside of alerts and where it has none. An empty one is written.
  public var title: String?

  /// Creates the parts from a path and a controller.
  public init(path: String, controller: String? = nil) {
    self.path = path
    self.controller = controller
  }

  /// Reads an identity string back; nil if the text is none.
  ///
  /// The parts may contain what separates them, so this is the likely reading, not the only one.
  public init?(parsing text: String) {
    let bytes = Array(text.utf8)
    guard bytes.starts(with: "path(".utf8), bytes.last == UInt8(ascii: ")") else { return nil }
    // From the end: each part begins at the last place where its opening stands, which closes the part before it.
    var end = bytes.count
    func take(_ opening: String) -> String? {
      let mark = Array(opening.utf8)
      for i in stride(from: end - mark.count - 1, to: 0, by: -1) where bytes[i..<i + mark.count].elementsEqual(mark) {
        defer { end = i + 1 }
        return String(decoding: bytes[(i + mark.count)..<(end - 1)], as: UTF8.self)
      }
      return nil
    }
    title = take(")&title(")
    message = take(")&message(")
    actions = take(")&actions(").map { $0.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } } ?? []
    controller = take(")&controller(")
    guard end > 5 else { return nil }
    path = String(decoding: bytes[5..<(end - 1)], as: UTF8.self)
  }

  /// The identity string.
  public var written: String {
    var bytes: [UInt8] = []
    var path = path
    path.withUTF8 { write(path: $0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the identity string with another path.
  package func write(path: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    EncircleIdentity.append("path(", to: &bytes)
    bytes.append(contentsOf: path)
    bytes.append(UInt8(ascii: ")"))
    if let controller { Self.append("&controller(", controller.utf8, to: &bytes) }
    if !actions.isEmpty { Self.append("&actions(", actions.joined(separator: ",").utf8, to: &bytes) }
    if let message { Self.append("&message(", message.utf8, to: &bytes) }
    if let title { Self.append("&title(", title.utf8, to: &bytes) }
  }

  /// The event ID.
  public var eventID: EventID { EventID(identity: written) }

  static func append(_ opening: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    EncircleIdentity.append(opening, to: &bytes)
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: ")"))
  }
}
