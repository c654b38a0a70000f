import EncircleText

// Numbers and texts as bytes:
//
//     number = 32 bits, little-endian
//     text   = number of bytes, bytes
//     list   = number of elements, elements

enum ByteCoding {
  static func append(_ number: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 {
      append($0.count, to: &bytes)
      bytes.append(contentsOf: $0)
    }
  }

  static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    append(text.count, to: &bytes)
    bytes += text
  }

  /// Reads encoded bytes. Every function returns nil if the bytes are malformed.
  struct Decoder {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func byte() -> UInt8? {
      guard place < bytes.count else { return nil }
      defer { place += 1 }
      return bytes[place]
    }

    mutating func flag() -> Bool? {
      switch byte() {
      case 0: false
      case 1: true
      default: nil
      }
    }

    mutating func number() -> Int? {
      guard bytes.count - place >= 4 else { return nil }
      var number = 0
      for shift in stride(from: 0, to: 32, by: 8) {
        number |= Int(bytes[place]) << shift
        place += 1
      }
      return number
    }

    mutating func textBytes() -> [UInt8]? {
      guard let count = number(), count <= bytes.count - place else { return nil }
      defer { place += count }
      return Array(bytes.part(place..<place + count))
    }

    mutating func text() -> String? {
      guard let count = number(), count <= bytes.count - place else { return nil }
      defer { place += count }
      return String(validating: bytes.part(place..<place + count), as: UTF8.self)
    }

    /// Reads a list, whose elements have at least one byte each.
    mutating func list<T>(_ element: (inout Decoder) -> T?) -> [T]? {
      guard let count = number(), count <= bytes.count - place else { return nil }
      var result: [T] = []
      for _ in 0..<count {
        guard let next = element(&self) else { return nil }
        result.append(next)
      }
      return result
    }
  }
}
