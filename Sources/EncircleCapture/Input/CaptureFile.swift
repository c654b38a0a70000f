#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reading whole files, up to a limit.
enum CaptureFile {
  /// The bytes of a file; `-` is standard input.
  static func read(_ path: String, limit: Int) throws(CaptureError) -> [UInt8] {
    let descriptor: Int32
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      // Text past a NUL would not reach the system.
      guard !path.utf8.contains(0) else { throw CaptureError(.noSuchFile) }
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw failure(errno) }
    defer { if path != "-" { close(descriptor) } }

    var size = 1 << 16
    var status = stat()
    if fstat(descriptor, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw CaptureError(.isDirectory) }
      if status.st_mode & S_IFMT == S_IFREG {
        if Int(status.st_size) > limit { throw CaptureError(.tooLarge(limit: limit)) }
        size = Int(status.st_size) + 1
      }
    }
    var result: [UInt8] = []
    var ended = false
    while !ended {
      let before = result.count
      var problem: Int32 = 0
      result.reserveCapacity(before + size)
      let block = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          #if canImport(Darwin)
            let got = Darwin.read(descriptor, buffer.baseAddress! + count, size - count)
          #elseif canImport(Glibc)
            let got = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
          #else
            let got = Musl.read(descriptor, buffer.baseAddress! + count, size - count)
          #endif
          if got < 0 {
            if errno == EINTR { continue }
            problem = errno
            return
          }
          if got == 0 {
            ended = true
            return
          }
          count += got
        }
      }
      if problem != 0 { throw failure(problem) }
      if before == 0 { result = block } else { result.append(contentsOf: block) }
      if result.count > limit { throw CaptureError(.tooLarge(limit: limit)) }
      size = 1 << 20
    }
    return result
  }

  private static func failure(_ code: Int32) -> CaptureError {
    switch code {
    case ENOENT: CaptureError(.noSuchFile)
    case EISDIR: CaptureError(.isDirectory)
    default: CaptureError(.unreadable(String(cString: strerror(code))))
    }
  }
}
