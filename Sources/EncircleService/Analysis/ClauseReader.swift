import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Reads a clause of a rule that a request has as JSON, by the reader of rule files: what a file may say, a request may, and
/// what is wrong has the same words.
///
/// Beside the keys of a clause it may have those of a rule that change what the clause selects: `unless` and `sameKind`.
/// A list of clauses stands for those of a rule: one of them must hold.
enum ClauseReader {
  /// The id of the rules that are made of clauses.
  static let ruleID = "clause"

  /// - Throws: ``ServiceError`` with 422 and all problems, each with a JSON Pointer into the request.
  static func rule(_ body: JSONBody, _ settings: RuleSettings) throws -> SelectionRule {
    var text = PlacedJSON()
    text.append("{\"version\":1,\"style\":")
    text.append(.string(settings.ruleSet.style.rawValue), at: "")
    text.append(",\"rules\":[{\"id\":\"\(ruleID)\"")
    switch body.value {
    case .list:
      text.append(",\"include\":")
      text.append(body.value, at: body.pointer)
    case .object:
      // Members that stand twice are left to the reader, which names both places.
      var clause = EventObject()
      var isRule: [EventObject.Member] = []
      for member in try body.object.members {
        if ["unless", "sameKind"].contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
          isRule.append(member)
        } else {
          clause.members.append(member)
        }
      }
      text.append(",\"include\":")
      text.append(.object(clause), at: body.pointer)
      for member in isRule {
        text.append(",")
        text.append(.string(member.name), at: JSONPointer.member(member.name, of: body.pointer))
        text.append(":")
        text.append(member.value, at: JSONPointer.member(member.name, of: body.pointer))
      }
    default: throw body.error("A clause is an object, or an array of objects.", code: "bad-clause")
    }
    text.append("}]}")
    let rules: [SelectionRule]
    do throws(RuleFileErrors) {
      rules = try RuleFiles(text: text.text, name: "clause.json").ruleSet().rules
    } catch {
      throw problem(error, text, body)
    }
    guard let rule = rules.first else { throw body.error("This is no clause.", code: "bad-clause") }
    return rule
  }

  private static func problem(_ errors: RuleFileErrors, _ text: PlacedJSON, _ body: JSONBody) -> ServiceError {
    let details = errors.diagnostics.map { diagnostic in
      let place = diagnostic.location.map { text.place(of: $0) }
      return ServiceError.Detail(
        code: "bad-clause", message: diagnostic.messageWithSuggestion,
        location: ServiceError.Location(column: place?.column, pointer: place?.pointer ?? body.pointer))
    }
    return ServiceError.invalid(
      details.first?.message ?? "This is no clause.", code: "bad-clause", location: details.first?.location,
      details: details)
  }
}

/// JSON in which each scalar and each name has a line of its own, so that a line gives the place in the request.
private struct PlacedJSON {
  private(set) var bytes: [UInt8] = []
  private var pointers: [String] = [""]
  // Whether the line is a string, whose quotation mark is in column 1.
  private var strings: [Bool] = [false]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ part: String) { bytes += part.utf8 }

  /// Appends a value; no recursion, since the depth is a stranger's.
  mutating func append(_ value: EventValue, at pointer: String) {
    enum Part {
      case value(EventValue, String)
      case name(String, String)
      case text(String)
    }
    var waiting: [Part] = [.value(value, pointer)]
    while let part = waiting.popLast() {
      switch part {
      case .text(let text): append(text)
      case .name(let name, let pointer): line(EventValue.string(name).json, at: pointer, isString: true)
      case .value(.list(let elements), let pointer):
        line([UInt8(ascii: "[")], at: pointer, isString: false)
        waiting.append(.text("]"))
        for (i, element) in elements.enumerated().reversed() {
          waiting.append(.value(element, "\(pointer)/\(i)"))
          if i > 0 { waiting.append(.text(",")) }
        }
      case .value(.object(let object), let pointer):
        line([UInt8(ascii: "{")], at: pointer, isString: false)
        waiting.append(.text("}"))
        for (i, member) in object.members.enumerated().reversed() {
          let place = JSONPointer.member(member.name, of: pointer)
          waiting.append(.value(member.value, place))
          waiting.append(.text(":"))
          waiting.append(.name(member.name, place))
          if i > 0 { waiting.append(.text(",")) }
        }
      case .value(let scalar, let pointer):
        if case .string = scalar {
          line(scalar.json, at: pointer, isString: true)
        } else {
          line(scalar.json, at: pointer, isString: false)
        }
      }
    }
  }

  private mutating func line(_ content: [UInt8], at pointer: String, isString: Bool) {
    bytes.append(0x0A)
    bytes += content
    pointers.append(pointer)
    strings.append(isString)
  }

  /// The place in the request, and the column in the string that stands there.
  func place(of location: SourceLocation) -> (pointer: String, column: Int?) {
    let line = min(max(0, location.line - 1), pointers.count - 1)
    return (pointers[line], strings[line] && location.column > 1 ? location.column - 1 : nil)
  }
}
