import EncircleInput
import EncircleText
import Foundation

/// The files that a command line names directly or by their directories.
package struct CaptureList {
  package struct File {
    package let path: String
    /// This is true if the file was found in a directory rather than named.
    package let isFound: Bool
  }

  package private(set) var files: [File] = []
  /// The directories that cannot be listed, with the reason.
  package private(set) var failures: [(path: String, reason: String)] = []
  /// The directories that were named and have no files.
  package private(set) var empty: [String] = []

  /// Lists files; files in directories are in byte order of their names. Omits links to directories and, unless the caller asks for
  /// them, hidden files.
  package init(_ paths: [String], withHidden: Bool = false) {
    for path in paths {
      if path != "-", FileDescriptor.isDirectory(path) {
        let before = (files.count, failures.count)
        walk(path, withHidden)
        if before == (files.count, failures.count) { empty.append(path) }
      } else {
        files.append(File(path: path, isFound: false))
      }
    }
  }

  private mutating func walk(_ root: String, _ withHidden: Bool) {
    var pending = [root]
    while let directory = pending.popLast() {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: directory)
      } catch {
        failures.append((directory, "cannot be listed"))
        continue
      }
      let visible = names.filter { withHidden || !$0.beginsWithBytes(of: ".") }.sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      var directories: [String] = []
      for name in visible {
        let path = FilePath.joining(directory, name)
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory {
          directories.append(path)
        } else if type == nil || type == .typeRegular
          || (type == .typeSymbolicLink && !FileDescriptor.isDirectory(path))
        {
          // An entry of unknown type, in a directory that may not be searched or with a name that is not UTF-8, may be a
          // capture. Reading it reports the problem.
          files.append(File(path: path, isFound: true))
        }
      }
      pending.append(contentsOf: directories.reversed())
    }
  }

  /// Returns whether a file's name suggests a capture, so that the user should learn if it is not one.
  package static func isNamedLikeCapture(_ path: String) -> Bool {
    let name = path.endsWithBytes(of: ".gz") ? path.dropLast(3) : path[...]
    return [".xml", ".uix", ".txt"].contains { name.endsWithBytes(of: $0) }
  }
}
