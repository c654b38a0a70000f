import EncircleTree

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

  /// The identity string.
  public var written: String {
    var bytes: [UInt8] = []
    EncircleIdentity.append("path(", to: &bytes)
    bytes.append(contentsOf: path.utf8)
    bytes.append(UInt8(ascii: ")"))
    if let controller { Self.append("&controller(", controller.utf8, to: &bytes) }
    if !actions.isEmpty { Self.append("&actions(", actions.joined(separator: ",").utf8, to: &bytes) }
    if let message { Self.append("&message(", message.utf8, to: &bytes) }
    if let title { Self.append("&title(", title.utf8, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The event ID.
  public var eventID: EventID { EventID(identity: written) }

  static func append(_ opening: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    EncircleIdentity.append(opening, to: &bytes)
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: ")"))
  }
}
