import Foundation

/// A picture of a screen, checked for its kind, its size and its end without being decoded.
struct Screenshot: Sendable {
  enum Kind: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
  }

  let kind: Kind
  /// In pixels.
  let width: Int
  let height: Int
  let bytes: [UInt8]

  /// The maximum number of pixels of a picture; a decoded one takes four bytes for each.
  static let mostPixels = 50_000_000

  /// Reads the size of a picture.
  ///
  /// - Throws: ``ServiceError`` with 415 for something else than PNG or JPEG, 422 for a picture that is broken or too large.
  init(_ bytes: [UInt8]) throws {
    let size: (width: Int, height: Int)?
    if bytes.starts(with: Self.pngSignature) {
      kind = .png
      size = Self.pngSize(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      kind = .jpeg
      size = Self.jpegSize(bytes)
    } else {
      throw ServiceError(
        .unsupportedType, code: "bad-screenshot", message: "The screenshot is neither PNG nor JPEG.",
        location: .init(parameter: "screenshot"))
    }
    guard let size, size.width > 0, size.height > 0 else {
      throw ServiceError.invalid(
        "The screenshot is broken: it does not state its size.", code: "bad-screenshot",
        location: .init(parameter: "screenshot"))
    }
    guard size.width <= Self.mostPixels / size.height else {
      throw ServiceError.invalid(
        "The screenshot has more than \(Self.mostPixels) pixels.", code: "bad-screenshot",
        location: .init(parameter: "screenshot"))
    }
    guard kind == .png ? Self.hasEndOfPNG(bytes) : Self.hasEndOfJPEG(bytes) else {
      throw ServiceError.invalid(
        "The screenshot is cut off.", code: "bad-screenshot", location: .init(parameter: "screenshot"))
    }
    (width, height) = size
    self.bytes = bytes
  }

  /// By how much the ratio of a picture may differ from that of its screen, as bars may be cut off by a pixel or two.
  private static let ratioTolerance = 0.03

  /// Refuses a picture that cannot be of a screen, since every element would be outlined at a wrong place.
  ///
  /// - Throws: ``ServiceError`` with 422 and both sizes.
  func check(fits record: CaptureRecord) throws {
    guard let wide = record.width, let high = record.height, wide > 0, high > 0 else { return }
    let factor = Double(width) / Double(height) * high / wide
    guard abs(factor - 1) > Self.ratioTolerance else { return }
    func text(_ number: Double) -> String { String(format: "%g", number) }
    throw ServiceError.invalid(
      "The screenshot is \(width) × \(height), and the screen \(text(wide)) × \(text(high)): a picture of it has another ratio.",
      code: "bad-screenshot", location: .init(parameter: "screenshot"))
  }

  /// As it is stored.
  var stored: StoredScreenshot {
    StoredScreenshot(
      type: kind.rawValue, width: width, height: height, etag: SHA256Digest(of: bytes).id, content: Data(bytes))
  }

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The size in the first chunk, IHDR (ISO/IEC 15948 §11.2.2).
  private static func pngSize(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    let (width, height) = (number(at: 16, in: bytes), number(at: 20, in: bytes))
    return width < 1 << 31 && height < 1 << 31 ? (width, height) : nil
  }

  /// Whether the chunks go on to the last one, IEND.
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

  /// Whether the marker of the end, EOI, comes after the last scan. A small picture in the head has one of its own.
  private static func hasEndOfJPEG(_ bytes: [UInt8]) -> Bool {
    for i in (2..<bytes.count - 1).reversed() where bytes[i] == 0xFF {
      if bytes[i + 1] == 0xD9 { return true }
      if bytes[i + 1] == 0xDA { return false }
    }
    return false
  }

  /// The size in the header of the first frame (ITU-T T.81 §B.2.2).
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
      // Frames, but not the tables C4, C8 and CC.
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
