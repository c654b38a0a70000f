import EncircleCapture
import EncircleIdentity
import EncircleTree
import Foundation

/// Reads untrusted captures, within limits that also bound the size of answers about them.
struct CaptureReading: Sendable {
  /// The result of reading a capture.
  struct Result: Sendable {
    /// The decompressed bytes.
    var bytes: [UInt8]
    var identified: IdentifiedTree
    /// The event IDs of all elements, in pre-order.
    var eventIDs: [EventID]
    var record: CaptureRecord

    /// The event IDs, 32 bytes each.
    var eventIDBytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(eventIDs.count * 32)
      for eventID in eventIDs { eventID.appendBytes(to: &bytes) }
      return bytes
    }
  }

  private let reader: CaptureReader

  init(limits: ServiceLimits) {
    var reader = CaptureReader()
    reader.limits.bytes = limits.captureBytes
    reader.limits.elements = limits.captureElements
    // The limit is low, because answers list the paths of all elements.
    reader.limits.identityBytesPerByte = 4
    self.reader = reader
  }

  /// Reads an uploaded capture.
  ///
  /// - Parameter person: The uploader; nil if the capture is not to be stored.
  /// - Throws: ``ServiceError`` with 422 and the place in the capture, or with 413.
  func read(_ upload: CaptureUpload, by person: String?) throws -> Result {
    let bytes: [UInt8]
    let tree: ViewTree
    do throws(CaptureError) {
      bytes = try CaptureReader.decompressed(upload.capture, limit: reader.limits.bytes)
      tree = try self.tree(bytes, activity: upload.page)
    } catch {
      throw ServiceError(error, file: upload.fileName)
    }
    let identified = IdentifiedTree(tree)
    var eventIDs: [EventID] = []
    eventIDs.reserveCapacity(tree.count)
    identified.forEachIdentity { _, _, _, eventID in eventIDs.append(eventID) }
    let record = CaptureRecord(of: identified, eventIDs: eventIDs, bytes: bytes, upload, by: person ?? "")
    return Result(bytes: bytes, identified: identified, eventIDs: eventIDs, record: record)
  }

  /// Reads a capture, compressed or not.
  ///
  /// - Parameter activity: The activity of an Android capture that does not name one.
  func tree(_ bytes: [UInt8], activity: String?) throws(CaptureError) -> ViewTree {
    var reader = reader
    reader.page = activity
    return try reader.read(bytes)
  }

  /// Returns the decompressed bytes of a capture.
  ///
  /// - Throws: ``ServiceError`` if decompression fails.
  func decompressed(_ bytes: [UInt8]) throws -> [UInt8] {
    do throws(CaptureError) {
      return try CaptureReader.decompressed(bytes, limit: reader.limits.bytes)
    } catch {
      throw ServiceError(error, file: nil)
    }
  }
}

extension ServiceError {
  /// Creates the error for a capture that cannot be read.
  init(_ error: CaptureError, file: String?) {
    if case .tooLarge(let limit) = error.kind {
      self = .tooLarge(limit: limit)
      return
    }
    let place = Location(file: file, line: error.location?.line, column: error.location?.column)
    let isPlaced = file != nil || error.location != nil
    self = .invalid(
      "The capture cannot be read: \(error.message).", code: "bad-capture", location: isPlaced ? place : nil)
  }
}
