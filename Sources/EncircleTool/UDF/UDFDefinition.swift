import EncircleColumns
import EncircleText

/// The definition of the function for ClickHouse's `user_defined_executable_functions_config`.
///
/// https://clickhouse.com/docs/sql-reference/functions/udf
struct UDFDefinition {
  let name: String
  let rules: String
  /// The captures and the dictionary from which the function knows elements.
  let captures: [String]
  let dictionary: String?
  /// The options with which the captures are read.
  let captureFormats: InputFormatOptions
  let format: RowFormat
  let columns: [EventColumn]
  let versions: Int

  /// A name with the version of Encircle, so that the function of a new version can exist beside the old one until all queries
  /// and views use it.
  static var defaultName: String { "encircle_decide_" + version.replacingBytes(of: ".", with: "_") }

  private static let version = LibraryVersion.text.description

  /// Returns whether a text is a valid name of a function in ClickHouse without quotes.
  static func isName(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    return isWord && !(text.utf8.first.map { $0 <= UInt8(ascii: "9") } ?? true)
  }

  /// The definition.
  var xml: String {
    let arguments = (["rules_version"] + columns.map(\.name)).enumerated().map { number, argument in
      """
          <argument>
            <name>\(argument)</name>
            <type>\(number == 0 ? "String" : Self.type(of: columns[number - 1]))</type>
          </argument>

      """
    }
    return """
      <functions>
        <function>
          <type>executable_pool</type>
          <name>\(name)</name>
      \(arguments.joined())    <return_name>result</return_name>
          <return_type>\(Self.returnType)</return_type>
          <format>\(format.rawValue)</format>
          <execute_direct>1</execute_direct>
          <command>\(XMLText.escaped(words.joined(separator: " "), isAttribute: false))</command>
          <pool_size>16</pool_size>
          <deterministic>true</deterministic>
        </function>
      </functions>

      """
  }

  /// The words of the command. The program is in a folder named by its version, beside ClickHouse's other scripts.
  var words: [String] {
    var words = ["encircle-\(Self.version)/encircle", "udf", "--rules", rules, "--format", format.rawValue]
    for path in captures { words += ["--captures", path] }
    if let dictionary { words += ["--dictionary", dictionary] }
    words += captureFormats.words
    if columns != EventColumn.defaults { words += ["--columns", columns.map(\.name).joined(separator: ",")] }
    if versions != RowTransformer.defaultVersionCapacity { words += ["--versions", String(versions)] }
    return words
  }

  private static func type(of column: EventColumn) -> String {
    switch column {
    case .event, .propertiesJSON: "String"
    case .properties: "Map(String, String)"
    case .field: "Nullable(String)"
    }
  }

  private static let returnType =
    "Tuple(rules Array(String), emit Array(String), excluded_by Array(String), pages Array(String), selected UInt8, "
    + "rules_version String, error String)"
}
