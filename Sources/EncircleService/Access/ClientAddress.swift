import Foundation
import HTTPTypes
import Hummingbird

/// Tells which address a request comes from, also behind proxies.
struct ClientAddress: Sendable {
  /// The addresses whose `X-Forwarded-For` is believed.
  let trustedProxies: Set<String>

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  /// Returns the last address that no trusted proxy has; what stands before it may be made up.
  func address(of request: Request, from peer: String?) -> String? {
    guard let peer, trustedProxies.contains(peer) else { return peer }
    let forwarded = request.headers[values: Self.forwardedFor].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return forwarded.last { !trustedProxies.contains($0) } ?? peer
  }
}
