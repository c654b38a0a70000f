import Foundation

/// Finds rule files.
enum RuleDirectory {
  /// Whether a file beside rules has their tests rather than rules.
  static func isTest(_ name: String) -> Bool { [".test.yaml", ".test.yml"].contains { name.hasSuffix($0) } }

  /// The path itself if it is a file, else the rule files beneath it in byte order; nil if there is nothing.
  static func files(_ path: String) -> [String]? {
    var isDirectory: ObjCBool = false
    guard path != "-" else { return [path] }
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
    guard isDirectory.boolValue else { return [path] }
    guard let names = FileManager.default.enumerator(atPath: path) else { return nil }
    let found = names.compactMap { $0 as? String }.filter { name in
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      return !isHidden && !isTest(name) && [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }
    let base = path.hasSuffix("/") ? path : path + "/"
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { base + $0 }
  }
}
