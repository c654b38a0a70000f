import EncircleAuthoring
import EncircleInput
import EncircleText
import Foundation

/// Reads the pictures of screens, up to a total size.
struct BoardPictures {
  /// The maximum size of one picture and of all pictures together, in bytes.
  private static let maximumPictureBytes = 16 << 20
  private static let maximumBytes = 256 << 20

  private var left = Self.maximumBytes

  /// Returns the picture of a capture; nil if none can be shown. Prints a note for a file that cannot be shown.
  mutating func picture(of capture: String, named name: String?) -> Screenshot? {
    for path in Screenshot.paths(of: capture, named: name) {
      if let picture = picture(at: path) { return picture }
    }
    return nil
  }

  /// Returns the pictures that a plan names, by the names of their events.
  mutating func pictures(of plan: TrackingPlan) -> [UTF8String: Screenshot] {
    var found: [UTF8String: Screenshot] = [:]
    for entry in plan.entries {
      guard let planned = entry.planned, let name = planned.picture, !name.isEmpty else { continue }
      let path = FilePath.joining(FilePath.folder(of: planned.file), name)
      guard !name.beginsWithBytes(of: "/"), FileManager.default.fileExists(atPath: path) else {
        printError("\(planned.file): note: the picture '\(name)' is not shown: there is no such file beside the plan")
        continue
      }
      found[entry.event] = picture(at: path)
    }
    return found
  }

  private mutating func picture(at path: String) -> Screenshot? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard var source = try? ByteSource(path: path), let bytes = try? source.readAll(limit: Self.maximumPictureBytes),
      bytes.count <= left, let picture = try? Screenshot(bytes)
    else {
      printError("\(path): note: is not shown, because it is not a complete PNG or JPEG picture, or is too large")
      return nil
    }
    left -= bytes.count
    return picture
  }
}
