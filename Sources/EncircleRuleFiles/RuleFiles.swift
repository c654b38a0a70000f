import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRules
import EncircleText

/// Files with rules, or rules in a text: the way to a `RuleSet`.
///
/// ```swift
/// let ruleSet = try RuleFiles(["Rules"]).ruleSet()
/// let matcher = Matcher(ruleSet)
/// ```
/// A rule set is never loaded in part: either no file has a problem, or all problems of all files are thrown together. Files that
/// begin like compiled rules are left as they are; see ``compiled``.
public struct RuleFiles: Sendable {
  private enum Content {
    case text(String)
    case document(RuleFileDocument)
    case values(Node)
    case compiled(Result<CompiledRules, CompiledRulesError>)

    var text: String? {
      switch self {
      case .text(let text): text
      case .document(let document): document.text
      case .values, .compiled: nil
      }
    }
  }

  /// The largest rule file, in bytes.
  public static let maximumFileSize = 1 << 30

  private var files: [(name: String, content: Content)] = []
  private var problems: [Diagnostic] = []
  private var isMissing = false

  /// The name of standard input, which is `-` among the paths.
  package static let standardInputName = "<stdin>"

  /// The files that could be read, in the order given; files of a directory in byte order.
  public var names: [String] { files.map(\.name) }

  /// The files with compiled rules, with the rules or the reason why they cannot be used.
  public var compiled: [(name: String, rules: Result<CompiledRules, CompiledRulesError>)] {
    files.compactMap { file in
      if case .compiled(let rules) = file.content { (file.name, rules) } else { nil }
    }
  }

