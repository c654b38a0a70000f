#if FILES
  import EncircleInput
  import EncircleText
  import Foundation

  /// Finds rule files and the files beside them: tests, coverage exceptions, and plans.
  package enum RuleDirectory {
    /// The files to find in a directory.
    package enum Wanted: Equatable {
      case rules
      case companions(Companion)
      case all
    }

    /// A kind of file that is kept beside rules, but has no rules itself.
    package enum Companion: String, CaseIterable {
      /// `x.test.yaml` or `x.test.json`: the expected selections of the rules in `x.yaml`.
      case tests = ".test"
      /// `x.coverage.yaml`: the elements that are to have no rule.
      case coverage = ".coverage"
      /// `x.plan.yaml`, in a directory also `plan.yaml`: the events that there should be.
      case plan = ".plan"

      fileprivate var endings: [String] {
        (self == .tests ? RuleDirectory.endings : [".yaml", ".yml"]).map { rawValue + $0 }
      }

      /// Determines the kind of a file by its name; nil for rules.
      package init?(ofFile name: String) {
        if let kind = Self.allCases.first(where: { $0.endings.contains { name.endsWithBytes(of: $0) } }) {
          self = kind
        } else if let last = name.splitBytes(at: "/").last,
          ["plan.yaml", "plan.yml"].contains(where: last.hasSameBytes)
        {
          self = .plan
        } else {
          return nil
        }
      }
    }

    /// The name of a file beside rules that holds defaults of the tool, and no rules.
    package static let projectFileName = "encircle.yaml"

    private static let endings = [".yaml", ".yml", ".json"]

    /// Returns the path of a rule file without its ending; nil if the path does not end like one.
    package static func stem(of path: String) -> Substring? {
      endings.first { path.endsWithBytes(of: $0) }.map { Substring(path.utf8.dropLast($0.utf8.count)) }
    }

    /// Returns whether a file beside rules has their tests rather than rules.
    package static func isTest(_ name: String) -> Bool { Companion(ofFile: name) == .tests }

    /// Returns the text of a file.
    ///
    /// - Parameter limit: The largest file, in bytes.
    /// - Throws: ``RuleFileErrors`` with the reason why the file cannot be read.
    package static func text(of path: String, limit: Int) throws(RuleFileErrors) -> String {
      let bytes: [UInt8]
      do throws(InputError) {
        var source = try ByteSource(path: path)
        bytes = try source.readAll(limit: limit)
      } catch {
        throw RuleFileErrors([Diagnostic("\(error)", file: path)], isMissingInput: error == .noSuchFile)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw RuleFileErrors([Diagnostic(notUTF8: bytes, file: path)], isMissingInput: false)
      }
      return text
    }

    /// Returns the texts of files, the problems of files that cannot be read, and whether the only problem is that files are
    /// missing.
    ///
    /// - Parameter limit: The largest file, in bytes.
    package static func texts(
      of paths: [String], limit: Int
    ) -> (texts: [(name: String, text: String)], problems: [Diagnostic], isMissingInput: Bool) {
      var texts: [(name: String, text: String)] = []
      var problems: [Diagnostic] = []
      var missing = 0
      for path in paths {
        do throws(RuleFileErrors) {
          texts.append((path, try text(of: path, limit: limit)))
        } catch {
          problems += error.diagnostics
          if error.isMissingInput { missing += 1 }
        }
      }
      return (texts, problems, missing > 0 && missing == problems.count)
    }

    /// Returns the path itself if it is a file, otherwise the files below it in byte order; nil if nothing exists there. A folder that
    /// cannot be listed may hold rules, so its own path is returned, and reading it reports the problem.
    package static func files(_ path: String, _ wanted: Wanted = .rules) -> [String]? {
      var isDirectory: ObjCBool = false
      guard path != "-" else { return [path] }
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
      guard isDirectory.boolValue else { return [path] }
      guard let names = visibleNames(below: path) else { return nil }
      let found = names.filter { name in
        guard stem(of: name) != nil else {
          return (wanted == .rules || wanted == .all) && isClosed(FilePath.joining(path, name))
        }
        guard FilePath.name(of: name) != projectFileName else { return false }
        switch wanted {
        case .all: return true
        case .rules: return Companion(ofFile: name) == nil
        case .companions(let kind): return Companion(ofFile: name) == kind
        }
      }
      return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { FilePath.joining(path, $0) }
    }

    /// Returns whether a path leads to a regular file, if need be through links, rather than to a pipe, a device or a directory.
    package static func isRegularFile(_ path: String) -> Bool {
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let type = try? FileManager.default.attributesOfItem(atPath: resolved)[.type] as? FileAttributeType
      return type == .typeRegular
    }

    /// Returns the names below a directory, as paths from it, without hidden files and the contents of hidden directories; nil if it
    /// cannot be listed. Links below it are not followed.
    package static func visibleNames(below path: String) -> [String]? {
      // The enumerator follows no links, not even its starting point.
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      return FileManager.default.enumerator(atPath: resolved)?.compactMap { $0 as? String }.filter { name in
        !name.splitBytes(at: "/").contains { $0.beginsWithBytes(of: ".") }
      }
    }

    /// Returns whether a path is a directory that cannot be listed; a link to one is not.
    private static func isClosed(_ path: String) -> Bool {
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      return type == .typeDirectory && !FileManager.default.isReadableFile(atPath: path)
    }

    /// Returns the reason, in words, why an entry of a directory is not read; nil if it leads to a regular file, or if reading it
    /// will report the problem.
    package static func problem(ofFound path: String) -> String? {
      if isRegularFile(path) { return nil }
      if isClosed(path) { return "cannot be listed" }
      // Its directory may not be searched, or its name is not UTF-8.
      if (try? FileManager.default.attributesOfItem(atPath: path)) == nil { return nil }
      return FileManager.default.fileExists(atPath: path)
        ? "is not a regular file" : "is a link to a file that does not exist"
    }

    /// Returns the files of a kind that belong to a path: for a directory, all files of the kind below it; for `x.yaml`, the
    /// file of the same name.
    package static func companions(_ kind: Companion, of path: String) -> [String] {
      var isDirectory: ObjCBool = false
      guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return [] }
      if isDirectory.boolValue { return files(path, .companions(kind)) ?? [] }
      if Companion(ofFile: path) == kind { return [path] }
      guard let stem = stem(of: path) else { return [] }
      return kind.endings.map { stem + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// Returns the files of a kind beside several paths, without duplicates.
    package static func companions(_ kind: Companion, besides paths: [String]) -> [String] {
      var seen: Set<UTF8String> = []
      return paths.flatMap { companions(kind, of: $0) }.filter { seen.insert(UTF8String($0)).inserted }
    }

    /// Returns whether a file is one of those that are kept beside a file with rules.
    package static func isCompanion(_ path: String, of rules: String) -> Bool {
      guard Companion(ofFile: rules) == nil, let stem = stem(of: rules) else { return false }
      return Companion.allCases.contains { $0.endings.contains { path.hasSameBytes(as: "\(stem)\($0)") } }
    }

    /// Returns the rule files that a test file, or another kind of file, stands beside.
    package static func rules(beside file: String, as kind: Companion = .tests) -> [String] {
      guard let ending = kind.endings.first(where: { file.endsWithBytes(of: $0) }) else { return [] }
      let stem = Substring(file.utf8.dropLast(ending.utf8.count))
      return endings.map { stem + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }
  }
#endif
