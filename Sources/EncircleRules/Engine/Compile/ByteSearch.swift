/// Finds a text in others in linear time (Knuth, Morris and Pratt, 1977).
struct ByteSearch: Sendable {
  private let wanted: [UInt8]
  // borders[n - 1] is the length of the longest proper prefix of the first n bytes that is also their suffix.
  private let borders: [Int]

  init(_ wanted: [UInt8]) {
    self.wanted = wanted
    var borders = Array(repeating: 0, count: wanted.count)
    var border = 0
    for i in wanted.indices.dropFirst() {
      while border > 0, wanted[i] != wanted[border] { border = borders[border - 1] }
      if wanted[i] == wanted[border] { border += 1 }
      borders[i] = border
    }
    self.borders = borders
  }

  /// Returns whether the text occurs in another.
  func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !wanted.isEmpty else { return true }
    var matched = 0
    for byte in text {
      while matched > 0, byte != wanted[matched] { matched = borders[matched - 1] }
      if byte == wanted[matched] { matched += 1 }
      if matched == wanted.count { return true }
    }
    return false
  }
}
