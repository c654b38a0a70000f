import EncircleText

/// The link that connects an app: a person opens it on the phone, usually from a QR code.
///
/// `sa12345678://visualized?feature_code=…&url=…`
///
/// The SDK decodes the post URL twice, and does not report decoding errors. The post URL therefore contains nothing that needs
/// an escape, and is escaped once, as a parameter of the link.
public struct FeatureLink: Hashable, Sendable {
  /// The pages of the SDK that a link opens.
  public enum Kind: String, CaseIterable, Sendable {
    /// Circling.
    case visualized
    /// The heat map of a page.
    case heatmap
  }

  /// The problem with one part of a link.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the part: `scheme`, `project` or `host`.
    public let part: String
    public let description: String
  }

  public let kind: Kind
  /// The URL scheme that the app has registered for the SDK.
  public let scheme: String
  /// The project, which must be the project in the app's server URL.
  public let project: String
  /// The origin at which the phone can reach the service: `http://192.168.1.5:8080`.
  public let origin: String

  /// - Parameters:
  ///   - scheme: `sa` followed by letters or digits. Links of other schemes could do anything when they are opened.
  ///   - host: A name or an address, with or without a port, optionally after `http://` or `https://`.
  /// - Throws: A ``Problem``.
  public init(_ kind: Kind, scheme: String, project: String, host: String) throws(Problem) {
    let letters = scheme.utf8.dropFirst(2)
    guard scheme.utf8.starts(with: "sa".utf8), (1...32).contains(letters.count), letters.allSatisfy(Self.isAlphanumeric)
    else {
      throw Problem(part: "scheme", description: "A scheme is sa with 1 to 32 letters or digits after it.")
    }
    guard Self.isUnreserved(project, limit: 64) else {
      throw Problem(part: "project", description: "A project has 1 to 64 letters, digits, dots, dashes, _ and ~.")
    }
    guard let origin = Self.origin(host) else {
      throw Problem(
        part: "host", description: "A host is a name or an address, with a port or without one: 192.168.1.5:8080.")
    }
    self.kind = kind
    self.scheme = scheme
    self.project = project
    self.origin = origin
  }

  /// Returns the URL to which the app posts its screens.
  public func postURL(code: String) -> String { "\(origin)/v1/visualized/\(code)?project=\(project)" }

  /// Returns the link with a code.
  public func text(code: String) -> String {
    "\(scheme)://\(kind.rawValue)?feature_code=\(code)&url=\(PercentEncoding.escaping(postURL(code: code)))"
  }

  // MARK: - Characters

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// Returns whether a text consists of characters that never need an escape (RFC 3986 §2.3).
  static func isUnreserved(_ text: String, limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
  }

  /// Returns the origin of a scheme, a host and a port without anything else; nil for any other text.
  private static func origin(_ text: String) -> String? {
    guard text.utf8.count <= 300 else { return nil }
    var rest = text[...]
    var scheme = "http"
    for known in ["http", "https"] where rest.utf8.starts(with: "\(known)://".utf8) {
      scheme = known
      rest = Substring(rest.utf8.dropFirst(known.utf8.count + 3))
      break
    }
    if rest.utf8.last == UInt8(ascii: "/") { rest = rest.dropLast() }
    var host = rest
    var port: Substring?
    if rest.utf8.first == UInt8(ascii: "[") {
      guard let end = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let address = rest.utf8[rest.utf8.index(after: rest.startIndex)..<end]
      guard !address.isEmpty,
        address.allSatisfy({ Hexadecimal.value(of: $0) != nil || $0 == UInt8(ascii: ":") })
      else { return nil }
      let behind = rest[rest.utf8.index(after: end)...]
      guard behind.isEmpty || behind.utf8.first == UInt8(ascii: ":") else { return nil }
      if !behind.isEmpty { port = behind.dropFirst() }
      host = rest[...end]
    } else {
      if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) {
        host = rest[..<colon]
        port = rest[rest.utf8.index(after: colon)...]
      }
      guard !host.isEmpty, host.utf8.allSatisfy({ isAlphanumeric($0) || "-._".utf8.contains($0) }) else { return nil }
    }
    guard let port else { return "\(scheme)://\(host)" }
    guard (1...5).contains(port.utf8.count), let number = Int(port), (1...65_535).contains(number) else { return nil }
    return "\(scheme)://\(host):\(number)"
  }
}
