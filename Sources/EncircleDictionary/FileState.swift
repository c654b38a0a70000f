#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The identity of the file at a path, and when it was changed. It shows that a dictionary has been replaced or changed.
struct FileState: Equatable {
  /// The identity of the file.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
  }

  let identity: Identity
  let size: Int
  /// This is true if the file is a regular one.
  let isRegular: Bool
  let isDirectory: Bool
  // The times of the last change of content and of the file's properties, in seconds and nanoseconds.
  private let times: [Int]

  /// Reads the state of the file at a path, following symbolic links; nil if the file does not exist.
  init?(path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    #if canImport(Darwin)
      let (content, properties) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (content, properties) = (status.st_mtim, status.st_ctim)
    #endif
    times = [Int(content.tv_sec), Int(content.tv_nsec), Int(properties.tv_sec), Int(properties.tv_nsec)]
  }
}
