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
    /// This is true if the file holds neither rules nor tests nor a plan. Its text is then not kept.
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
  /// This is true if the project reads all files in ``roots`` as rules. Other projects only read files that look like rules.
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

  /// This is true if files may have been added or removed.
  var needsListing = true
  /// This is true if a text has changed since the rules were loaded.
  var needsLoad = true
  /// This is true if rules or captures have changed since the rules were checked.
  var needsCheck = false

  /// - Parameter takesAll: True if all files in `roots` are rules, rather than only the files that look like rules.
  init(_ number: Int, roots: [String], takesAll: Bool) {
    self.number = number
    self.roots = roots
    self.takesAll = takesAll
  }

  /// Returns whether a file may belong to the project.
  func covers(_ path: String) -> Bool {
    roots.contains { FileList.isWithin(path, $0) || RuleDirectory.isCompanion(path, of: $0) }
  }

  /// Returns the tests and the plan beside a root that is a file.
  private static func companions(of root: String) -> [String] {
    guard RuleDirectory.stem(of: root) != nil else { return [] }
    return RuleDirectory.companions(.tests, of: root) + RuleDirectory.companions(.plan, of: root)
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
    var paths = Set(roots.flatMap { FileList.files($0) + Self.companions(of: $0) }.map { UTF8String($0) })
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
  static func isProjectFile(_ path: String) -> Bool {
    FilePath.name(of: path).hasSameBytes(as: RuleDirectory.projectFileName)
  }

  private static func read(_ path: String, _ state: FileStamp?) -> DiskFile {
    DiskFile(state: state, text: try? RuleDirectory.text(of: path, limit: maximumFileSize))
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
