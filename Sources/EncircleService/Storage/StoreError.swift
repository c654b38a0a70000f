import Foundation
import GRDB

/// The reason why a directory cannot be used.
public enum StoreError: Error, CustomStringConvertible {
  /// The directory cannot be created, read or written.
  case unusable(directory: String, reason: String)
  /// Another process uses the directory.
  case inUse(directory: String)
  /// No service has ever used the directory.
  case missing(directory: String)
  /// A later version has used the directory.
  case later(directory: String)
  /// An earlier version has used the directory, and no service of this version has been started with it.
  case earlier(directory: String)
  /// A database in the directory belongs to another application.
  case foreign(directory: String)
  /// The directory is not empty, and would be overwritten.
  case notEmpty(directory: String)
  /// A file in the directory is damaged.
  case damaged(file: String, reason: String)
  /// The directory has been used before, but its content is gone.
  case lost(directory: String, file: String, reason: String)

  /// Returns the error for a file in the directory that cannot be opened.
  ///
  /// - Parameter code: The system's error; `EACCES` if the file belongs to another user, such as root.
  static func barred(directory: String, code: Int32) -> StoreError {
    let cure = code == EACCES ? "; `encircle doctor --data \(directory)` says whose it is, and what to do" : ""
    return .unusable(directory: directory, reason: String(cString: strerror(code)) + cure)
  }

  /// Returns the result of `body`, which opens or changes a directory's databases.
  ///
  /// - Throws: ``unusable(directory:reason:)`` if the disk is full, otherwise the error of `body`.
  package static func reportingFullDisk<Value>(in directory: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      // SQLite creates its shared-memory file when a database is opened, even for reading.
      let code = (error as? DatabaseError)?.extendedResultCode
      guard isOutOfSpace(error) || code == .SQLITE_IOERR_SHMSIZE else { throw error }
      throw StoreError.unusable(directory: directory, reason: "the disk is full")
    }
  }

  /// Returns the result of `body`, which opens or reads a database.
  ///
  /// - Throws: ``damaged(file:reason:)`` if the database is damaged, otherwise the error of `body`.
  static func reportingDamage<Value>(of file: String, cure: String = "", _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      throw StoreError.damaged(file: file, reason: (error.message ?? "\(error)") + cure)
    }
  }

  /// Returns whether an error says that what was written does not fit on the disk.
  static func isOutOfSpace(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError { return error.resultCode == .SQLITE_FULL }
    return (error as? CocoaError)?.code == .fileWriteOutOfSpace
  }

  public var description: String {
    switch self {
    case .unusable(let directory, let reason): "\(directory): cannot be used: \(reason)"
    case .inUse(let directory): "\(directory): another process uses this directory"
    case .missing(let directory): "\(directory): there is no directory of a service here"
    case .lost(let directory, let file, let reason):
      """
      \(directory)/\(file): \(reason). Restore the directory from a backup, with all files whose names begin with \(file); \
      or delete \(directory)/\(DirectoryState.file) to go on with what is left
      """
    case .later(let directory): "\(directory): a later version of encircle has used this directory: start that one"
    case .earlier(let directory):
      """
      \(directory): is of an earlier version of encircle: back it up, and start the service of this version, which brings it up \
      to date
      """
    case .foreign(let directory):
      "\(directory): another application has made the database in this directory: name another directory"
    case .notEmpty(let directory): "\(directory): this directory is not empty: name one that is, or that does not exist"
    case .damaged(let file, let reason): "\(file): is damaged: \(reason)"
    }
  }
}
