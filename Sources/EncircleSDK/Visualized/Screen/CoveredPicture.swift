import CJPEG
import EncircleTree

/// A picture of a screen with its input fields made grey. The image data themselves are changed; nothing lies over them.
///
/// The picture is rewritten from the coefficients of its blocks, so the uncovered part is identical to the last bit. Nothing
/// else in the file is kept, such as a thumbnail of the same screen.
public struct CoveredPicture: Sendable {
  /// A JPEG file.
  public let bytes: [UInt8]
  /// The size in pixels.
  public let width: Int
  public let height: Int

  /// The reason why there is no picture.
  public enum Problem: Error, Hashable, Sendable {
    /// The message has no picture.
    case missing
    /// The picture is not a readable JPEG file.
    case unreadable
    /// The picture has more bytes or pixels than allowed.
    case tooLarge
    /// The places of the fields in the picture are not certain.
    case uncertain
  }

  /// The margin around a field that is also covered, in points: for a cursor, a shadow, or a frame that was rounded.
  static let margin = 2.0

  /// Covers the fields of a screen in its picture.
  ///
  /// - Throws: A ``Problem`` if the fields cannot be covered; there is no picture then.
  /// - Complexity: O(pixels), memory about 6 bytes a pixel.
  public init(of snapshot: Snapshot, limits: SnapshotLimits = SnapshotLimits()) throws(Problem) {
    guard let picture = snapshot.picture else { throw snapshot.hasBadPicture ? .tooLarge : .missing }
    guard let screen = snapshot.screen, !screen.hasUnplacedField else { throw .uncertain }
    let areas = screen.fieldAreas.map {
      jpeg_area(
        x: $0.x - Self.margin, y: $0.y - Self.margin, width: $0.width + 2 * Self.margin,
        height: $0.height + 2 * Self.margin)
    }
    var result = jpeg_cover_result()
    let status = jpeg_cover(
      picture, picture.count, screen.width, screen.height, areas, areas.count, limits.screenshotPixels, &result)
    defer { jpeg_cover_free(&result) }
    switch status {
    case jpeg_cover_ok: break
    case jpeg_cover_too_large: throw .tooLarge
    case jpeg_cover_other_shape: throw .uncertain
    default: throw .unreadable
    }
    bytes = Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
    width = Int(result.width)
    height = Int(result.height)
  }
}
