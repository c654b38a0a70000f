import EncircleAuthoring
import EncircleCapture
import EncircleText
import Foundation
import Logging

/// Stores the captures of directories when a service starts.
struct CaptureImport {
  let library: CaptureLibrary
  let limits: ServiceLimits
  let logger: Logger

  /// A directory that cannot be listed.
  struct Failure: Error, CustomStringConvertible {
    var path: String
    var reason: String
    var isMissing = false

    var description: String { "\(path): \(reason)" }
  }

  /// Stores the captures that are not stored yet. A capture gets the picture that it names in the same directory, or else the
  /// picture with its own name in the folder `screenshots` beside it. Captures that were stored without a picture get the one
  /// from `screenshots`. Broken captures are named in the log, with the place of the error.
  ///
  /// - Throws: ``Failure`` for a directory that cannot be listed, or the error of the store.
  func run(_ paths: [String]) throws {
    let list = CaptureList(paths)
    if let failure = list.failures.first { throw Failure(path: failure.path, reason: failure.reason) }
    var added = 0
    var skipped = 0
    for file in list.files where !Self.isPicture(file.path) {
      do {
        if try add(file.path) { added += 1 }
      } catch let error as ServiceError {
        let position = [error.location?.line, error.location?.column].compactMap { $0?.description }
        let place = ([file.path] + position).joined(separator: ":")
        guard file.isFound else {
          let isMissing = !FileManager.default.fileExists(atPath: file.path)
          throw Failure(path: place, reason: isMissing ? "no such file" : error.message, isMissing: isMissing)
        }
        if CaptureList.isNamedLikeCapture(file.path) {
          logger.warning("capture not imported", metadata: ["file": "\(place)", "reason": "\(error.message)"])
        } else {
          skipped += 1
        }
      }
    }
    if added > 0 || skipped > 0 {
      logger.info("captures imported", metadata: ["new": "\(added)", "other_files": "\(skipped)"])
    }
  }

  /// Stores a capture, or the missing picture of a stored one; returns whether the capture is new.
  private func add(_ path: String) throws -> Bool {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), data.count <= limits.captureBytes else {
      throw ServiceError.malformed("It cannot be read, or is too large.")
    }
    var upload = CaptureUpload(capture: Array(data))
    if let stored = try library.stored(upload.capture) {
      // The capture may have been stored by an earlier version, or from a directory without pictures.
      guard !stored.hasScreenshot, let picture = screenshot(of: path) else { return false }
      _ = try library.setScreenshot(picture, of: stored.id, by: "import")
      return false
    }
    upload.fileName = URL(fileURLWithPath: path).lastPathComponent
    let header = try library.resolve(upload).identified.tree.header
    upload.screenshot = screenshot(of: path, named: header.screenshot)
    return try library.add(upload, by: "import").isNew
  }

  private func screenshot(of path: String, named name: String? = nil) -> Screenshot? {
    Screenshot.paths(of: path, named: name).lazy.compactMap { picture in
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: picture)), data.count <= limits.screenshotBytes else {
        return nil
      }
      return try? Screenshot(Array(data))
    }.first
  }

  private static func isPicture(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".png", ".jpg", ".jpeg"].contains { name.endsWithBytes(of: $0) }
  }
}
