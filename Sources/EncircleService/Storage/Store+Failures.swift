import GRDB

extension Store {
  /// Returns the reason for a database error that may be temporary, such as a full disk; nil for any other error.
  ///
  /// After such an error nothing has been stored, and everything stored before can still be read.
  static func temporaryFailure(_ error: any Error) -> String? {
    guard let error = error as? DatabaseError else { return nil }
    return switch error.resultCode {
    case .SQLITE_FULL: "The disk is full."
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: "The directory of the service cannot be written to."
    case .SQLITE_BUSY, .SQLITE_LOCKED: "The directory of the service is busy."
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: "The files of the service are damaged."
    case .SQLITE_NOMEM: "There is not enough memory."
    case .SQLITE_INTERRUPT: "This takes too long."
    default: nil
    }
  }
}
