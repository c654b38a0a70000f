import Foundation

/// The number of people in a set, of whom only hashes are kept. Sets can be joined: a person in several of them counts once.
///
/// A small set is a list of its hashes, and its number is exact. A larger set is a HyperLogLog with 4,096 registers; its number
/// has a standard error of 1.6 % (Flajolet and others, *HyperLogLog: the analysis of a near-optimal cardinality estimation
/// algorithm*, 2007). The estimator is unbiased for small numbers (Ertl, *New cardinality estimation algorithms for HyperLogLog
/// sketches*, 2017).
struct PeopleSketch: Sendable {
  /// The maximum number of hashes in a set that is stored as a list.
  static let maximumStored = 512
  /// The maximum number of hashes in a set that is joined from others.
  static let maximumJoined = 65_536
  /// The number of bits of a hash that select its register.
  private static let registerBits = 12

  private var hashes: Set<UInt64> = []
  /// The registers; empty while the set is a list.
  private var registers: [UInt8] = []
  private let maximumHashes: Int

  /// Creates an empty set.
  ///
  /// - Parameter count: The number of people up to which it is exact.
  init(exactTo count: Int = maximumJoined) { maximumHashes = count }

  /// This is true if ``count`` is exact.
  var isExact: Bool { registers.isEmpty }

  /// Adds a person by a hash of 64 random bits.
  ///
  /// - Returns: True if the sketch has changed.
  @discardableResult
  mutating func insert(_ hash: UInt64) -> Bool {
    if !isExact { return registers.withUnsafeMutableBufferPointer { Self.note(hash, in: $0) } }
    guard hashes.insert(hash).inserted else { return false }
    if hashes.count > maximumHashes { estimate() }
    return true
  }

  /// Adds the people of another set.
  mutating func join(_ other: PeopleSketch) {
    if other.isExact {
      for hash in other.hashes { insert(hash) }
      return
    }
    if isExact { estimate() }
    registers.withUnsafeMutableBufferPointer { mine in
      other.registers.withUnsafeBufferPointer { theirs in
        for index in mine.indices { mine[index] = max(mine[index], theirs[index]) }
      }
    }
  }

  private mutating func estimate() {
    registers = Array(repeating: 0, count: 1 << Self.registerBits)
    registers.withUnsafeMutableBufferPointer { registers in for hash in hashes { Self.note(hash, in: registers) } }
    hashes = []
  }

  /// Notes a hash in its register, and returns whether the register has changed. A register contains the largest number of
  /// leading zeros, plus one, in the remaining bits of its hashes.
  @discardableResult
  private static func note(_ hash: UInt64, in registers: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    let index = Int(hash >> (64 - UInt64(registerBits)))
    let rank = UInt8(min((hash << UInt64(registerBits)).leadingZeroBitCount, 64 - registerBits) + 1)
    guard rank > registers[index] else { return false }
    registers[index] = rank
    return true
  }

  // MARK: - Count

  /// The number of people in the set.
  var count: Int {
    if isExact { return hashes.count }
    let last = 64 - Self.registerBits + 1
    var histogram = Array(repeating: 0, count: last + 1)
    for register in registers { histogram[min(Int(register), last)] += 1 }
    let size = Double(registers.count)
    var sum = size * Self.tau(1 - Double(histogram[last]) / size)
    for rank in stride(from: last - 1, through: 1, by: -1) { sum = 0.5 * (sum + Double(histogram[rank])) }
    sum += size * Self.sigma(Double(histogram[0]) / size)
    return Int((size * size / (2 * log(2) * sum)).rounded())
  }

  private static func sigma(_ share: Double) -> Double {
    // Not all registers are empty, because an estimated set has more people than a list may have.
    var (x, y, sum, last) = (share, 1.0, share, -1.0)
    while sum != last {
      x *= x
      last = sum
      sum += x * y
      y += y
    }
    return sum
  }

  private static func tau(_ share: Double) -> Double {
    guard share > 0, share < 1 else { return 0 }
    var (x, y, sum, last) = (share, 1.0, 1 - share, -1.0)
    while sum != last {
      x = x.squareRoot()
      last = sum
      y *= 0.5
      sum -= (1 - x) * (1 - x) * y
    }
    return sum / 3
  }

  // MARK: - Bytes

  /// The set in stored form: the hashes in ascending order, 8 bytes each in little-endian order; or 0 and the registers.
  var bytes: [UInt8] {
    guard isExact else { return [0] + registers }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * hashes.count)
    for hash in hashes.sorted() { withUnsafeBytes(of: hash.littleEndian) { bytes.append(contentsOf: $0) } }
    return bytes
  }

  /// Reads the form that ``bytes`` writes; nil for other bytes.
  init?(_ bytes: UnsafeRawBufferPointer, exactTo count: Int = maximumJoined) {
    maximumHashes = count
    guard join(stored: bytes) else { return nil }
  }

  /// Returns the number of people in a stored set if it is a list.
  static func exactCount(stored bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.count.isMultiple(of: 8) && bytes.count <= 8 * maximumStored ? bytes.count / 8 : nil
  }

  /// Adds the people of a stored set.
  ///
  /// - Returns: True if the bytes have the form that ``bytes`` writes; otherwise nothing is added.
  @discardableResult
  mutating func join(stored bytes: UnsafeRawBufferPointer) -> Bool {
    if Self.exactCount(stored: bytes) != nil {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        insert(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      return true
    }
    guard bytes.count == 1 + 1 << Self.registerBits, bytes[0] == 0 else { return false }
    if isExact { estimate() }
    registers.withUnsafeMutableBufferPointer { mine in
      for index in mine.indices { mine[index] = max(mine[index], bytes[index + 1]) }
    }
    return true
  }
}
