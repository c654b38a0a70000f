import Foundation
import GRDB

/// An error in opening or using a queue.
public enum DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path is empty, contains a NUL, or names a directory.
  case badPath
  /// The file is an SQLite database, but not a queue. It is left unchanged.
  case otherDatabase
  /// The file was written by a newer version of Encircle. It is left unchanged.
  case newerVersion(found: Int, known: Int)
  /// Another process, or another queue of this process, has opened the file.
  case locked
  /// The file cannot be created or written at its path.
  case readOnly
  /// The disk is full. Nothing of the call was stored.
  case diskFull
  /// The file is damaged and could not be set aside.
  case damaged(String)
  /// An event is not a JSON object in UTF-8. Nothing of the call was stored.
  case notAnEvent(index: Int, offset: Int, reason: String)
  /// An event is longer than ``QueueLimits/eventBytes``. Nothing of the call was stored.
  case eventTooLong(index: Int, bytes: Int, limit: Int)
  /// The queue was closed.
  case closed
  /// The file cannot be read or written, for the reason that SQLite gives.
  case system(String)

  /// A description of the problem, without the file's name or content.
  public var description: String {
    switch self {
    case .badPath: "is not the path of a file"
    case .otherDatabase: "is an SQLite database, but not a queue"
    case .newerVersion(let found, let known):
      "was written by a newer version of Encircle (format \(found); this one knows up to \(known))"
    case .locked: "is in use by another process"
    case .readOnly: "cannot be created or written there"
    case .diskFull: "no room left on the disk"
    case .damaged(let what): "is damaged: \(what)"
    case .notAnEvent(let index, let offset, let reason):
      "event \(index) is not a JSON object: \(reason), at byte \(offset)"
    case .eventTooLong(let index, let bytes, let limit):
      "event \(index) has \(bytes) bytes, more than the limit of \(limit) bytes"
    case .closed: "is closed"
    case .system(let reason): reason
    }
  }

  init(_ error: DatabaseError) {
    let extended = error.extendedResultCode
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
    // The permissions were checked when the file was opened, so a plain SQLITE_READONLY means that the header forbids writing.
    case .SQLITE_READONLY where extended == .SQLITE_READONLY:
      self = .damaged("its header says that it may not be written")
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(error.message ?? "malformed")
    // A table is missing or has other columns: the file claims to be a queue, but is not one.
    case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT: self = .damaged(error.message ?? "unexpected content")
    case .SQLITE_IOERR where extended == .SQLITE_IOERR_SHORT_READ: self = .damaged("the end of the file is missing")
    default: self = .system(error.message ?? "cannot be read or written (SQLite \(extended.rawValue))")
    }
  }

  /// Runs `body`, and converts its errors to this type.
  static func translating<R>(_ body: () throws -> R) throws(DeliveryError) -> R {
    do {
      return try body()
    } catch let error as DeliveryError {
      throw error
    } catch let error as DatabaseError {
      throw DeliveryError(error)
    } catch is RowDecodingError {
      throw .damaged("a value is missing, or of another type")
    } catch {
      throw .system("\(error)")
    }
  }

  /// This is true if the error means that the file itself is broken.
  var isDamage: Bool { if case .damaged = self { true } else { false } }
}

extension DeliveryError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
