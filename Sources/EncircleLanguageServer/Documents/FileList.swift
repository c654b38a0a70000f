import EncircleText
import Foundation

/// The files below a directory.
enum FileList {
  /// The maximum number of directory entries that a search visits.
  static let maximumEntries = 100_000
  // Folders of third-party code, which hold no rules or captures.
  private static let passedOver = ["node_modules", "Pods", "DerivedData"]

  /// Returns the path itself if it is a file, else the files below it in byte order. Links to directories and hidden entries
  /// are omitted.
  static func files(_ path: String) -> [String] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return [] }
    guard isDirectory.boolValue else { return [path] }
    var files: [String] = []
    var pending = [path]
    var entries = 0
    while let directory = pending.popLast(), entries < maximumEntries {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { continue }
      for name in names where !isOmitted(name) {
        entries += 1
        if entries > maximumEntries { break }
        let file = FilePath.joining(directory, name)
        let type = fileType(of: file)
        if type == .typeDirectory {
          pending.append(file)
        } else if type == .typeRegular || type == .typeSymbolicLink && isRegular(file) {
          files.append(file)
        }
      }
    }
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func isRegular(_ link: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: link, isDirectory: &isDirectory) && !isDirectory.boolValue
  }

  /// Returns the type of a file, which may be a link; nil if there is no file.
  private static func fileType(of path: String) -> FileAttributeType? {
    try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  private static func isOmitted(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: ".") || passedOver.contains(name)
  }

  /// Returns whether ``files(_:)`` also lists the files of a folder below another one.
  static func reaches(_ path: String, from folder: String) -> Bool {
    guard isWithin(path, folder), !path.hasSameBytes(as: folder) else { return false }
    var place = folder
    for part in path.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")) {
      let name = String(Substring(part))
      place = FilePath.joining(place, name)
      guard !isOmitted(name), fileType(of: place) == .typeDirectory else { return false }
    }
    return true
  }

  /// Returns whether a path is a folder or is below it.
  static func isWithin(_ path: String, _ folder: String) -> Bool {
    path.hasSameBytes(as: folder) || path.utf8.starts(with: (folder == "/" ? "/" : folder + "/").utf8)
  }

  /// Returns an absolute path without `.` and `..`.
  static func absolute(_ path: String, from folder: String) -> String {
    let joined = path.utf8.first == UInt8(ascii: "/") ? path : FilePath.joining(folder, path)
    var parts: [Substring] = []
    for part in joined.splitBytes(at: "/") where part != "." {
      if part == ".." {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
