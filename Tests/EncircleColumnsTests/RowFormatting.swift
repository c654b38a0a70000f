import EncircleColumns
import Foundation

/// A row as tests write it: texts that may be missing, and a map.
struct TestRow {
  var version: String
  var values: [String?]
  var properties: [(name: String, value: String)] = []

  func bytes(_ format: RowFormat, _ columns: [EventColumn]) -> [UInt8] {
    switch format {
    case .rowBinary: binary(columns)
    case .tsvRaw: Array(([version] + values.map { $0 ?? "\\N" }).joined(separator: "\t").utf8) + [0x0A]
    case .jsonEachRow: json(columns)
    }
  }

  private func binary(_ columns: [EventColumn]) -> [UInt8] {
    var bytes = RowBinary.text(version)
    for (column, value) in zip(columns, values) {
      if column == .properties {
        bytes += RowBinary.number(properties.count)
        for pair in properties { bytes += RowBinary.text(pair.name) + RowBinary.text(pair.value) }
        continue
      }
      if column.isNullable { bytes.append(value == nil ? 1 : 0) }
      if let value { bytes += RowBinary.text(value) }
    }
    return bytes
  }

  private func json(_ columns: [EventColumn]) -> [UInt8] {
    var members = ["\"rules_version\":\(quoted(version))"]
    for (column, value) in zip(columns, values) {
      if column == .properties {
        let pairs = properties.map { "\(quoted($0.name)):\(quoted($0.value))" }
        members.append("\"properties\":{\(pairs.joined(separator: ","))}")
      } else {
        members.append("\"\(column.name)\":\(value.map(quoted) ?? "null")")
      }
    }
    return Array("{\(members.joined(separator: ","))}\n".utf8)
  }
}

/// A text in JSON, by Foundation.
func quoted(_ text: String) -> String {
  let data = try? JSONSerialization.data(withJSONObject: [text], options: .withoutEscapingSlashes)
  return String(String(decoding: data ?? Data(), as: UTF8.self).dropFirst().dropLast())
}

/// An answer as tests compare it.
struct TestAnswer: Equatable, CustomStringConvertible {
  var rules: [String] = []
  var emit: [String] = []
  var excludedBy: [String] = []
  var pages: [String] = []
  var selected = false
  var version = ""
  var error = ""

  var description: String {
    "rules \(rules) emit \(emit) excluded \(excludedBy) pages \(pages) selected \(selected) version \(version) error \(error)"
  }

  /// Reads the answers that were written in a format, slowly; what is left at the end is a mistake.
  static func read(_ bytes: [UInt8], _ format: RowFormat) -> [TestAnswer]? {
    switch format {
    case .rowBinary: readBinary(bytes)
    case .tsvRaw: String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { TupleText.read(String($0)) }.all
    case .jsonEachRow: String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { readJSON(String($0)) }.all
    }
  }

  private static func readBinary(_ bytes: [UInt8]) -> [TestAnswer]? {
    var reader = RowBinary(bytes: bytes)
    var answers: [TestAnswer] = []
    while !reader.isAtEnd {
      guard let rules = reader.list(), let emit = reader.list(), let excluded = reader.list(),
        let pages = reader.list(),
        let selected = reader.byte(), let version = reader.text(), let error = reader.text()
      else { return nil }
      answers.append(
        TestAnswer(
          rules: rules, emit: emit, excludedBy: excluded, pages: pages, selected: selected == 1, version: version,
          error: error))
    }
    return answers
  }

  private static func readJSON(_ line: String) -> TestAnswer? {
    struct Line: Decodable {
      struct Result: Decodable {
        var rules, emit, excluded_by, pages: [String]
        var selected: Int
        var rules_version, error: String
      }
      var result: Result
    }
    guard let result = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)).result else { return nil }
    return TestAnswer(
      rules: result.rules, emit: result.emit, excludedBy: result.excluded_by, pages: result.pages,
      selected: result.selected == 1, version: result.rules_version, error: result.error)
  }
}

extension Array where Element == TestAnswer? {
  /// The elements, if none is nil.
  fileprivate var all: [TestAnswer]? { contains(nil) ? nil : compactMap { $0 } }
}

/// ClickHouse's binary values.
struct RowBinary {
  let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  static func number(_ number: Int) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 127) | 128] + Self.number(number >> 7)
  }

  static func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() -> UInt8? {
    guard !isAtEnd else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func number() -> Int? {
    guard let byte = byte() else { return nil }
    if byte < 128 { return Int(byte) }
    return number().map { Int(byte & 127) + $0 * 128 }
  }

  mutating func text() -> String? {
    guard let count = number(), bytes.count - offset >= count else { return nil }
    defer { offset += count }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  mutating func list() -> [String]? {
    guard let count = number() else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }
}

/// A tuple of lists and values as ClickHouse writes it: `(['a'],[],[],[],1,'v1','')`.
private struct TupleText {
  private var rest: Substring

  static func read(_ line: String) -> TestAnswer? {
    var tuple = TupleText(rest: line[...])
    guard tuple.take("("), let rules = tuple.list(), let emit = tuple.list(), let excluded = tuple.list(),
      let pages = tuple.list(), let selected = tuple.rest.popFirst(), tuple.take(","), let version = tuple.text(),
      tuple.take(","), let error = tuple.text(), tuple.take(")"), tuple.rest.isEmpty
    else { return nil }
    return TestAnswer(
      rules: rules, emit: emit, excludedBy: excluded, pages: pages, selected: selected == "1", version: version,
      error: error)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func list() -> [String]? {
    guard take("[") else { return nil }
    var texts: [String] = []
    while !take("]") {
      if !texts.isEmpty, !take(",") { return nil }
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return take(",") ? texts : nil
  }

  private mutating func text() -> String? {
    guard take("'") else { return nil }
    let escapes: [Character: Character] = ["t": "\t", "n": "\n", "r": "\r", "0": "\0"]
    var text = ""
    while let character = rest.popFirst() {
      if character == "'" { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escapes[escaped] ?? escaped)
    }
    return nil
  }
}
