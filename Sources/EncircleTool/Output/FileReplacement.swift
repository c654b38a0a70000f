import ArgumentParser
import EncircleInput
import EncircleLog
import EncircleRuleFiles
import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Replaces files atomically. At any time, even after a killed run, a path has either the old or the new file.
enum FileReplacement {
  /// Replaces a file with a result, or creates it. A pipe or device is written to instead.
  ///
  /// - Throws: An exit code, after printing the problem; the old file is unchanged.
  static func save(_ bytes: [UInt8], as file: OutputFile) throws { try replace(file.path, with: bytes) }

  /// Replaces a file that the command changes, like ``save(_:as:)``. The file need not exist; a compressed file is refused.
  static func save(_ bytes: [UInt8], over path: String) throws {
    if RuleDirectory.isRegularFile(path) { try requireChangeable(path) }
    try replace(path, with: bytes)
  }

  /// Refuses a file that cannot be changed in place.
  ///
  /// - Throws: An exit code, after printing the problem.
  static func requireChangeable(_ path: String) throws {
    guard let reason = reasonToKeep(path) else { return }
    throw ExitStatus.badData.failure("\(path): error: \(reason)")
  }

  /// Returns the reason why a file cannot be changed in place; nil if it can.
  static func reasonToKeep(_ path: String) -> String? {
    // Text written into a pipe does not reach the program that wrote the rules into it.
    if !RuleDirectory.isRegularFile(path) { return "is not a regular file, and cannot be changed in place" }
    // Plain text in place of a compressed file could not be unpacked.
    let beginning = FileHandle(forReadingAtPath: path)?.readData(ofLength: 3)
    return Gzip.isBeginning(of: beginning ?? Data()) ? "a compressed file cannot be changed in place" : nil
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws {
    var old = stat()
    let failure: Int32?
    if stat(path, &old) != 0 {
      try requireTarget(of: path)
      failure = AtomicFile.replace(path, with: bytes)
    } else if old.st_mode & S_IFMT == S_IFREG {
      failure =
        access(path, W_OK) == 0
        ? AtomicFile.replace(resolved(path), with: bytes, mode: old.st_mode & 0o777) : errno
    } else {
      failure = writeDirectly(path, bytes)
    }
    guard let failure else { return }
    throw ExitStatus.inputOutput.failure("\(path): error: cannot be written: \(String(cString: strerror(failure)))")
  }

  /// Refuses a dangling link: a file in its place would hide that the link leads nowhere.
  ///
  /// - Throws: An exit code, after printing the problem.
  static func requireTarget(of path: String) throws {
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT, lstat(path, &status) == 0 else { return }
    throw ExitStatus.inputOutput.failure(
      "\(path): error: cannot be written: it is a link to a file that does not exist")
  }

  // These functions return the system's error, or nil.

  private static func writeDirectly(_ path: String, _ bytes: [UInt8]) -> Int32? {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return AtomicFile.write(bytes, to: file)
  }

  /// Returns the path of the file that links lead to, so that the file is replaced rather than the link.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
