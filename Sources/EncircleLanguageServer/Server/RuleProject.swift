import EncircleAuthoring
import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// A document that the client has open: its text, rather than that of its file, counts.
struct OpenDocument {
  let uri: String
  var version: Int?
  var text: DocumentText
}

/// Rule files that together are one rule set, with the files of their tests.
final class RuleProject {
  private struct DiskFile {
    let state: FileStamp?
    let text: String?
    /// Whether the file holds neither rules nor tests. Its text is then not kept.
    var isForeign = false
  }

  /// The largest file that is read, in bytes.
  static let maximumFileSize = 1 << 26
  /// The most bytes of files that are looked at to find out whether they are rules.
  static let maximumSearch = 1 << 28

  /// Identifies the project among all that there ever were.
  let number: Int
  /// The folders or files in which the rules are.
  let roots: [String]
  // Whether all files there are rules, rather than those that look like some.
  private let takesAll: Bool
  private var disk: [UTF8String: DiskFile] = [:]
  private var cache = RuleFileCache()

  /// The files with rules, in byte order.
  private(set) var ruleFiles: [String] = []
  /// The files with tests, in byte order.
  private(set) var testFiles: [String] = []
  // Both.
  private var files: Set<UTF8String> = []
  /// The rules, if they have no problem.
  private(set) var rules: SourcedRuleSet?
  /// The rules as they were the last time that they had no problem.
  private(set) var lastRules = RuleSet()
  /// The problems that keep the rules from being loaded.
  private(set) var problems: [Diagnostic] = []
  /// What is probably wrong with the rules.
  private(set) var findings: [Finding] = []
  /// The problems of the tests.
  private(set) var testProblems: [Diagnostic] = []
  /// Counts the changes of the rules and of what they are compared with.
  private(set) var generation = 0

  /// Whether files may have come or gone.
  var needsListing = true
  /// Whether a text has changed since the rules were loaded.
  var needsLoad = true
  /// Whether rules or captures have changed since the rules were checked.
  var needsCheck = false

  /// - Parameter takesAll: Whether all files there are rules, rather than those that look like some.
  init(_ number: Int, roots: [String], takesAll: Bool) {
    self.number = number
    self.roots = roots
    self.takesAll = takesAll
  }

  /// Returns whether a file may belong to the project.
  func covers(_ path: String) -> Bool {
    roots.contains { root in
      path.utf8.elementsEqual(root.utf8) || path.utf8.starts(with: (root == "/" ? "/" : root + "/").utf8)
    }
  }

  /// Returns whether a file is one of the project's.
  func contains(_ path: String) -> Bool {
    files.contains(UTF8String(path))
  }

  // MARK: - Files

  /// Finds the files of the project.
  func list(_ open: [UTF8String: OpenDocument]) {
    needsListing = false
    needsLoad = true
    var paths = Set(roots.flatMap { FileList.files($0) }.map { UTF8String($0) })
    for path in open.keys where covers(path.text) { paths.insert(path) }
    let known = files
    var current: [UTF8String: DiskFile] = [:]
    var bytes = 0
    ruleFiles = []
    testFiles = []
    for path in paths.sorted() where Self.hasRuleEnding(path.text) && !Self.isProjectFile(path.text) {
      let isTest = RuleTestFiles.isTestFile(path.text)
      if open[path] == nil, bytes <= Self.maximumSearch {
        let state = FileStamp(path.text)
        let file = disk[path].flatMap { $0.state == state ? $0 : nil } ?? Self.read(path.text, state)
        bytes += file.text?.utf8.count ?? 0
        current[path] = file
      }
      if open[path] == nil, !takesAll, current[path]?.isForeign == true { continue }
      guard let text = open[path]?.text.text ?? current[path]?.text else {
        // What cannot be read is reported only where it must be rules.
        if takesAll, !isTest { ruleFiles.append(path.text) }
        continue
      }
      // A document stays what it was while somebody makes a mistake in it.
      guard takesAll || open[path] != nil && known.contains(path) || RuleFileText.looksLikeRules(text) else {
        if let file = current[path] { current[path] = DiskFile(state: file.state, text: nil, isForeign: true) }
        continue
      }
      if isTest { testFiles.append(path.text) } else { ruleFiles.append(path.text) }
    }
    files = Set((ruleFiles + testFiles).map { UTF8String($0) })
    disk = current
  }

