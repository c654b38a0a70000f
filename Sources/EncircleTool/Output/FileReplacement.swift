import ArgumentParser
import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Replaces files atomically: at any time, also after a run that was killed, a path has the old file or the new one.
enum FileReplacement {
  /// Replaces the file at a path, or creates it. A pipe or device is written to instead.
  ///
  /// - Throws: An exit code, after the problem has been printed; the old file is unchanged.
  static func save(_ bytes: [UInt8], as path: String) throws {
    var old = stat()
    let failure: Int32?
    if stat(path, &old) != 0 {
      failure = replace(path, 0o644, bytes)
    } else if old.st_mode & S_IFMT == S_IFREG {
      failure = access(path, W_OK) == 0 ? replace(resolved(path), old.st_mode & 0o777, bytes) : errno
    } else {
      failure = writeDirectly(path, bytes)
    }
    guard let failure else { return }
    printError("\(path): error: cannot be written: \(String(cString: strerror(failure)))")
    throw ExitCode(ExitStatus.inputOutput.rawValue)
  }

  /// Returns whether a file is compressed, as what is read of it then is not what it holds.
  static func isCompressed(_ path: String) -> Bool {
    FileHandle(forReadingAtPath: path)?.readData(ofLength: 2).elementsEqual([0x1F, 0x8B]) == true
  }

  // These functions return the system's error, or nil.

  private static func replace(_ path: String, _ mode: mode_t, _ bytes: [UInt8]) -> Int32? {
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
    } while file < 0 && errno == EEXIST && attempt < 1000
    guard file >= 0 else { return errno }
    // By the lock other runs know that the file is in use; its end is that of this process, however it ends.
    flock(file, LOCK_EX | LOCK_NB)
    var failure = writeAll(bytes, to: file)
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

  private static func writeDirectly(_ path: String, _ bytes: [UInt8]) -> Int32? {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return writeAll(bytes, to: file)
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32? {
    signal(SIGPIPE, SIG_IGN)
    var start = 0
    while start < bytes.count {
      // Darwin refuses more than 2³¹ − 1 bytes.
      let written = bytes.withUnsafeBytes {
        write(file, $0.baseAddress.unsafelyUnwrapped + start, min(bytes.count - start, 1 << 30))
      }
      if written < 0, errno != EINTR { return errno }
      start += max(0, written)
    }
    return nil
  }

  /// Returns the path of the file to which links lead, so that the file is replaced and not the link.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
