/// The parts of file paths, by their bytes. Foundation's functions for them end the process for some names.
package enum FilePath {
  /// Returns the path of the folder that a file is in; empty for the working directory.
  package static func folder(of path: String) -> String {
    let name = nameRange(path.utf8)
    let end = path.utf8[..<name.lowerBound].lastIndex { $0 != separator }
    guard let end else { return name.lowerBound > path.utf8.startIndex ? "/" : "" }
    return String(path[...end])
  }

  /// Returns the last part of a path, without slashes behind it.
  package static func name(of path: String) -> String { String(path[nameRange(path.utf8)]) }

  /// Returns the path of a file in a folder; an empty folder is the working directory.
  package static func joining(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.utf8.last == separator ? folder + name : folder + "/" + name
  }

  private static let separator = UInt8(ascii: "/")

  private static func nameRange(_ path: String.UTF8View) -> Range<String.Index> {
    guard let last = path.lastIndex(where: { $0 != separator }) else { return path.endIndex..<path.endIndex }
    let end = path.index(after: last)
    let start = path[..<end].lastIndex(of: separator).map { path.index(after: $0) } ?? path.startIndex
    return start..<end
  }
}
