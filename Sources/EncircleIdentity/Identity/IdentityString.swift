import EncircleText

/// The parts of an identity string. Its SHA-256 is an event ID.
///
/// An identity string is `path(P)` followed by any of `&controller(C)`, `&actions(A)`, `&message(M)`, `&title(T)` and, with
/// ``IdentityOptions``, `&screenTitle(S)` that apply to the element, in this order.
public struct IdentityString: Sendable {
  /// The path, written with underscores.
  public var path: String
  /// The class of the nearest view controller; nil for a navigation-bar item.
  public var controller: String?
  /// The action selectors of a navigation-bar item; empty for other elements.
  public var actions: [String] = []
  /// The message of the alert around the element; nil if there is no alert or no message. An empty message is written.
  public var message: String?
  /// The title of the alert around the element; nil if there is no alert or no title. An empty title is written.
  public var title: String?

  /// The title of the page; nil if identities do not contain it, which is the default. An empty title is written.
  public var screenTitle: String?

  public init(path: String, controller: String? = nil) {
    self.path = path
    self.controller = controller
  }

  /// Parses an identity string; nil if the text is not one.
  ///
  /// Parts may contain text that looks like a separator, so a text may have several readings. This returns the most likely one.
  public init?(parsing text: String) {
    let bytes = Array(text.utf8)
    guard bytes.starts(with: "path(".utf8), bytes.last == UInt8(ascii: ")") else { return nil }
    // Parts are searched for from the end. A part begins at the last occurrence of its opening, and the part before it ends
    // there.
    var end = bytes.count
    func popPart(_ opening: String) -> String? {
      let mark = Array(opening.utf8)
      for i in stride(from: end - mark.count - 1, to: 0, by: -1) where bytes[i..<i + mark.count].elementsEqual(mark) {
        defer { end = i + 1 }
        return String(decoding: bytes[(i + mark.count)..<(end - 1)], as: UTF8.self)
      }
      return nil
    }
    screenTitle = popPart(")&screenTitle(")
    title = popPart(")&title(")
    message = popPart(")&message(")
    actions =
      popPart(")&actions(").map { $0.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } } ?? []
    controller = popPart(")&controller(")
    guard end > 5 else { return nil }
    path = String(decoding: bytes[5..<(end - 1)], as: UTF8.self)
  }

  /// The identity string that the parts make.
  public var written: String {
    var bytes: [UInt8] = []
    var path = path
    path.withUTF8 { write(path: $0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the identity string, with another path in place of ``path``.
  package func write(path: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    EncircleIdentity.append("path(", to: &bytes)
    bytes.append(contentsOf: path)
    bytes.append(UInt8(ascii: ")"))
    if let controller { Self.append("&controller(", controller.utf8, to: &bytes) }
    if !actions.isEmpty { Self.append("&actions(", actions.joined(separator: ",").utf8, to: &bytes) }
    if let message { Self.append("&message(", message.utf8, to: &bytes) }
    if let title { Self.append("&title(", title.utf8, to: &bytes) }
    if let screenTitle { Self.append("&screenTitle(", screenTitle.utf8, to: &bytes) }
  }

  /// The event ID of the identity string.
  public var eventID: EventID { EventID(identity: written) }

  static func append(_ opening: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    EncircleIdentity.append(opening, to: &bytes)
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: ")"))
  }
}
