import CJSONEvent

/// Names of members and where their values go, as the event reader in C looks them up. Immutable.
///
/// Names are found by a hash of twelve of their bytes and their length. Its factors are chosen so that few names collide. In a
/// table of few names, none collide, and a look-up takes no branch.
final class NameTable: @unchecked Sendable {
  // Unchecked: nothing is written after the initialiser.
  private let names: UnsafeMutablePointer<encircle_json_name>
  private let texts: UnsafeMutablePointer<UInt8>
  private(set) var table: encircle_json_names

  /// The greatest distance of a name from the place of its hash.
  private static let distanceLimit = 16
  private static let padding = 8

  /// Creates a table; nil when too many names are too similar for it.
  ///
  /// - Parameter entries: Different names with the number of the place, and flags.
  init?(_ entries: [(name: [UInt8], number: UInt32)]) {
    // Each name as it stands in JSON, with a quote on each side.
    let textSize = entries.reduce(0) { $0 + $1.name.count + 2 + 2 * Self.padding }
    let texts = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, textSize))
    texts.initialize(repeating: 0, count: max(1, textSize))
    var starts: [UnsafePointer<UInt8>] = []
    var next = texts
    for (name, _) in entries {
      next += Self.padding
      next[0] = UInt8(ascii: "\"")
      next += 1
      starts.append(UnsafePointer(next))
      for byte in name {
        next[0] = byte
        next += 1
      }
      next[0] = UInt8(ascii: "\"")
      next += 1 + Self.padding
    }

    let hashed = entries.indices.filter { entries[$0].name.count >= 3 }
    let short = entries.indices.filter { entries[$0].name.count < 3 }
    var bits = 3
    while 1 << bits < 4 * hashed.count { bits += 1 }
    let size = 1 << bits + Self.distanceLimit + 1
    var free = encircle_json_name()
    free.start.0 = 1
    let names = UnsafeMutablePointer<encircle_json_name>.allocate(capacity: size + short.count)
    names.initialize(repeating: free, count: size + short.count)
    self.names = names
    self.texts = texts
    table = encircle_json_names()
    table.names = UnsafePointer(names)
    table.shift = UInt32(64 - bits)
    table.short_names = UnsafePointer(names) + size
    table.short_count = UInt32(short.count)
    for (i, entry) in short.enumerated() {
      names[size + i] = Self.makeName(starts[entry], entries[entry])
    }

    // The factors are the same every time, so that a program behaves the same every time.
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var best: (factors: (UInt64, UInt64), distance: Int)?
    var places: [Int] = []
    for _ in 0..<(hashed.count > 200 ? 8 : 100) {
      state = state &* 0xD129_42F1_3B5A_6F2D &+ 0x2545_F491_4F6C_DD1D
      table.factor = state | 1
      state = state &* 0xD129_42F1_3B5A_6F2D &+ 0x2545_F491_4F6C_DD1D
      table.length_factor = state | 1
      let distance = place(hashed.map { (starts[$0], entries[$0].name.count) }, size, &places)
      if let distance, distance < best?.distance ?? .max {
        best = ((table.factor, table.length_factor), distance)
        if distance == 0 { break }
      }
    }
    guard let best else { return nil }
    (table.factor, table.length_factor) = best.factors
    table.distance = UInt32(best.distance)
    _ = place(hashed.map { (starts[$0], entries[$0].name.count) }, size, &places)
    for (i, entry) in hashed.enumerated() { names[places[i]] = Self.makeName(starts[entry], entries[entry]) }
  }

  deinit {
    names.deallocate()
    texts.deallocate()
  }

  /// Finds a place for each name; nil if a name would be too far from its hash's place.
  private func place(_ names: [(UnsafePointer<UInt8>, Int)], _ size: Int, _ places: inout [Int]) -> Int? {
    places = []
    var isTaken = [Bool](repeating: false, count: size)
    var distance = 0
    for (text, length) in names {
      let hash = withUnsafePointer(to: table) { Int(encircle_json_hash($0, text, length)) }
      var place = hash
      while isTaken[place] {
        place += 1
        if place - hash > Self.distanceLimit { return nil }
      }
      isTaken[place] = true
      places.append(place)
      distance = max(distance, place - hash)
    }
    return distance
  }

  private static func makeName(
    _ text: UnsafePointer<UInt8>, _ entry: (name: [UInt8], number: UInt32)
  ) -> encircle_json_name {
    var name = encircle_json_name()
    let length = entry.name.count
    withUnsafeMutableBytes(of: &name.start) { start in
      for i in 0..<min(start.count, length + 1) { start[i] = text[i] }
    }
    withUnsafeMutableBytes(of: &name.mask) { mask in
      for i in 0..<min(mask.count, length + 1) { mask[i] = 0xFF }
    }
    name.name = text
    name.length = UInt32(truncatingIfNeeded: length)
    name.number = entry.number | (length >= 32 ? encircle_json_long_name : 0)
    return name
  }
}
