import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Reads the words of tables, in all sets of headers.
enum PlanVocabulary {
  /// Returns a word in lower case without spaces around it, as words of tables are compared.
  static func key(_ text: String) -> UTF8String { UTF8String(trimmed(text).lowercased()) }

  /// Returns a text without white space at its ends.
  static func trimmed(_ text: String) -> String {
    var bytes = Substring(text).utf8
    while let first = bytes.first, isWhiteSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isWhiteSpace(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }

  private static func table<Word>(_ words: [Word], _ word: (PlanHeaders, Word) -> String) -> [UTF8String: Word] {
    let pairs = PlanHeaders.allCases.flatMap { set in words.map { (key(word(set, $0)), $0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  static let objectTypes: [UTF8String: Bool] = table([false, true]) { $0.word($1) }.merging(["eventproperty": true]) {
    $1
  }
  static let platforms: [UTF8String: PlannedEvent.Platform] = table(PlannedEvent.Platform.allCases) { $0.word($1) }
    .merging([
      "小程序端": .miniProgram, "微信小程序": .miniProgram, "miniprogram": .miniProgram, "mini program": .miniProgram,
      "h5": .web, "网页": .web, "服务器": .server, "后端": .server, "backend": .server, "安卓": .android,
    ]) { $1 }
  static let tracking: [UTF8String: PlannedEvent.Tracking] = table(PlannedEvent.Tracking.allCases) { $0.word($1) }
    .merging(["代码埋点": .code, "可视化全埋点": .circled, "可视化埋点": .circled]) { $1 }
  static let statuses: [UTF8String: PlanReport.Status] = table(PlanReport.Status.allCases) { $0.word($1) }
  /// The words of other tools in the column of the status that state none: in Amplitude whether an event makes its user an active
  /// one, in Sensors whether it is shown.
  static let noStatuses: Set<UTF8String> = ["active", "inactive", "显示", "隐藏"]
  static let types: [UTF8String: PlannedProperty.ValueType] = table(PlannedProperty.ValueType.allCases) {
    $0.word($1, isList: false)
  }
  .merging([
    "integer": .number, "int": .number, "long": .number, "float": .number, "double": .number, "数字": .number,
    "整数": .number, "整型": .number, "小数": .number, "浮点": .number, "浮点型": .number, "数值型": .number,
    "bool": .boolean, "布尔值": .boolean, "布尔型": .boolean, "date": .datetime, "timestamp": .datetime, "日期": .datetime,
    "时间戳": .datetime, "text": .string, "文本": .string, "字符": .string, "字符型": .string,
    // Types of Amplitude: one of the values, or the value in a column of its own.
    "enum": .any, "const": .any, "枚举": .any,
  ]) {
    $1
  }
  static let lists: Set<UTF8String> = ["array", "list", "列表", "数组"]
  static let flags: [UTF8String: Bool] = table([false, true]) { $0.word(required: $1) }
    .merging([
      "yes": true, "no": false, "1": true, "0": false, "y": true, "n": false, "必填": true, "必传": true, "选填": false,
      "非必填": false, "非必传": false,
    ]) { $1 }

  /// Returns the parts of a list in a cell, between commas, semicolons and line breaks.
  static func list(_ text: String) -> [String] {
    text.unicodeScalars.split { ",，、;；\n\r".unicodeScalars.contains($0) }.map { trimmed(String($0)) }.filter {
      !$0.isEmpty
    }
  }

  /// Returns values as a cell has them: separated by commas, in quotes where they would be read as something else.
  static func cell(_ values: [Scalar]) -> String { values.map(written).joined(separator: ", ") }

  /// Returns texts as a cell has them: separated by commas, in quotes where they would be read as something else.
  static func cell(_ texts: [String]) -> String {
    texts.map { isPlain($0) ? $0 : quoted($0) }.joined(separator: ", ")
  }

  private static func written(_ value: Scalar) -> String {
    guard case .string(let string) = value else { return value.description }
    return isPlain(string.text) && plain(string.text) == value ? string.text : quoted(string.text)
  }

  /// Returns whether a text can be in a list without quotes.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && trimmed(text).hasSameBytes(as: text) && text.utf8.first != UInt8(ascii: "\"")
      && !text.unicodeScalars.contains { ",，、;；\n\r".unicodeScalars.contains($0) }
  }

  private static func quoted(_ text: String) -> String { String(decoding: EventValue.string(text).json, as: UTF8.self) }

  /// Returns the values in a cell; nil where a quote has no end.
  ///
  /// - Complexity: O(length).
  static func values(_ cell: String) -> [Scalar]? {
    parts(cell)?.map { $0.isQuoted ? .string(UTF8String($0.text)) : plain($0.text) }
  }

  /// Returns the texts in a cell; nil where a quote has no end.
  static func texts(_ cell: String) -> [String]? { parts(cell)?.map { $0.text }.filter { !$0.isEmpty } }

  private static func parts(_ cell: String) -> [(text: String, isQuoted: Bool)]? {
    let scalars = Array(cell.unicodeScalars)
    var parts: [(text: String, isQuoted: Bool)] = []
    var i = 0
    while i < scalars.count {
      // Only white space of ASCII may stand around a text without quotes: any other is part of it.
      if scalars[i].isASCII && isWhiteSpace(UInt8(scalars[i].value)) || ",，、;；".unicodeScalars.contains(scalars[i]) {
        i += 1
      } else if scalars[i] == "\"" {
        var end = i + 1
        while end < scalars.count, scalars[end] != "\"" { end += scalars[end] == "\\" ? 2 : 1 }
        guard end < scalars.count else { return nil }
        let quoted = String(String.UnicodeScalarView(scalars[i...end]))
        guard case .string(let text)? = try? EventValue(json: quoted.utf8) else { return nil }
        parts.append((text, true))
        i = end + 1
      } else {
        let start = i
        while i < scalars.count, !",，、;；\n\r".unicodeScalars.contains(scalars[i]) { i += 1 }
        parts.append((trimmed(String(String.UnicodeScalarView(scalars[start..<i]))), false))
      }
    }
    return parts
  }

  /// Returns the value of a word without quotes.
  private static func plain(_ text: String) -> Scalar {
    switch text {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: DecimalNumber(text).map { .number($0) } ?? .string(UTF8String(text))
    }
  }
}
