import EncircleColumns
import EncircleRuleFiles
import EncircleRules
import Foundation
import Testing

/// A folder with compiled rules.
struct VersionsFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")

  static let rules = """
    version: 1
    pages: { exclude: [DebugViewController] }
    rules:
      - id: cart.quantity
        include: { page: CartViewController, selector: "CartRowCell(section:0 row:*)/**/_UIStepperButton" }
        emit: quantity
      - id: checkout
        include: { event: $AppClick, where: { $element_content: "去结算 '1'" } }
      - id: internal
        exclude: { where: { tester: "yes" } }
      - id: old
        include: { where: { $app_version: { version: "<5" } } }

    """

  init(_ versions: [String: String] = ["v1": rules]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, rules) in versions { try write(name, try Self.compiled(rules)) }
  }

  static func matcher(_ rules: String) throws -> Matcher {
    Matcher(try RuleFiles(text: rules).ruleSet())
  }

  static func compiled(_ rules: String) throws -> [UInt8] { try matcher(rules).compiled() }

  func write(_ version: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: url.appendingPathComponent(version + ".rules"))
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  /// The answers to rows that arrive in pieces.
  func answers(
    _ format: RowFormat, _ columns: [EventColumn], _ bytes: [UInt8], pieces: Int = 1 << 16,
    lengthLimit: Int = RowTransformer.defaultLengthLimit
  ) throws -> [TestAnswer] {
    var rows = RowTransformer(format, columns, rules: url.path, lengthLimit: lengthLimit)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try bytes[start..<min(start + pieces, bytes.count)].withUnsafeBufferPointer { try rows.append($0) }
    }
    try rows.finish()
    return try #require(TestAnswer.read(rows.output, format), "the output is not in \(format.rawValue)")
  }
}