  private static func hasRuleEnding(_ path: String) -> Bool {
    [".yaml", ".yml", ".json"].contains { path.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Whether a file has the defaults of options, some of which have the names of keys of rule files.
  private static func isProjectFile(_ path: String) -> Bool {
    FilePath.name(of: path).utf8.elementsEqual(RuleDirectory.projectFileName.utf8)
  }

  private static func read(_ path: String, _ state: FileStamp?) -> DiskFile {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      let bytes = try source.readAll(limit: maximumFileSize)
      return DiskFile(state: state, text: String(validating: bytes, as: UTF8.self))
    } catch {
      return DiskFile(state: state, text: nil)
    }
  }

  /// Returns the text of a file, as it is open or on disk.
  func text(of path: String, _ open: [UTF8String: OpenDocument]) -> String? {
    open[UTF8String(path)]?.text.whole ?? disk[UTF8String(path)]?.text
  }

  /// Returns the texts of the files with tests.
  func testTexts(_ open: [UTF8String: OpenDocument]) -> [(name: String, text: String)] {
    testFiles.compactMap { path in text(of: path, open).map { (path, $0) } }
  }

  // MARK: - Rules

  /// Loads the rules as they are now.
  func load(_ open: [UTF8String: OpenDocument]) {
    needsLoad = false
    generation += 1
    var files: [(name: String, text: String)] = []
    var unread: [Diagnostic] = []
    for path in ruleFiles {
      if let text = text(of: path, open) {
        files.append((path, text))
      } else {
        unread.append(Diagnostic("cannot be read as UTF-8 text", file: path))
      }
    }
    let hadProblems = !problems.isEmpty
    do throws(RuleFileErrors) {
      let loaded = try cache.load(files, problems: unread)
      rules = loaded
      lastRules = loaded.ruleSet
      problems = []
      needsCheck = true
      if hadProblems { findings = [] }
    } catch {
      rules = nil
      problems = error.diagnostics
      findings = []
      testProblems = []
      needsCheck = false
    }
  }

  /// Takes the result of a check.
  func accept(_ findings: [Finding], _ testProblems: [Diagnostic]) {
    self.findings = findings
    self.testProblems = testProblems
  }

  /// Makes the rules be checked anew, as what they are compared with has changed.
  func checkAgain() {
    generation += 1
    needsCheck = rules != nil
  }
}

/// What a text alone shows.
enum RuleFileText {
  /// Returns whether a text looks like rules or their tests: it has a key of theirs beside `version`, and either `version` or
  /// no keys but theirs. `version` alone, as in `package.json`, or no keys at all, as in a playbook, are nothing of theirs.
  ///
  /// - Complexity: O(length).
  static func looksLikeRules(_ text: String) -> Bool {
    let keys = topLevelKeys(Array(text.utf8))
    let words = RuleFileKeys.file + RuleTestKeys.file
    let own = keys.filter { key in words.contains { $0.utf8.elementsEqual(key.utf8) } }
    let others = own.filter { key in !["version", "$schema"].contains { $0.utf8.elementsEqual(key.utf8) } }
    guard !others.isEmpty else { return false }
    return own.count == keys.count || own.contains { $0.utf8.elementsEqual("version".utf8) }
  }

  private static func topLevelKeys(_ bytes: [UInt8]) -> [String] {
    let first = bytes.first { !isWhiteSpace($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      guard case .object(let object)? = try? EventValue(json: bytes) else { return [] }
      return object.members.map(\.name)
    }
    var keys: [String] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let first = line.first, ![0x20, 0x09, 0x23, 0x25, 0x2D].contains(first),
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      keys.append(String(decoding: line[..<colon].filter { $0 != 0x22 && $0 != 0x27 && $0 != 0x20 }, as: UTF8.self))
      if keys.count > 100 { break }
    }
    return keys
  }
}
