#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, as the program was started with them.
enum StandardDescriptors {
  /// Opens each closed descriptor from 0 to 2, so that it can be neither read nor written.
  ///
  /// If one stayed closed, the next file would get its number, and output for standard error would be written into that file.
  static func fillGaps() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is the closed one. It is opened in the wrong direction, so that using it is still an error.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes exceeding the limit of file sizes (`ulimit -f`) an error of writing, rather than the end of the process.
  static func ignoreLimitSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// Closes all other descriptors that the program was started with.
  static func closeInherited() {
    for descriptor in inherited() { close(descriptor) }
  }

  private static func inherited() -> [Int32] {
    // If the system does not list the descriptors, these are all numbers that a program with few files may have.
    guard let folder = opendir("/dev/fd") else { return Array(STDERR_FILENO + 1..<1024) }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let descriptor = Int32(name), descriptor > STDERR_FILENO, descriptor != dirfd(folder) {
        found.append(descriptor)
      }
    }
    return found
  }
}
