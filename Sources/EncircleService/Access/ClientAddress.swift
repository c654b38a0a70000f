import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

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

/// Counts the connections of each address.
final class ConnectionCounts: Sendable {
  private let most: Int
  private let unlimited: Set<String>
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameter unlimited: Addresses with any number of connections, as proxies have.
  init(most: Int, unlimited: Set<String>) {
    self.most = most
    self.unlimited = unlimited
  }

  /// Counts a connection; false when the address has too many, and this one is not counted.
  func begin(_ address: String) -> Bool {
    if unlimited.contains(address) { return true }
    return counts.withLock { counts in
      guard counts[address, default: 0] < most else { return false }
      counts[address, default: 0] += 1
      return true
    }
  }

  func end(_ address: String) {
    counts.withLock { counts in
      guard let count = counts[address] else { return }
      counts[address] = count > 1 ? count - 1 : nil
    }
  }
}
