/// Changes of a file, as described by an input of the fuzzer.
///
/// Each change has six bytes: two for the place, one for the kind, and three for the written or moved bytes. Kinds: a number of
/// one, two, four or eight bytes, extended by its sign; bytes of another place; the end of the file.
struct Edits {
  let input: [UInt8]

  /// Returns the file with all changes made, in their order.
  func applied(to file: [UInt8]) -> [UInt8] {
    var file = file
    for start in stride(from: 0, to: input.count - 5, by: 6) where !file.isEmpty {
      let place = (Int(input[start]) | Int(input[start + 1]) << 8) % file.count
      let value = Int(input[start + 3]) | Int(input[start + 4]) << 8 | Int(Int8(bitPattern: input[start + 5])) << 16
      switch input[start + 2] % 7 {
      case 0: Self.write(value, 1, at: place, in: &file)
      case 1: Self.write(value, 2, at: place & ~1, in: &file)
      case 2, 3: Self.write(value, 4, at: place & ~3, in: &file)
      case 4: Self.write(value, 8, at: place & ~7, in: &file)
      case 5:
        let length = Int(input[start + 5])
        let source = (value & 0xFFFF) % file.count
        for i in 0..<min(length, file.count - max(place, source)) { file[place + i] = file[source + i] }
      default: file.removeSubrange(place...)
      }
    }
    return file
  }

  private static func write(_ value: Int, _ width: Int, at place: Int, in file: inout [UInt8]) {
    for i in 0..<width where place + i < file.count {
      file[place + i] = UInt8(truncatingIfNeeded: value >> (8 * i))
    }
  }
}
