import EncircleEvents
import EncircleTestSupport
import EncircleText

/// JSON as the tests know it: numbers as they are written, members in their order and as often as they occur.
enum JSON {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([JSON])
  case object([Member])

  struct Member {
    var name: String
    var value: JSON

    init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the last member of that name.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { Array($0.name.utf8) == Array(name.utf8) }?.value
  }

  /// The value that `/a~1b/0` points to (RFC 6901).
  func at(_ pointer: String) -> JSON? {
    var value = self
    for part in Array(pointer.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
      let name = Self.unescaped(String(decoding: part, as: UTF8.self))
      switch value {
      case .object:
        guard let member = value[name] else { return nil }
        value = member
      case .list(let elements):
        guard let position = Int(name), String(position) == name, elements.indices.contains(position) else {
          return nil
        }
        value = elements[position]
      default: return nil
      }
    }
    return value
  }

  private static func unescaped(_ name: String) -> String {
    var result = ""
    var scalars = name.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "~" {
        result += scalars.next() == "0" ? "~" : "/"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: - As an event

  /// The value as a backend would make it.
  var value: EventValue {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let text): DecimalNumber(text).map { .number($0) } ?? .null
    case .string(let text): .string(text)
    case .list(let elements): .list(elements.map(\.value))
    case .object(let members):
      .object(EventObject(members.map { EventObject.Member(name: $0.name, value: $0.value.value) }))
    }
  }

  var event: AnalyticsEvent {
    if case .object(let object) = value { AnalyticsEvent(object) } else { AnalyticsEvent() }
  }

  // MARK: - As text

  /// The value as JSON; with a generator, one of the many ways to write it.
  func write(_ random: inout SeededGenerator) -> String {
    switch self {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let text): return text
    case .string(let text): return Self.quoted(text, &random)
    case .list(let elements):
      return "[" + elements.map { $0.write(&random) }.joined(separator: random.oneIn(8) ? " ,\t" : ",") + "]"
    case .object(let members):
      let space = random.oneIn(8) ? "\n " : ""
      return "{" + space
        + members.map { Self.quoted($0.name, &random) + ":" + space + $0.value.write(&random) }.joined(
          separator: "," + space)
        + "}"
    }
  }

  private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
    let escapesAll = random.oneIn(10)
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "/", random.oneIn(10) {
        result += "\\/"
      } else if scalar == "\"" || scalar == "\\" {
        result += "\\" + String(scalar)
      } else if scalar.value < 0x20 || escapesAll {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
