import GRDB

/// An error in reading or writing a dictionary.
public enum DictionaryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist.
  case noSuchFile
  /// The path leads to a directory.
  case isDirectory
  /// The file is not an SQLite database.
  case notADictionary
  /// The file is an SQLite database, but no dictionary.
  case otherDatabase
  /// The file was written by a newer version of Encircle.
  case newerVersion(found: Int, known: Int)
  /// The end of the file is missing.
  case truncated
  /// The content contradicts itself.
  case damaged(String)
  /// Another process is writing the file.
  case locked
  /// Another program changed the file while it was read.
  case changed
  /// The file is read-only.
  case readOnly
  /// The file cannot be read or written, for the reason that the system gives.
  case system(String)

  /// The problem in words, without the name of the file.
  public var description: String { message }

  /// The problem in words, without the name of the file.
  public var message: String {
    switch self {
    case .noSuchFile: "no such file"
    case .isDirectory: "is a directory"
    case .notADictionary: "is not a dictionary"
    case .otherDatabase: "is an SQLite database, but not a dictionary"
    case .newerVersion(let found, let known):
      "was written by a newer version of Encircle (format \(found); this one knows up to \(known))"
    case .truncated: "is truncated: the end of the dictionary is missing"
    case .damaged(let what): "is damaged: \(what)"
    case .locked: "is in use by another process"
    case .changed: "was changed while it was read"
    case .readOnly: "is read-only"
    case .system(let reason): reason
    }
  }

  init(_ error: DatabaseError) {
    if error.extendedResultCode == .SQLITE_IOERR_SHORT_READ {
      self = .truncated
      return
    }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
    case .SQLITE_READONLY: self = .readOnly
    case .SQLITE_NOTADB: self = .notADictionary
    case .SQLITE_CORRUPT: self = .damaged(error.message ?? "malformed")
    case .SQLITE_INTERRUPT: self = .damaged("reading it takes more steps than an intact dictionary needs")
    case .SQLITE_TOOBIG: self = .damaged("a value is longer than \(HostileFile.maximumValueLength) bytes")
    case .SQLITE_CONSTRAINT: self = .damaged("its numbers contradict each other")
    case .SQLITE_FULL: self = .system("no room left on the disk")
    case .SQLITE_CANTOPEN: self = .system("cannot be opened")
    // A table or column is missing: the file claims to be a dictionary of this version, but is not one.
    case .SQLITE_ERROR: self = .damaged(error.message ?? "unexpected content")
    default: self = .system(error.message ?? "cannot be read or written (SQLite \(error.resultCode.rawValue))")
    }
  }

  /// Runs `body`, and converts its errors to this type.
  static func translating<R>(_ body: () throws -> R) throws(DictionaryError) -> R {
    do {
      return try body()
    } catch let error as DictionaryError {
      throw error
    } catch let error as DatabaseError {
      throw DictionaryError(error)
    } catch is RowDecodingError {
      throw .damaged("a value is missing, or of another type")
    } catch {
      throw .system("\(error)")
    }
  }
}
