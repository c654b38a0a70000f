import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that are replaced as a whole: a path has either the old or the new file at any time, even after a crash of the process
/// or the machine.
package enum AtomicFile {
  /// Replaces the file at a path, or creates it. The file is on disk when this returns.
  ///
  /// - Parameter mode: The permissions of the new file.
  /// - Returns: The system's error, after which the old file is unchanged; otherwise nil.
  package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) -> Int32? {
    var folder = FilePath.folder(of: path)
    if folder.isEmpty { folder = "." }
    let name = ScratchName(for: FilePath.name(of: path))
    name.removeLeftovers(in: folder)
    var scratch = ""
    var file: Int32
    var attempt = 0
    repeat {
      attempt += 1
      scratch = FilePath.joining(folder, name.text(attempt))
      file = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if file >= 0, !WriteLock.take(file) {
        close(file)
        file = -1
        errno = EEXIST
      }
    } while file < 0 && errno == EEXIST && attempt < 1000
    guard file >= 0 else { return errno }
    var failure = write(bytes, to: file)
    if failure == nil, fsync(file) != 0 { failure = errno }
    if failure == nil, rename(scratch, path) != 0 { failure = errno }
    if failure != nil { unlink(scratch) }
    close(file)
    guard failure == nil else { return failure }
    // The new name is durable only when the directory is written, too.
    let directory = open(folder, O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
    return nil
  }

  /// Writes all bytes to an open file, and returns the system's error, or nil.
  package static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
    signal(SIGPIPE, SIG_IGN)
    var start = 0
    while start < bytes.count {
      // Darwin refuses more than 2³¹ − 1 bytes.
      let written = bytes.withUnsafeBytes {
        Foundation.write(file, $0.baseAddress.unsafelyUnwrapped + start, min(bytes.count - start, 1 << 30))
      }
      if written < 0, errno != EINTR { return errno }
      start += max(0, written)
    }
    return nil
  }
}
