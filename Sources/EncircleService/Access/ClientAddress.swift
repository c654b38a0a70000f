import EncircleText
import HTTPTypes
import Hummingbird
import NIOCore

/// Finds the address of a request's client, also behind proxies.
struct ClientAddress: Sendable {
  /// The proxies whose `X-Forwarded-For` is trusted.
  let trustedProxies: [AddressRange]

  init(_ configuration: ServiceConfiguration) {
    trustedProxies = configuration.trustedProxies.compactMap { AddressRange(parsing: $0) }
  }

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  func address(of request: Request, from peer: String?) -> String? {
    address(from: peer, forwardedFor: request.headers[values: Self.forwardedFor])
  }

  /// Returns the last address that is not trusted; addresses before it can be forged. If all are trusted, the client itself is in
  /// a trusted range, and its address is the first.
  func address(from peer: String?, forwardedFor: [String]) -> String? {
    guard let peer, trustedProxies.contains(peer) else { return peer }
    // The search starts at the end, because a client can put thousands of addresses before its own.
    let forwarded = Self.parts(ofForwarded: forwardedFor).reversed().lazy
      .map { Self.plain(Self.withoutPort(String($0))) }
    return forwarded.first { !trustedProxies.contains($0) } ?? forwarded.last ?? peer
  }

  /// Returns the parts of a header such as `X-Forwarded-For`, to which each proxy on the way adds one: the client's first.
  static func parts(ofForwarded values: [String]) -> [Substring] {
    values.flatMap { $0.splitBytes(at: ",") }.map { part in part.trimmingBytes { $0 == 0x20 || $0 == 0x09 } }
  }

  /// Returns an address without the port that some proxies add, as in `203.0.113.7:4711` and `[2001:db8::1]:4711`. Each
  /// connection of a client has another port.
  private static func withoutPort(_ text: String) -> String {
    if text.beginsWithBytes(of: "["), let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) {
      return String(text[..<end].dropFirst())
    }
    let parts = text.splitBytes(at: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }

  /// Returns an address in the form in which addresses are compared. A socket for both IPv6 and IPv4 writes IPv4 addresses as
  /// IPv6 ones, such as `::ffff:127.0.0.1`.
  static func plain(_ address: String) -> String {
    let text = (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress ?? address
    let prefix = "::ffff:"
    guard text.beginsWithBytes(of: prefix), text.utf8.contains(UInt8(ascii: ".")) else { return text }
    return String(text.dropFirst(prefix.count))
  }
}

extension Channel {
  /// The address of the client or proxy at the other end, without the port.
  var peerAddress: String? { remoteAddress?.ipAddress.map(ClientAddress.plain) }
}