  #if FILES
    /// Reads files, and the `*.yaml`, `*.yml` and `*.json` files of directories. Throws nothing: ``ruleSet()`` reports unreadable files
    /// together with the problems of the others.
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
        for name in names {
          // A pipe found in a directory is skipped, because nobody may ever write to it. A pipe that is named explicitly is read.
          if name != path, let problem = RuleDirectory.problem(ofFound: name) {
            problems.append(Diagnostic(problem, file: name))
          } else {
            read(name)
          }
        }
      }
    }
  #endif

  /// Creates the files from one text.
  ///
  /// - Parameter name: The file name that errors and the origins of rules have.
  public init(text: String, name: String = "<rules>") { files = [(name, .text(text))] }

  /// Creates files of several texts.
  package init(texts: [(name: String, text: String)]) { files = texts.map { ($0.name, .text($0.text)) } }

  /// Creates files of texts that have been read.
  package init(documents: [RuleFileDocument]) { files = documents.map { ($0.name, .document($0)) } }

  /// Creates files from values, without definitions. In problems, the line is the number of the rule, from 1.
  package init(values: [(name: String, header: EventObject, rules: [EventObject])]) {
    for (name, header, rules) in values {
      let nodes = ([(1, header)] + rules.enumerated().map { ($0 + 1, $1) }).concurrentMap { line, object in
        var repeated: String?
        let place = SourceLocation(line: line, column: 1)
        return (node: Node(.object(object), at: place, repeated: &repeated), repeated: repeated)
      }
      for case (let node, let repeated?) in nodes {
        var diagnostic = Diagnostic(JSONDocument.repeatedName(repeated), file: name)
        diagnostic.location = node.location
        problems.append(diagnostic)
      }
      let head = nodes[0].node
      let list = Node(content: .sequence(nodes.dropFirst().map(\.node)), tag: "", location: head.location)
      let members = (head.mapping ?? []) + [(Node(scalar: "rules", at: head.location), list)]
      files.append((name, .values(Node(content: .mapping(members), tag: "", location: head.location))))
    }
  }

  #if FILES
    private mutating func read(_ path: String) {
      let name = path == "-" ? Self.standardInputName : path
      do {
        var source = try ByteSource(path: path)
        var beginning: [UInt8] = []
        try source.fill(&beginning, upTo: CompiledRules.beginningLength)
        if CompiledRules.isBeginning(of: beginning) {
          files.append((name, .compiled(try Self.compiled(beginning, &source))))
          return
        }
        let bytes = beginning + (try source.readAll(limit: Self.maximumFileSize - beginning.count))
        if let text = String(validating: bytes, as: UTF8.self) {
          files.append((name, .text(text)))
        } else {
          problems.append(Diagnostic(notUTF8: bytes, file: name))
        }
      } catch {
        problems.append(Diagnostic("\(error)", file: name))
        if case InputError.noSuchFile = error { isMissing = true }
      }
    }

    private static func compiled(
      _ beginning: [UInt8], _ source: inout ByteSource
    ) throws -> Result<CompiledRules, CompiledRulesError> {
      do {
        return .success(try CompiledRules(beginning: beginning, &source, limit: maximumFileSize))
      } catch let error as CompiledRulesError {
        return .failure(error)
      }
    }
  #endif

  /// A digest of the texts of the files, whatever the files are called; nil if no file has a text. It is the same in every process,
  /// unlike one of the rules when they are compiled, as these have random keys then.
  package var digest: String? {
    let texts = files.compactMap { $0.content.text }
    // No text in UTF-8 has this byte, which separates them.
    return texts.isEmpty ? nil : Self.digest(of: texts.flatMap { Array($0.utf8) + [0xFF] })
  }

  /// Returns a digest of bytes as a short text.
  package static func digest(of bytes: [UInt8]) -> String {
    String(bytes.withUnsafeBytes { EventID(identity: $0) }.description.prefix(16))
  }

  /// Returns the text of a file as it was read; nil if no file has the name, or if it holds compiled rules.
  package func text(of name: String) -> String? {
    for file in files where file.name.hasSameBytes(as: name) {
      if let text = file.content.text { return text }
    }
    return nil
  }

  /// Returns these files with other texts for some of them, so that a caller can check whether they would load. No file is
  /// written.
  package func replacing(_ texts: [UTF8String: String]) -> RuleFiles {
    var result = self
    for i in result.files.indices {
      if let text = texts[UTF8String(result.files[i].name)] { result.files[i].content = .text(text) }
    }
    return result
  }

  /// Returns these files with a parsed document in place of the file that has its name. No file is written.
  ///
  /// - Parameter document: A document that keeps its nodes.
  package func replacing(_ document: RuleFileDocument) -> RuleFiles {
    var result = self
    for i in result.files.indices where result.files[i].name.hasSameBytes(as: document.name) {
      result.files[i].content = .document(document)
    }
    return result
  }

  /// Returns the files as one rule set.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem of every file; compiled rules are one.
  public func ruleSet() throws(RuleFileErrors) -> RuleSet { try build(keepsSources: false).finish() }

  /// Returns the files as one rule set, with another limit for its regular expressions.
  ///
  /// - Parameter expressionLimit: The maximum number of instructions that all of them together may have when compiled.
  /// - Throws: As ``ruleSet()``.
  package func ruleSet(expressionLimit: Int) throws(RuleFileErrors) -> RuleSet {
    try build(keepsSources: false, expressionLimit: expressionLimit).finish()
  }

  /// Returns the files as one rule set, with the places of the rules.
  ///
  /// - Throws: As ``ruleSet()``.
  public func ruleSetWithSources() throws(RuleFileErrors) -> SourcedRuleSet {
    try build(keepsSources: true).finishWithSources()
  }

  private func build(
    keepsSources: Bool, expressionLimit: Int = ExpressionBudget.limit
  ) throws(RuleFileErrors) -> RuleSetBuilder {
    var builder = RuleSetBuilder(problems)
    var expressions = ExpressionBudget(limit: expressionLimit)
    let texts = files.compactMap { file in file.content.text.map { (name: file.name, text: $0) } }
    let definitions = Definitions(of: texts, &expressions)
    builder.add(definitions)
    for file in files {
      switch file.content {
      case .text(let text):
        builder.add(RuleFileReader.read(text, name: file.name, keepsSources: keepsSources, definitions, &expressions))
      case .document(let document):
        builder.add(RuleFileReader.read(document, keepsSources: keepsSources, definitions, &expressions))
      case .values(let root): builder.add(RuleFileReader.read(root, name: file.name, &expressions))
      case .compiled:
        builder.report("compiled rules only decide events: this needs the rules themselves", file: file.name)
      }
    }
    builder.checkTogether()
    guard builder.diagnostics.isEmpty else {
      let onlyMissing = isMissing && builder.diagnostics.count == problems.count
      throw RuleFileErrors(builder.diagnostics, isMissingInput: onlyMissing)
    }
    return builder
  }
}
