import EncircleAuthoring
import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// A document that the client has open. Its text replaces the text of the file.
struct OpenDocument {
  let uri: String
  var version: Int?
  var text: DocumentText
}

/// Rule files that form one rule set, with the files of their tests and of the plan.
final class RuleProject {
  private struct DiskFile {
    let state: FileStamp?
    let text: String?
    /// Whether the file holds neither rules nor tests nor a plan. Its text is then not kept.
    var isForeign = false
  }

  /// The largest file that is read, in bytes.
  static let maximumFileSize = 1 << 26
  /// The maximum number of bytes that are read to find out which files are rules.
  static let maximumSearch = 1 << 28

  /// The number that identifies the project. Numbers are never reused.
  let number: Int
  /// The folders or files that contain the rules.
  let roots: [String]
  /// Whether the project reads all files in ``roots`` as rules. Other projects only read files that look like rules.
  let takesAll: Bool
  private var disk: [UTF8String: DiskFile] = [:]
  private var cache = RuleFileCache()

  /// The files with rules, in byte order.
  private(set) var ruleFiles: [String] = []
  /// The files with tests, in byte order.
  private(set) var testFiles: [String] = []
  /// The files with the plan, in byte order.
  private(set) var planFiles: [String] = []
  /// All files with rules, tests or the plan, in this order.
  var allFiles: [String] { ruleFiles + testFiles + planFiles }
  private var files: Set<UTF8String> = []
  /// The rules, if they have no problem.
  private(set) var rules: SourcedRuleSet?
  /// The last rules that had no problem.
  private(set) var lastRules = RuleSet()
  /// The problems that keep the rules from being loaded.
  private(set) var problems: [Diagnostic] = []
  /// The findings about the rules.
  private(set) var findings: [Finding] = []
  /// The problems of the tests and of the plan.
  private(set) var companionProblems: [Diagnostic] = []
  /// A counter of changes: of the rules, and of the captures and files with which they are checked.
  private(set) var generation = 0 { didSet { matchCounts = nil } }
  /// The number of captured elements that each rule matches; nil until they are counted.
  var matchCounts: [UTF8String: Int]?

  /// Whether files may have been added or removed.
  var needsListing = true
  /// Whether a text has changed since the rules were loaded.
  var needsLoad = true
  /// Whether rules or captures have changed since the rules were checked.
  var needsCheck = false

  /// - Parameter takesAll: Whether all files in `roots` are rules, rather than only the files that look like rules.
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

  /// Returns whether a file is part of the project.
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
    planFiles = []
    for path in paths.sorted() where RuleDirectory.stem(of: path.text) != nil && !Self.isProjectFile(path.text) {
      let kind = RuleDirectory.Companion(ofFile: path.text)
      if kind == .coverage { continue }
      if open[path] == nil, bytes <= Self.maximumSearch {
        let state = FileStamp(path.text)
        let file = disk[path].flatMap { $0.state == state ? $0 : nil } ?? Self.read(path.text, state)
        bytes += file.text?.utf8.count ?? 0
        current[path] = file
      }
      if open[path] == nil, !takesAll, current[path]?.isForeign == true { continue }
      guard let text = open[path]?.text.text ?? current[path]?.text else {
        // An unreadable file is reported only if all files of the project are rules.
        if takesAll, kind == nil { ruleFiles.append(path.text) }
        continue
      }
      // An open document stays a rule file even if a mistake makes it look like another kind of file.
      guard
        takesAll || open[path] != nil && known.contains(path)
          || (kind == .plan ? RuleFileText.looksLikePlan(text) : RuleFileText.looksLikeRules(text))
      else {
        if let file = current[path] { current[path] = DiskFile(state: file.state, text: nil, isForeign: true) }
        continue
      }
      switch kind {
      case .tests: testFiles.append(path.text)
      case .plan: planFiles.append(path.text)
      default: ruleFiles.append(path.text)
      }
    }
    files = Set(allFiles.map { UTF8String($0) })
    disk = current
  }

  /// Returns whether a file holds defaults of options. Such files share some keys with rule files.
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

  /// Returns the text of a file: of the open document, else from disk.
  func text(of path: String, _ open: [UTF8String: OpenDocument]) -> String? {
    open[UTF8String(path)]?.text.whole ?? disk[UTF8String(path)]?.text
  }

  /// Returns the texts of files of the project, without those that cannot be read.
  func texts(of paths: [String], _ open: [UTF8String: OpenDocument]) -> [(name: String, text: String)] {
    paths.compactMap { path in text(of: path, open).map { (path, $0) } }
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
      companionProblems = []
      needsCheck = false
    }
  }

  /// Stores the result of a check.
  func accept(_ findings: [Finding], _ companionProblems: [Diagnostic]) {
    self.findings = findings
    self.companionProblems = companionProblems
  }

  /// Requests a new check, because the captures or files that the rules are checked with have changed.
  func checkAgain() {
    generation += 1
    needsCheck = rules != nil
  }
}

