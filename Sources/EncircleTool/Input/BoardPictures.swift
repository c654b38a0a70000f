import EncircleAuthoring
import EncircleInput
import EncircleText

/// Reads the pictures of screens, up to a size of all together.
struct BoardPictures {
  /// The largest picture, in bytes, and the most bytes of all.
  private static let mostPictureBytes = 16 << 20
  private static let mostBytes = 256 << 20

  private var left = Self.mostBytes

  /// The picture of a capture; nil if there is none that can be shown, which is printed.
  mutating func picture(of capture: String, named name: String?) -> Screenshot? {
    for path in Screenshot.paths(of: capture, named: name) {
      guard var source = try? ByteSource(path: path), let bytes = try? source.readAll(limit: Self.mostPictureBytes)
      else {
        continue
      }
      guard bytes.count <= left, let picture = try? Screenshot(bytes) else {
        printError("\(path): note: is not shown: no whole picture in PNG or JPEG, or one too large")
        continue
      }
      left -= bytes.count
      return picture
    }
    return nil
  }
}
