import Synchronization

/// Counts the connections of each address.
final class ConnectionCounts: Sendable {
  private let most: Int
  private let unlimited: [AddressRange]
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameter unlimited: The addresses that may have any number of connections, such as proxies.
  init(most: Int, unlimited: [AddressRange]) {
    self.most = most
    self.unlimited = unlimited
  }

  /// Counts a connection; false if the address has too many, in which case this one is not counted.
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
