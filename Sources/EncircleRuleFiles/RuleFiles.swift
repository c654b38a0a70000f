import EncircleInput
import EncircleRules
import EncircleText

/// Files with rules, read but not yet understood; compiled rules are among them where a file begins like those.
public struct RuleFiles: Sendable {
  private enum Content {
    case text(String)
    case compiled([UInt8])
  }

  private var files: [(name: String, content: Content)] = []
  private var problems: [Diagnostic] = []
  private var isMissing = false

  /// The files that could be read, in the order in which they were named, those of a directory in byte order.
  public var names: [String] { files.map(\.name) }

  /// Those of them that are compiled rules, perhaps damaged ones.
  public var compiled: [(name: String, bytes: [UInt8])] {
    files.compactMap { file in
      if case .compiled(let bytes) = file.content { (file.name, bytes) } else { nil }
    }
  }

  /// Reads files, and the `*.yaml`, `*.yml` and `*.json` files of directories; what cannot be read, ``ruleSet()`` tells.
  public init(_ paths: [String]) {
    for path in paths {
      guard let names = RuleDirectory.files(path) else {
        problems.append(Diagnostic("no such file or directory", file: path))
        isMissing = true
        continue
      }
      if names.isEmpty {
        problems.append(Diagnostic("the directory has no rule files (*.yaml, *.yml, *.json)", file: path))
        isMissing = true
      }
      for name in names { read(name) }
    }
  }

  private mutating func read(_ name: String) {
    do throws(InputError) {
      var source = try ByteSource(path: name)
      let bytes = try source.readAll(limit: RuleFileLoader.maximumFileSize)
      if CompiledRules.isBeginning(of: bytes) {
        files.append((name, .compiled(bytes)))
      } else if let text = String(validating: bytes, as: UTF8.self) {
        files.append((name, .text(text)))
      } else {
        problems.append(Diagnostic("the text is not valid UTF-8", file: name))
      }
    } catch {
      problems.append(Diagnostic("\(error)", file: name))
      if error == .noSuchFile { isMissing = true }
    }
  }

  /// The files as one rule set.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem of every file; compiled rules are one.
  public func ruleSet() throws(RuleFileErrors) -> RuleSet { try build(keepsSources: false).finish() }

  /// The files as one rule set, with the places of the rules.
  ///
  /// - Throws: As ``ruleSet()``.
  public func ruleSetWithSources() throws(RuleFileErrors) -> SourcedRuleSet {
    try build(keepsSources: true).finishWithSources()
  }

  private func build(keepsSources: Bool) throws(RuleFileErrors) -> RuleSetBuilder {
    var problems = problems
    var builder = RuleSetBuilder()
    for file in files {
      switch file.content {
      case .text(let text): builder.add(RuleFileReader.read(text, name: file.name, keepsSources: keepsSources))
      case .compiled:
        problems.append(
          Diagnostic("compiled rules only decide events: this needs the rules themselves", file: file.name))
      }
    }
    let all = problems + builder.diagnostics
    guard all.isEmpty else {
      let onlyMissing = isMissing && builder.diagnostics.isEmpty && compiled.isEmpty
      throw RuleFileErrors(all, isMissingInput: onlyMissing)
    }
    return builder
  }
}
