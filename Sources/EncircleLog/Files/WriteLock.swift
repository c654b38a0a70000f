import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lock that distinguishes a file that is being written from one that was left. The lock ends with its process, even if the
/// process is killed.
enum WriteLock {
  /// Locks a file that this process has just created.
  ///
  /// - Returns: False if another process has locked or removed the file, because it took it for one that was left.
  static func take(_ descriptor: Int32) -> Bool {
    // On a file system without locks, no process takes a file for one that was left.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    return !isRemoved(descriptor)
  }

  /// Returns whether an open file no longer has a name.
  static func isRemoved(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }
}
