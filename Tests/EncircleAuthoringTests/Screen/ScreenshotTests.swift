import Foundation
import Testing

@testable import EncircleAuthoring

/// Pictures of type WebP, which is asked for only where a browser shows them.
@Suite struct ScreenshotTests {
  /// Pictures of one pixel, as libwebp writes them.
  private static let samples: [(name: String, base64: String)] = [
    ("lossy", "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
    ("lossless", "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="),
    (
      "with alpha",
      "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA=="
    ),
    (
      "animated",
      "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA"
    ),
  ]

  private static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

  /// A sample with another size, as an address.
  static func webP(lossless: Bool, width: Int, height: Int) -> String {
    var bytes = (try? Self.bytes(samples[lossless ? 1 : 0].base64)) ?? []
    if lossless {
      let bits = (width - 1) | (height - 1) << 14 | 1 << 28
      for i in 0..<4 { bytes[21 + i] = UInt8(truncatingIfNeeded: bits >> (8 * i)) }
    } else {
      for (i, number) in [width, height].enumerated() {
        (bytes[26 + 2 * i], bytes[27 + 2 * i]) = (UInt8(number & 0xFF), UInt8(number >> 8))
      }
    }
    return "data:image/webp;base64," + Data(bytes).base64EncodedString()
  }

  @Test("the size of a WebP is read from each of its forms, and only on request")
  func sizes() throws {
    for (name, base64) in Self.samples {
      let bytes = try Self.bytes(base64)
      let picture = try Screenshot(bytes, takesWebP: true)
      #expect(picture.kind == .webP && picture.width == 1 && picture.height == 1, "\(name)")
      #expect(throws: Screenshot.Problem.unknownKind) { try Screenshot(bytes) }
    }
    for isLossless in [true, false] {
      let address = Self.webP(lossless: isLossless, width: 1_170, height: 2_532)
      let bytes = try Self.bytes(String(address.dropFirst("data:image/webp;base64,".count)))
      let picture = try Screenshot(bytes, takesWebP: true)
      #expect(picture.width == 1_170 && picture.height == 2_532)
    }
  }

  @Test("a truncated WebP is recognised, and no byte of its head makes the reader fail")
  func broken() throws {
    for (name, base64) in Self.samples {
      let bytes = try Self.bytes(base64)
      for count in 0..<bytes.count {
        #expect(throws: Screenshot.Problem.self, "\(name) \(count)") {
          try Screenshot(Array(bytes.prefix(count)), takesWebP: true)
        }
      }
      for i in bytes.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var changed = bytes
          changed[i] = value
          if let picture = try? Screenshot(changed, takesWebP: true) {
            #expect(picture.width * picture.height <= Screenshot.maximumPixels)
          }
        }
      }
    }
    // A size without a picture, and a canvas of 2^24 by 2^24 pixels.
    let alpha = try Self.bytes(Self.samples[2].base64)
    var head = Array(alpha.prefix(30))
    head[4] = 22
    #expect(throws: Screenshot.Problem.cutOff) { try Screenshot(head, takesWebP: true) }
    var huge = alpha
    for i in 24..<30 { huge[i] = 0xFF }
    #expect(throws: Screenshot.Problem.tooLarge) { try Screenshot(huge, takesWebP: true) }
  }
}
