import Foundation

/// Checks of a dictionary file that are made before SQLite opens it.
enum FileCheck {
  /// Returns the path without symbolic links.
  static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Returns whether there is a file at a path.
  static func exists(_ path: String) throws(DictionaryError) -> Bool {
    guard let state = FileState(path: path) else { return false }
    if state.isDirectory { throw .isDirectory }
    // Opening a pipe would wait for a writer.
    guard state.isRegular else { throw .notADictionary }
    return true
  }

  /// Checks the header of the file (https://www.sqlite.org/fileformat.html#the_database_header).
  ///
  /// SQLite itself would accept an empty file as an empty database. It would also notice a missing end only when it reads that
  /// part.
  static func check(_ path: String) throws(DictionaryError) {
    guard try exists(path) else { throw .noSuchFile }
    guard let file = FileHandle(forReadingAtPath: path) else { throw .system("cannot be opened for reading") }
    defer { try? file.close() }
    let header = [UInt8]((try? file.read(upToCount: 100)) ?? Data())
    let magic = Array("SQLite format 3\0".utf8)
    guard header.count >= magic.count, header[0..<magic.count].elementsEqual(magic) else {
      throw !header.isEmpty && header.count < magic.count && magic.starts(with: header) ? .truncated : .notADictionary
    }
    guard header.count == 100 else { throw .truncated }
    func number(_ offset: Int, _ count: Int) -> Int { header[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }
    let application = number(68, 4)
    guard application == Schema.applicationID else { throw .otherDatabase }
    let version = number(60, 4)
    guard version <= Schema.version else { throw .newerVersion(found: version, known: Schema.version) }
    let pageSize = number(16, 2) == 1 ? 65536 : number(16, 2)
    let size = (try? file.seekToEnd()).map { Int($0) } ?? 0
    if size < pageSize * number(28, 4) { throw .truncated }
    // With a write-ahead log, SQLite maps a second file into memory, which another process could shorten.
    if header[18] != 1 || header[19] != 1 {
      throw .damaged("another program has put it into a mode with a write-ahead log")
    }
  }

  /// Returns whether a file is read-only. Its mode counts as well, because a superuser may write any file.
  static func isReadOnly(_ path: String) -> Bool {
    let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    return mode.map { $0 & 0o222 == 0 } ?? false || !FileManager.default.isWritableFile(atPath: path)
  }
}
