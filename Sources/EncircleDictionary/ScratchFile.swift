import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file beside a dictionary that receives the dictionary's new version. It is locked, so that no other process can write one at
/// the same time.
final class ScratchFile {
  /// The path of the file.
  let path: String
  private let target: String
  private let descriptor: Int32
  // This is true if the file is locked by this object and not yet in the dictionary's place.
  private var isOwned = false

  /// Locks the scratch file of a dictionary and makes it empty.
  ///
  /// - Throws: `DictionaryError.locked` if another process writes the same dictionary.
  init(for target: String) throws(DictionaryError) {
    self.target = target
    path = FilePath.joining(FilePath.folder(of: target), ".\(FilePath.name(of: target)).indexing")
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .system("cannot write beside it: \(String(cString: strerror(errno)))") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .locked
    }
    // Another process may just have moved this file into place; then the locked file is the dictionary itself.
    var held = stat()
    var named = stat()
    guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
      held.st_dev == named.st_dev
    else {
      close(descriptor)
      throw .locked
    }
    isOwned = true
    // A killed process may have left content. The file is truncated rather than removed, because the lock is on this very file.
    ftruncate(descriptor, 0)
  }

  deinit { remove() }

  /// Appends the content of another file.
  func copyContent(of path: String) throws(DictionaryError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw .system("cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(source) }
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &piece, piece.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("cannot be read: \(String(cString: strerror(errno)))")
      }
      try append(piece[..<count])
    }
  }

  private func append(_ bytes: ArraySlice<UInt8>) throws(DictionaryError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw .system("cannot be copied: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Replaces the dictionary with this file.
  func replaceTarget() throws(DictionaryError) {
    guard fsync(descriptor) == 0, rename(path, target) == 0 else {
      throw .system("cannot be put into place: \(String(cString: strerror(errno)))")
    }
    isOwned = false
    close(descriptor)
    // For the new name to last, the directory must be flushed, too.
    let path = FilePath.folder(of: target)
    let folder = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Removes the file, unless it has replaced the dictionary.
  func remove() {
    guard isOwned else { return }
    isOwned = false
    unlink(path)
    close(descriptor)
  }
}
