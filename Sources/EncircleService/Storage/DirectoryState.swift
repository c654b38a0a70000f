import Foundation

/// Records in a separate file that a directory has been used, and whether it was closed properly.
///
/// SQLite takes a missing or empty file for a new database, and ignores a write-ahead log with a damaged header. A service
/// would then start without its data, and without the tokens that protect it.
struct DirectoryState: Sendable {
  enum State: String {
    case open, closed
  }

  /// The name of the file in the directory.
  static let file = "state"

  let directory: String

  /// Refuses a used directory whose databases are missing, empty or without their logs.
  ///
  /// - Throws: ``StoreError``.
  func check(files: [String]) throws {
    for file in files where hasDamagedHeader(log: file + "-wal") {
      throw StoreError.lost(directory: directory, file: file, reason: "the header of its write-ahead log is damaged")
    }
    guard let state = read() else { return }
    for file in files where (size(file) ?? 0) == 0 {
      throw StoreError.lost(
        directory: directory, file: file, reason: size(file) == nil ? "the file is missing" : "the file is empty")
    }
    // A service that did not close the directory leaves a log: SQLite deletes it only when the last connection closes.
    if state == .open, files.allSatisfy({ size($0 + "-wal") == nil }) {
      throw StoreError.lost(
        directory: directory, file: files[0],
        reason:
          "its write-ahead log is missing, which holds the latest changes, as the service was not stopped in order")
    }
  }

  func write(_ state: State) throws {
    let path = directory + "/" + Self.file
    do {
      try Data((state.rawValue + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw StoreError.unusable(directory: directory, reason: error.localizedDescription)
    }
  }

  /// Returns the state in the file; nil in a new directory, and in one that only versions without this file have used.
  func read() -> State? {
    guard let data = FileManager.default.contents(atPath: directory + "/" + Self.file) else { return nil }
    let text = String(decoding: data.prefix(16), as: UTF8.self)
    return State(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .open
  }

  /// Returns the size of a file in the directory, in bytes; nil if there is none.
  func size(_ file: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: directory + "/" + file)[.size] as? NSNumber)?.intValue
  }

  /// Returns whether the header of a log is damaged, in which case SQLite would ignore the log without an error.
  ///
  /// The header has eight big-endian words; the last two are the checksum of the first six
  /// (https://www.sqlite.org/fileformat.html, section 4.1). A header of zeros is not damage: a power cut may leave it before
  /// anything was acknowledged.
  private func hasDamagedHeader(log: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: directory + "/" + log) else { return false }
    defer { try? handle.close() }
    guard let header = try? handle.read(upToCount: 32), header.count == 32, header.contains(where: { $0 != 0 }) else {
      return false
    }
    let bytes = [UInt8](header)
    func word(_ index: Int, bigEndian: Bool) -> UInt32 {
      let part = bytes[index * 4..<index * 4 + 4]
      return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    let magic = word(0, bigEndian: true)
    guard magic & ~1 == 0x377f_0682 else { return true }
    var (first, second): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      first = first &+ word(index, bigEndian: magic & 1 == 1) &+ second
      second = second &+ word(index + 1, bigEndian: magic & 1 == 1) &+ first
    }
    return first != word(6, bigEndian: true) || second != word(7, bigEndian: true)
  }
}
