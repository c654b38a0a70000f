#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, as the program was started with them.
enum StandardDescriptors {
  /// Makes each of the descriptors 0 to 2 that is closed one that can be neither read nor written.
  ///
  /// The next file that is opened would get its number otherwise, and what is meant for standard error would be written into
  /// it.
  static func fillGaps() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest number that is free, which is this one. In the wrong direction, so that its use is an error as it was.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes a file that grows beyond the limit for its size an error of writing (`ulimit -f`), not the end of the process.
  static func ignoreLimitSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// Closes all other descriptors that the program was started with.
  static func closeInherited() {
    for descriptor in inherited() { close(descriptor) }
  }

  private static func inherited() -> [Int32] {
    // Where the system does not list them, those that a program of few files may have.
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
