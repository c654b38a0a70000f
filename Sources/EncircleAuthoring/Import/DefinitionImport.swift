import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// Reads definitions of other tools, and makes rules of them.
///
/// ```swift
/// var reading = DefinitionImport()
/// try reading.add(bytes, name: "actions.json")
/// for definition in reading.finish() { print(definition.ruleID, definition.grade(definition.form(nil))) }
/// ```
public struct DefinitionImport {
  /// The reason why a file cannot be read.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    public let diagnostic: Diagnostic

    public var description: String { diagnostic.description }
  }

  /// The forms of rules to load, in order to find the ones that rule files refuse.
  public enum Loading: Sendable {
    /// All forms, as a comparison needs them.
    case all
    /// The form of each definition that is written: this kind if the definition has it, otherwise the most certain
    /// form.
    case written(ImportedForm.Kind?)
  }

  /// The largest file, in bytes.
  public static let maximumFileSize = 1 << 28
  /// The maximum number of definitions of all files together.
  public static let maximumDefinitions = 200_000

  /// This is true if a condition that rules cannot express may be left out, so that the rule takes more.
  private let allowsWider: Bool
  private var tool: ImportTool?
  private var definitions: [ImportedDefinition] = []
  private var pages = PendoPages()
  private var features: [PendoFeature] = []
  private var apps: [UTF8String: String] = [:]
  /// The number of definitions in the tool, according to its answer, which may have several pages; nil if the answer does not
  /// have it.
  public private(set) var announced: Int?

  /// The number of definitions so far.
  public var count: Int { definitions.count + features.count }

  /// - Parameters:
  ///   - tool: The tool that all files come from; nil to detect it from the first file.
  ///   - allowsWider: True if a condition that rules cannot express may be left out, so that the rule takes more.
  public init(_ tool: ImportTool? = nil, allowsWider: Bool = false) {
    self.tool = tool
    self.allowsWider = allowsWider
  }

  /// Reads a file.
  ///
  /// - Throws: A ``Failure`` if the file is not JSON, comes from no known tool or from another tool than the files before, or if
  ///   there are too many definitions.
  /// - Complexity: O(*n*), *n* bytes.
  public mutating func add(_ bytes: [UInt8], name: String) throws(Failure) {
    func failure(_ message: String) -> Failure { Failure(diagnostic: Diagnostic(message, file: name)) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw failure("the file is text in UTF-16: save it as UTF-8")
    }
    let bytes = bytes.withoutByteOrderMark
    let value: EventValue
    do throws(JSONError) { value = try EventValue(json: bytes) } catch {
      if error.offset == 0, !bytes.isEmpty {
        throw failure("the file is not JSON, as definitions are; a table is imported into the plan")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      throw Failure(diagnostic: Diagnostic(error.kind.message, file: name, offset: error.offset, in: text))
    }
    let found = ImportTool.detected(in: value)
    guard let tool = tool ?? found else {
      let tools = ImportTool.allCases.map(\.title).joined(separator: ", ")
      throw failure("the tool that wrote the file is not recognized: specify one of \(tools)")
    }
    if let found, found != tool {
      throw failure("the file comes from \(found.title), not from \(tool.title): each tool is imported by itself")
    }
    self.tool = tool
    let root = DefinitionNode(value)
    if let expected = tool.expectation(of: root) {
      throw failure("the file does not come from \(tool.title): expected \(expected)")
    }
    if tool == .sensors, let problem = checkApp(of: root) { throw failure(problem) }
    read(root, of: tool, file: name)
    announced = [announced, root["results"]?.isList ?? false ? root["count"]?.count : nil].compactMap { $0 }.max()
    if count > Self.maximumDefinitions {
      throw failure("there are more than \(Self.maximumDefinitions) definitions")
    }
  }

  private mutating func read(_ root: DefinitionNode, of tool: ImportTool, file: String) {
    switch tool {
    case .sensors: definitions += SensorsConfiguration(root, file: file).definitions()
    case .posthog:
      let reader = PostHogActions(file: file, allowsWider: allowsWider)
      definitions += ImportTool.definitions(of: root).items.concurrentMap { reader.definition($0) }
    case .growingio:
      let reader = GrowingIODefinitions(file: file)
      definitions += ImportTool.definitions(of: root).items.concurrentMap { reader.definition($0) }
    case .pendo:
      for item in ImportTool.definitions(of: root).items {
        if PendoFeature.isFeature(item) {
          features.append(PendoFeature(item, file: file))
        } else {
          definitions.append(pages.definition(item, file: file))
        }
      }
    }
  }

  /// Checks that all configurations of a system are for one app: rules of another app would wrongly count for it.
  private mutating func checkApp(of root: DefinitionNode) -> String? {
    guard let app = root["app_id"]?.words else { return nil }
    let system = UTF8String(root["os"]?.words ?? "")
    if let known = apps[system], !known.hasSameBytes(as: app) {
      return
        "the file is for the app '\(app)', the file before for '\(known)': each app is imported into a folder of its own"
    }
    apps[system] = app
    return nil
  }

  /// Returns the definitions, in the order of the files.
  ///
  /// - Complexity: O(*n*), *n* definitions.
  public consuming func finish(_ loading: Loading = .all) -> [ImportedDefinition] {
    let (pages, allowsWider) = (pages, allowsWider)
    var all = definitions + features.concurrentMap { $0.definition(pages: pages, allowsWider: allowsWider) }
    var ids: [UTF8String: Int] = [:]
    var kept: [ImportedDefinition] = []
    for i in all.indices {
      all[i].checkName()
      if let first = ids[UTF8String(all[i].ruleID)], !all[i].origin.id.isEmpty {
        // The pages of an answer may overlap, so the same definition may come twice.
        if kept[first].isSame(as: all[i]) { continue }
        all[i].forms = []
        all[i].reasons.append(ImportReason(.nameTaken, .skipped, all[i].pointer, all[i].ruleID))
        kept.append(all[i])
        continue
      }
      ids[UTF8String(all[i].ruleID)] = kept.count
      kept.append(all[i])
    }
    ImportLoading.removeRefused(from: &kept, loading)
    Self.noteLookalikes(&kept)
    return kept
  }
}

extension DefinitionImport {
  /// Adds a remark to definitions that take the same events as earlier ones.
  private static func noteLookalikes(_ definitions: inout [ImportedDefinition]) {
    let keys = definitions.concurrentMap { definition in
      definition.form(nil).map {
        UTF8String(String(decoding: EventValue.list($0.clauses.map { .object($0) }).json, as: UTF8.self))
      }
    }
    var known: [UTF8String: String] = [:]
    for (i, key) in keys.enumerated() {
      guard let key else { continue }
      if let other = known[key] {
        definitions[i].reasons.append(ImportReason(.lookalike, .exact, definitions[i].pointer, other))
      } else {
        known[key] = definitions[i].ruleID
      }
    }
  }
}

extension ImportedDefinition {
  /// Checks the name, because events need a constant one. If the definition has none, the rule emits its id.
  fileprivate mutating func checkName() {
    guard name.isEmpty || EmitTemplate.isOne(name) else { return }
    reasons.append(ImportReason(.nameInvalid, .exact, pointer, name))
    if name.isEmpty { name = ruleID }
  }

  /// Returns whether two definitions with the same id are equal.
  fileprivate func isSame(as other: ImportedDefinition) -> Bool {
    name.hasSameBytes(as: other.name) && details == other.details
      && forms.map(\.clauses) == other.forms.map(\.clauses)
  }
}