/// Recognises the kind of a file by its text alone.
enum RuleFileText {
  /// Returns whether a text looks like rules or their tests. It must have one of their keys besides `version`, and either
  /// `version` or no other keys. Of these keys, a `package.json` has only `version` and a playbook none, so neither looks like
  /// rules.
  ///
  /// - Complexity: O(length).
  static func looksLikeRules(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let keys = topLevelKeys(bytes)
    func isAmong(_ words: [String], _ key: String) -> Bool { words.contains { $0.utf8.elementsEqual(key.utf8) } }
    let own = keys.filter { isAmong(RuleFileKeys.file + RuleTestKeys.file, $0) }
    // The keys filtered out here are not enough, because other tools use them: linters have rules, services have checks.
    let distinctive = own.filter { !isAmong(["version", "$schema", "rules", "checks"], $0) }
    let hasVersion = isAmong(own, "version")
    if hasVersion, hasOtherVersion(bytes) { return false }
    if distinctive.isEmpty {
      guard isAmong(own, "rules") else { return false }
      return hasVersion || own.count == keys.count && (hasClauses(text) || !hasOtherKeys(bytes))
    }
    return own.count == keys.count || hasVersion
  }

  /// Returns whether a text looks like a plan. It must have events, and either `version` or no other keys. A `plan.yaml` of
  /// another tool does not.
  ///
  /// - Complexity: O(length).
  static func looksLikePlan(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let keys = topLevelKeys(bytes).map { UTF8String($0) }
    guard keys.contains("events"), !hasOtherVersion(bytes) else { return false }
    return keys.contains("version") || keys.allSatisfy { key in PlanKeys.file.contains { UTF8String($0) == key } }
  }

  /// Returns whether `version` is something other than 1, as in a package or in a file of another tool.
  private static func hasOtherVersion(_ bytes: [UInt8]) -> Bool {
    if bytes.first(where: { !isWhiteSpace($0) }) == UInt8(ascii: "{") {
      guard case .object(let object)? = try? EventValue(json: bytes) else { return false }
      switch object["version"] {
      case .number(let number)?: return number != 1
      case .string(let text)?: return text != "1"
      default: return false
      }
    }
    for line in bytes.split(separator: 0x0A) {
      guard
        let start = ["version", "\"version\"", "'version'"].first(where: { word in
          line.starts(with: word.utf8) && line.dropFirst(word.utf8.count).first { $0 != 0x20 } == UInt8(ascii: ":")
        })
      else { continue }
      let value = line.dropFirst(start.utf8.count).drop { [0x20, UInt8(ascii: ":")].contains($0) }
      let word = value.prefix { ![0x20, 0x0D, UInt8(ascii: "#"), UInt8(ascii: ",")].contains($0) }
      // An unfinished version may become 1.
      return word.contains(UInt8(ascii: ".")) || word.count > 1 && word.allSatisfy(isDigit)
    }
    return false
  }

  /// Returns whether a rule seems to have clauses, judging by the words in it.
  private static func hasClauses(_ text: String) -> Bool {
    ["include:", "exclude:", "\"include\"", "\"exclude\""].contains { text.contains($0) }
  }

  /// Returns whether a line after the first has a key that no rule has.
  private static func hasOtherKeys(_ bytes: [UInt8]) -> Bool {
    let words = RuleFileKeys.rule + RuleFileKeys.clause
    let lines = bytes.split { $0 == 0x0A || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "{") }
    return lines.dropFirst().prefix(200).contains { line in
      let start = line.drop { [0x20, 0x0D, UInt8(ascii: "-"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0) }
      let key = start.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      guard !key.isEmpty, key.count < start.count, key.first != UInt8(ascii: "#"),
        start.dropFirst(key.count).contains(UInt8(ascii: ":"))
      else { return false }
      let word = String(decoding: key, as: UTF8.self)
      return word != "rules" && !words.contains { $0.utf8.elementsEqual(word.utf8) }
    }
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
