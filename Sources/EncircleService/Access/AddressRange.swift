import EncircleText
import Foundation
import NIOCore

/// The IP addresses that begin with the same bits, such as `10.0.0.0/8` and `fd00::/8`; or a single address, such as `10.0.0.7`.
///
/// An IPv4 address is compared in the form that it has on a socket for both IPv6 and IPv4, such as `::ffff:10.0.0.7`.
struct AddressRange: Sendable {
  private let first: UInt128
  private let mask: UInt128

  /// Reads an address or a range; returns nil for any other text.
  ///
  /// - Parameter text: An address; for a range, it is followed by `/` and the number of equal bits. Bits after these are ignored.
  init?(parsing text: String) {
    let parts = text.splitBytes(at: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (address, width) = Self.bits(of: String(parts[0])) else { return nil }
    var length = width
    if parts.count > 1 {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= width else {
        return nil
      }
      length = number
    }
    mask = UInt128.max << (width - length)
    first = address & mask
  }

  fileprivate func contains(_ address: UInt128) -> Bool { address & mask == first }

  /// Returns an address as bits, and the number of bits that its notation has; nil if the text is not an address.
  fileprivate static func bits(of text: String) -> (bits: UInt128, width: Int)? {
    guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
    switch address {
    case .v4(let address): return (0xFFFF_0000_0000 | UInt128(UInt32(bigEndian: address.address.sin_addr.s_addr)), 32)
    case .v6(let address):
      let bits = withUnsafeBytes(of: address.address.sin6_addr) { $0.reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
      return (bits, 128)
    case .unixDomainSocket: return nil
    }
  }
}

extension [AddressRange] {
  /// Returns whether an address is in one of the ranges.
  func contains(_ address: String) -> Bool {
    guard let (bits, _) = AddressRange.bits(of: address) else { return false }
    return contains { $0.contains(bits) }
  }
}
