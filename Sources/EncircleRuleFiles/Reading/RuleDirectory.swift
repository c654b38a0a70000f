#if YAML
  import Foundation

  /// Finds rule files, and the files with their tests.
  package enum RuleDirectory {
    /// Which files of a directory are wanted.
    package enum Wanted {
      case rules, tests, both
    }

    /// The name of a file beside rules that holds defaults of the tool, and no rules.
    package static let projectFileName = "encircle.yaml"

    private static let testEndings = [".test.yaml", ".test.yml"]
    private static let endings = [".yaml", ".yml", ".json"]

    /// Returns whether a file beside rules has their tests rather than rules.
    package static func isTest(_ name: String) -> Bool { testEndings.contains { name.hasSuffix($0) } }

    /// The path itself if it is a file, else the files beneath it in byte order; nil if there is nothing.
    package static func files(_ path: String, _ wanted: Wanted = .rules) -> [String]? {
      var isDirectory: ObjCBool = false
      guard path != "-" else { return [path] }
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
      guard isDirectory.boolValue else { return [path] }
      guard let names = FileManager.default.enumerator(atPath: path) else { return nil }
      let found = names.compactMap { $0 as? String }.filter { name in
        let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
        guard !isHidden, endings.contains(where: { name.hasSuffix($0) }) else { return false }
        guard name.split(separator: "/").last.map(String.init) != projectFileName else { return false }
        return wanted == .both || isTest(name) == (wanted == .tests)
      }
      let base = path.hasSuffix("/") ? path : path + "/"
      return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { base + $0 }
    }

    /// Returns whether a path leads to a regular file, if need be through links, rather than to a pipe, a device or a directory.
    package static func isRegularFile(_ path: String) -> Bool {
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let type = try? FileManager.default.attributesOfItem(atPath: resolved)[.type] as? FileAttributeType
      return type == .typeRegular
    }

    /// The files with the tests of what a path names: beneath a directory all, beside `x.yaml` the file `x.test.yaml`.
    package static func tests(of path: String) -> [String] {
      var isDirectory: ObjCBool = false
      guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return [] }
      if isDirectory.boolValue { return files(path, .tests) ?? [] }
      if isTest(path) { return [path] }
      guard let ending = endings.first(where: { path.hasSuffix($0) }) else { return [] }
      return testEndings.map { path.dropLast(ending.count) + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// The rule files that a test file stands beside.
    package static func rules(beside test: String) -> [String] {
      guard let ending = testEndings.first(where: { test.hasSuffix($0) }) else { return [] }
      return endings.map { test.dropLast(ending.count) + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }
  }
#endif
