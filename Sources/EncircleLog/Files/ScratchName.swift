import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names of scratch files: the new version of a file is first written to `.NAME.encircle-PROCESS`. The number of the
/// process shows which scratch files a killed process has left.
struct ScratchName {
  private let prefix: String

  /// - Parameter name: The name of the file to replace, without its folder.
  init(for name: String) {
    // Names have at most 255 bytes. A prefix is enough, because the name also contains the process.
    let part = String(decoding: name.utf8.prefix(200), as: UTF8.self).replacingBytes(of: "\u{FFFD}", with: "")
    prefix = ".\(part).encircle-"
  }

  /// Returns the name for this process.
  func text(_ attempt: Int) -> String { prefix + String(getpid()) + (attempt > 1 ? "-\(attempt)" : "") }

  /// Removes the files of processes that no longer exist.
  func removeLeftovers(in folder: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names where name.utf8.starts(with: prefix.utf8) {
      let parts = name.utf8.dropFirst(prefix.utf8.count).split(
        separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      let numbers = parts.map { Int32(String(decoding: $0, as: UTF8.self)) }
      guard (1...2).contains(numbers.count), let process = numbers[0], process > 0, !numbers.contains(nil) else {
        continue
      }
      removeIfAbandoned(folder + "/" + name, process)
    }
  }

  private func removeIfAbandoned(_ path: String, _ process: Int32) {
    // A file with this process's number is either left from an earlier process with the same number, or belongs to another
    // system or container.
    guard process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) else { return }
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }
}
