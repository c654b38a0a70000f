import EncircleEvents
import EncircleText

/// The last import. It lets the next import distinguish changes in the tool from changes in the rule files. The file
/// `x.imported.ndjson` beside the rules has a line for each rule.
public struct ImportState: Sendable {
  /// The rules as they were written last, by id.
  package private(set) var rules: [UTF8String: EventObject] = [:]

  public init() {}

  /// Returns the name of the file for a tool.
  public static func fileName(_ tool: ImportTool) -> String { "\(tool.rawValue).imported.ndjson" }

  /// Reads a file.
  ///
  /// - Throws: A `DefinitionImport.Failure` for the first invalid line.
  public init(_ text: String, name: String) throws(DefinitionImport.Failure) {
    var offset = 0
    for line in text.splitBytes(at: "\n", omittingEmptySubsequences: false) {
      defer { offset += line.utf8.count + 1 }
      guard !line.isEmpty else { continue }
      guard case .object(let record)? = try? EventValue(json: line.utf8), case .object(let rule)? = record["rule"],
        let id = DefinitionNode(.object(rule))["id"]?.text
      else {
        throw DefinitionImport.Failure(
          diagnostic: Diagnostic("expected a line with a rule that was imported", file: name, offset: offset, in: text))
      }
      rules[UTF8String(id)] = rule
    }
  }

  /// The file: lines in the order of ids.
  public var text: String {
    let lines = rules.sorted { $0.key < $1.key }.concurrentMap { _, rule in
      EventValue.object(["rule": .object(rule)]).json + [UInt8(ascii: "\n")]
    }
    return String(decoding: lines.joined(), as: UTF8.self)
  }

  /// Returns the state without some rules, which are then treated as new.
  package func forgetting(_ ids: some Sequence<UTF8String>) -> ImportState {
    var state = self
    for id in ids { state.rules[id] = nil }
    return state
  }

  mutating func set(_ rule: EventObject?, id: UTF8String) { rules[id] = rule }
}
