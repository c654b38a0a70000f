import ArgumentParser
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation

/// The defaults of options in `encircle.yaml`. The file is searched for in the working directory, or for the language server in
/// the workspace's folder, and then in each directory above:
///
/// ```yaml
/// rules: Rules
/// captures: [ViewTrees, Screens]
/// dictionary: encircle.dictionary
/// style: sensors
/// ```
/// Paths are relative to the directory of the file. An option on the command line overrides its default. In that directory, paths are
/// given as they are written, because CI systems show findings beside the files of relative paths; elsewhere, they are absolute.
struct ProjectDefaults {
  /// The name of the file.
  static let fileName = RuleDirectory.projectFileName
  private static let keys = ["rules", "captures", "dictionary", "style"]
  // More than any such file needs.
  private static let maximumBytes = 1 << 16

  /// The path of the file; nil if no file was found.
  private(set) var file: String?
  private var isInWorkingDirectory = false
  private(set) var rules: [String] = []
  private(set) var captures: [String] = []
  private(set) var dictionary: String?
  private(set) var style: PathStyleName?

  /// The reason why the file cannot be used.
  struct Problem: Error {
    /// All problems, one per line.
    let text: String
    let status: ExitStatus
  }

  /// Reads the defaults for the working directory. If the file has problems, prints all of them and throws an exit code.
  static func load() throws -> ProjectDefaults {
    do throws(Problem) {
      return try load(in: FileManager.default.currentDirectoryPath, isWorkingDirectory: true)
    } catch {
      printErrors(error.text)
      throw ExitCode(error.status.rawValue)
    }
  }

  /// Reads the defaults for a folder.
  static func load(in folder: String, isWorkingDirectory: Bool = false) throws(Problem) -> ProjectDefaults {
    guard let file = nearestFile(to: folder) else { return ProjectDefaults() }
    if let problem = RuleDirectory.problem(ofFound: file) {
      throw Problem(text: VisibleText.escaping("\(file): error: \(problem)"), status: .inputOutput)
    }
    let bytes: [UInt8]
    do throws(InputError) {
      var source = try ByteSource(path: file)
      bytes = try source.readAll(limit: maximumBytes)
    } catch {
      throw Problem(text: VisibleText.escaping("\(file): error: \(error)"), status: ExitStatus(error))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(text: Diagnostic(notUTF8: bytes, file: file).description, status: .badData)
    }
    var defaults = ProjectDefaults()
    defaults.file = file
    defaults.isInWorkingDirectory = isWorkingDirectory && FilePath.folder(of: file).hasSameBytes(as: folder)
    var reader = NodeReader(text, name: file)
    defaults.read(&reader)
    guard reader.diagnostics.isEmpty else {
      let lines = reader.diagnostics.kept.map { $0.description }
      throw Problem(text: lines.joined(separator: "\n"), status: .badData)
    }
    return defaults
  }

  /// Returns the file that applies to a folder; nil if there is none. A directory or a broken link of that name applies, too, because
  /// its author expects defaults: reading it reports the problem.
  static func nearestFile(to folder: String = FileManager.default.currentDirectoryPath) -> String? {
    // A removed working directory has no path, and the search upwards from it would never end.
    guard folder.beginsWithBytes(of: "/") else { return nil }
    var folder = folder
    while true {
      let file = FilePath.joining(folder, fileName)
      if (try? FileManager.default.attributesOfItem(atPath: file)) != nil { return file }
      let above = FilePath.folder(of: folder)
      if above.hasSameBytes(as: folder) { return nil }
      folder = above
    }
  }

  private mutating func read(_ reader: inout NodeReader) {
    guard let root = reader.root(), let members = reader.members(of: root, Self.fileName, allowed: Self.keys) else {
      return
    }
    if let node = members["rules"] { rules = paths(node, "rule files", &reader) }
    if let node = members["captures"] { captures = paths(node, "captures", &reader) }
    if let node = members["dictionary"], let name = reader.name(node, "a path") { dictionary = path(name.text) }
    if let node = members["style"], let name = reader.name(node, "the name of a path style") {
      style = PathStyleName(rawValue: name.text)
      let names = PathStyleName.allCases.map(\.rawValue)
      if style == nil {
        reader.reportUnknown(
          name.text, "path style '\(name)'", among: names, at: node, expected: NodeReader.list(names))
      }
    }
  }

  private func paths(_ node: Node, _ what: String, _ reader: inout NodeReader) -> [String] {
    var paths: [String] = []
    for item in reader.oneOrMore(node, what) {
      if let name = reader.name(item, "a path") { paths.append(path(name.text)) }
    }
    return paths
  }

  /// Converts a path in the file to a path that is valid in the working directory.
  private func path(_ written: String) -> String {
    guard !written.beginsWithBytes(of: "/"), let file else { return written }
    // On a command line, - is standard input.
    if isInWorkingDirectory, written != "-" { return written }
    return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(written).path
  }
}
