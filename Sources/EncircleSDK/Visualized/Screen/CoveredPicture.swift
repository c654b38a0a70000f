import CJPEG
import EncircleTree

/// A picture of a screen in which the fields that people type into are grey, in the image data itself and not by an overlay.
///
/// The picture is written anew from the coefficients of its blocks, so that nothing else in the file is kept, such as a
/// small picture of the same screen, and what is not covered is the same to the last bit.
public struct CoveredPicture: Sendable {
  /// A JPEG file.
  public let bytes: [UInt8]
  /// The size in pixels.
  public let width: Int
  public let height: Int

  /// Why there is no picture.
  public enum Problem: Error, Hashable, Sendable {
    /// The message has none.
    case missing
    /// It is no JPEG file that can be read.
    case unreadable
    /// It has more bytes or pixels than allowed.
    case tooLarge
    /// It is not certain where the fields are in it.
    case uncertain
  }

  /// The points around a field that are covered, too: for a cursor, a shadow, or a frame that was rounded.
  static let margin = 2.0

  /// Covers the fields of a screen in its picture.
  ///
  /// - Throws: A ``Problem`` if the fields cannot be covered; then there is no picture at all.
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
