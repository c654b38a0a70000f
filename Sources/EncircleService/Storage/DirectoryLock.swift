#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a directory that keeps other processes out while this one runs. The system releases it even after a crash.
struct DirectoryLock: ~Copyable, Sendable {
  static let file = "lock"

  let descriptor: Int32

  init(directory: String) throws {
    let path = directory + "/" + Self.file
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError.barred(directory: directory, code: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw StoreError.inUse(directory: directory)
    }
  }

  deinit {
    // A process that is being started shares the lock until it executes its own program. Closing the descriptor would therefore
    // not release the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
