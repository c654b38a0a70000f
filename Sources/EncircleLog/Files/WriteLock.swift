import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lock by which processes tell a file that is being written from one that was left. It ends with its process, however that
/// ends.
enum WriteLock {
  /// Locks a file that this process has just created.
  ///
  /// - Returns: False if another process has it, or has removed it: it took the file for one that was left before it was locked.
  static func take(_ descriptor: Int32) -> Bool {
    // Where a file system has no locks, no process takes a file for one that was left.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    return !isRemoved(descriptor)
  }

  /// Returns whether an open file has no name any more.
  static func isRemoved(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }
}
