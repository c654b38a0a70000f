/// The size and the end of a picture of type WebP (RFC 9649), found without decoding it.
struct WebPHeader {
  /// The size in pixels; nil if it is not said where it must be.
  private(set) var size: (width: Int, height: Int)?
  /// This is true if the file has all chunks that it announces, and one of them is a picture.
  private(set) var isWhole = false

  /// Reads the header; nil if the bytes begin like another kind of file.
  ///
  /// - Complexity: O(chunks).
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) else {
      return nil
    }
    let end = 8 + Self.number(at: 4, count: 4, in: bytes)
    var hasPicture = false
    var position = 12
    // A chunk has 4 bytes for its type, 4 for its length, its content, and a byte more where the length is odd.
    while position + 8 <= min(end, bytes.count) {
      let content = position + 8
      let length = Self.number(at: position + 4, count: 4, in: bytes)
      guard content + length <= min(end, bytes.count) else { return }
      let type = bytes[position..<position + 4]
      // The first chunk has the size.
      if position == 12 { size = Self.size(type, bytes[content..<content + length]) }
      hasPicture = hasPicture || ["VP8 ", "VP8L", "ANMF"].contains { type.elementsEqual($0.utf8) }
      position = content + length + length % 2
    }
    isWhole = hasPicture && position >= end && end <= bytes.count
  }

  private static func size(_ type: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let bytes = Array(content.prefix(10))
    guard bytes.count == 10 || type.elementsEqual("VP8L".utf8) && bytes.count >= 5 else { return nil }
    if type.elementsEqual("VP8X".utf8) {
      return (number(at: 4, count: 3, in: bytes) + 1, number(at: 7, count: 3, in: bytes) + 1)
    }
    if type.elementsEqual("VP8L".utf8), bytes[0] == 0x2F {
      let bits = number(at: 1, count: 4, in: bytes)
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    // A key frame (RFC 6386 §9.1).
    if type.elementsEqual("VP8 ".utf8), bytes[0] & 1 == 0, bytes[3..<6].elementsEqual([0x9D, 0x01, 0x2A]) {
      return (number(at: 6, count: 2, in: bytes) & 0x3FFF, number(at: 8, count: 2, in: bytes) & 0x3FFF)
    }
    return nil
  }

  /// Reads a number whose least significant byte comes first.
  private static func number(at start: Int, count: Int, in bytes: [UInt8]) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
