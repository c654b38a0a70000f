import EncircleText
import Foundation
import HTTPTypes
import Hummingbird

/// Finds the address of a request's client, also behind proxies.
struct ClientAddress: Sendable {
  /// The addresses whose `X-Forwarded-For` is believed.
  let trustedProxies: Set<String>

  init(_ configuration: ServiceConfiguration) { trustedProxies = Set(configuration.trustedProxies) }

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  /// Returns the last address that is not a trusted proxy's; addresses before it can be forged.
  func address(of request: Request, from peer: String?) -> String? {
    guard let peer, trustedProxies.contains(peer) else { return peer }
    let forwarded = request.headers[values: Self.forwardedFor].flatMap { $0.splitBytes(at: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return forwarded.last { !trustedProxies.contains($0) } ?? peer
  }
}
