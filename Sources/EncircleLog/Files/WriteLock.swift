import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a file that is being written. The lock ends with its process, even a killed one, so a file without a lock was left
/// behind.
enum WriteLock {
  /// Locks a file that this process has just created.
  ///
  /// - Returns: False if another process mistook the file for a leftover, and has locked or removed it.
  static func take(_ descriptor: Int32) -> Bool {
    // On a file system without locks, no process can lock a leftover, so none removes this file.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    return !isRemoved(descriptor)
  }

  /// Returns whether an open file no longer has a name.
  static func isRemoved(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }
}
