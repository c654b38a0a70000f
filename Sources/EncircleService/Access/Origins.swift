import EncircleText
import HTTPTypes
import Hummingbird

/// Checks `Origin` and `Host`, because a browser may send requests that its user did not intend: for a page of another site
/// (CSRF), or for a foreign name that resolves to this address (DNS rebinding).
struct Origins: Sendable {
  /// The origins of other sites' pages that may use the API.
  let allowed: Set<String>

  init(allowed: [String]) {
    self.allowed = Set(allowed.map { Self.normal($0) })
  }

  func isAllowed(_ origin: String) -> Bool { allowed.contains(Self.normal(origin)) }

  /// Refuses a request that changes something and comes from a page of another site.
  ///
  /// - Throws: ``ServiceError`` with 403.
  func check(_ request: Request) throws {
    if let origin = request.headers[.origin] {
      if isAllowed(origin) { return }
      let own = request.head.authority?.lowercased() ?? ""
      guard Self.isOf(origin, own) else {
        throw ServiceError(
          .forbidden, code: "foreign-origin",
          message: """
            Pages of other origins may not change anything here: the page is of \(VisibleText.shortened(origin)), and the request \
            came for \(VisibleText.shortened(own)). A proxy in between must keep the header Host.
            """)
      }
    }
    if let site = request.headers[Self.secFetchSite], site == "cross-site" || site == "same-site" {
      // Sensors' SDK for browsers sends events as the addresses of images, whose requests have no Origin. A page can
      // keep its own address back, but cannot name another.
      if request.headers[.origin] == nil, let page = request.headers[.referer],
        let origin = Self.parts(of: page)?.origin, isAllowed(origin)
      {
        return
      }
      throw ServiceError(
        .forbidden, code: "foreign-origin", message: "Pages of other sites may not change anything here.")
    }
  }

  /// Refuses a request whose `Host` is neither a name of this machine nor an allowed origin, as in DNS rebinding. A proxy on
  /// this machine may pass on the public name, which must then be an allowed origin.
  ///
  /// HTTP/1.0 has requests without `Host`. No browser sends one, but a proxy may drop the header, so they are refused too.
  ///
  /// - Throws: ``ServiceError`` with 403.
  func checkLoopback(_ request: Request) throws {
    guard let authority = request.head.authority?.lowercased() else {
      throw ServiceError(
        .forbidden, code: "wrong-host",
        message: """
          Without tokens, this service needs the header Host, also in HTTP/1.0, because it answers to the names of the loopback \
          address only.
          """)
    }
    guard Self.host(of: authority).map(Self.isLoopback) == true || allowed.contains(where: { Self.isOf($0, authority) })
    else {
      throw ServiceError(
        .forbidden, code: "wrong-host",
        message: """
          Without tokens, this service answers to the names of the loopback address only, such as localhost, and to those of \
          --allowed-origin. Behind a proxy, name its origin there, or make a token.
          """)
    }
  }

  /// Returns whether an origin belongs to an authority, such as `example.com:8443`. Browsers leave out the default port, and
  /// some proxies add it to the host.
  private static func isOf(_ origin: String, _ authority: String) -> Bool {
    guard let own = Self.parts(of: origin)?.authority.lowercased() else { return false }
    return authority == own || authority == own + (origin.lowercased().beginsWithBytes(of: "https:") ? ":443" : ":80")
  }

  /// Returns whether a host is the loopback address or `localhost`.
  static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.endsWithBytes(of: ".localhost") || host == "::1" || host == "[::1]" { return true }
    let parts = host.splitBytes(at: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns the host of `host` or `host:port`, with an IPv6 address in brackets; nil for any other text, such as one with a
  /// user, or with text between the host and the port.
  private static func host(of authority: String) -> String? {
    let bytes = Array(authority.utf8)
    let end: Int
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bracket + 1
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      guard bytes[..<end].allSatisfy(isFilenameByte) else { return nil }
    }
    let port = bytes[end...]
    if !port.isEmpty {
      guard port.first == UInt8(ascii: ":"), UInt16(String(decoding: port.dropFirst(), as: UTF8.self)) != nil else {
        return nil
      }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Returns the origin of the page at an address, and the origin's authority; nil if the address has none.
  private static func parts(of address: String) -> (origin: String, authority: String)? {
    guard let scheme = address.range(of: "://") else { return nil }
    let authority = address[scheme.upperBound...].splitBytes(at: "/", maxSplits: 1, omittingEmptySubsequences: false)[0]
    return (String(address[..<authority.endIndex]), String(authority))
  }

  /// Returns an origin as browsers write it: in lower case, without `/` at its end, and without the default port.
  private static func normal(_ origin: String) -> String {
    var origin = origin.lowercased()
    if origin.endsWithBytes(of: "/") { origin = String(origin.dropLast()) }
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
    where origin.beginsWithBytes(of: scheme) && origin.endsWithBytes(of: port) {
      origin = String(origin.dropLast(port.count))
    }
    return origin
  }

  private static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
