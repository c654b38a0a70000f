import EncircleText

/// A picture of a screen, checked for its kind, its size and its end without being decoded.
package struct Screenshot: Sendable {
  package enum Kind: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webP = "image/webp"
  }

  /// The reason why bytes are not a picture of a screen.
  package enum Problem: Error {
    case unknownKind, withoutSize, tooLarge, cutOff
  }

  package let kind: Kind
  /// In pixels.
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  /// The maximum number of pixels of a picture; a decoded one takes four bytes for each.
  package static let maximumPixels = 50_000_000

  /// Reads the kind and the size of a picture.
  ///
  /// - Parameter takesWebP: True if the picture may be WebP. Browsers show it, but some formats that embed pictures of captures
  ///   do not support it.
  package init(_ bytes: [UInt8], takesWebP: Bool = false) throws(Problem) {
    let size: (width: Int, height: Int)?
    let isWhole: Bool
    if bytes.starts(with: Self.pngSignature) {
      kind = .png
      size = Self.pngSize(bytes)
      isWhole = Self.hasEndOfPNG(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      kind = .jpeg
      size = Self.jpegSize(bytes)
      isWhole = Self.hasEndOfJPEG(bytes)
    } else if takesWebP, let header = WebPHeader(bytes) {
      kind = .webP
      size = header.size
      isWhole = header.isWhole
    } else {
      throw .unknownKind
    }
    guard let size, size.width > 0, size.height > 0 else { throw .withoutSize }
    guard size.width <= Self.maximumPixels / size.height else { throw .tooLarge }
    guard isWhole else { throw .cutOff }
    (width, height) = size
    self.bytes = bytes
  }

  /// Returns the possible paths of a capture's picture: the path in its directory that the capture names, then the capture's
  /// own name in the folder `screenshots` beside it.
  package static func paths(of capture: String, named name: String?) -> [String] {
    let directory = FilePath.folder(of: capture)
    var paths: [String] = []
    // The picture must be in the directory of the capture.
    if let name, !name.isEmpty, !name.containsBytes(of: "/"), name != ".." {
      paths.append(FilePath.joining(directory, name))
    }
    let stem = FilePath.name(of: capture)
    let own = stem.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(stem[..<$0]) } ?? stem
    paths.append(FilePath.joining(FilePath.joining(directory, "screenshots"), own + ".png"))
    return paths
  }

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads the size in the first chunk, IHDR (ISO/IEC 15948 §11.2.2).
  private static func pngSize(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    let (width, height) = (number(at: 16, in: bytes), number(at: 20, in: bytes))
    return width < 1 << 31 && height < 1 << 31 ? (width, height) : nil
  }

  /// Returns whether the chunks go on to the last one, IEND.
  private static func hasEndOfPNG(_ bytes: [UInt8]) -> Bool {
    var position = pngSignature.count
    // A chunk has 4 bytes for its length, 4 for its type, its content, and 4 for a checksum.
    while position + 12 <= bytes.count {
      if bytes[position + 4..<position + 8].elementsEqual("IEND".utf8) { return true }
      position += 12 + number(at: position, in: bytes)
    }
    return false
  }

  private static func number(at start: Int, in bytes: [UInt8]) -> Int {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns whether the marker of the end, EOI, comes after the last scan. A thumbnail in the header has its own marker.
  private static func hasEndOfJPEG(_ bytes: [UInt8]) -> Bool {
    for i in (2..<bytes.count - 1).reversed() where bytes[i] == 0xFF {
      if bytes[i + 1] == 0xD9 { return true }
      if bytes[i + 1] == 0xDA { return false }
    }
    return false
  }

  /// Reads the size in the header of the first frame (ITU-T T.81 §B.2.2).
  private static func jpegSize(_ bytes: [UInt8]) -> (Int, Int)? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // Bytes of 0xFF may fill the space before a marker; these markers have no length.
      if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
        position += marker == 0xFF ? 1 : 2
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2 else { return nil }
      // These markers begin frames, except for those of the tables C4, C8 and CC.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard position + 9 <= bytes.count else { return nil }
        let height = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
        return (Int(bytes[position + 7]) << 8 | Int(bytes[position + 8]), height)
      }
      // The picture itself begins, and no frame came before it.
      if marker == 0xDA || marker == 0xD9 { return nil }
      position += 2 + length
    }
    return nil
  }
}
