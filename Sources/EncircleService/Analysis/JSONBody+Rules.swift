import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension JSONBody {
  /// The style that a request names.
  var style: PathStyleName {
    get throws {
      let name = try text
      guard let style = PathStyleName.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
        throw error(
          "Unknown style: expected one of \(PathStyleName.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      return style
    }
  }

  /// Returns a rule that includes the events that a clause, or one of a list of clauses, selects.
  ///
  /// - Throws: ``ServiceError`` with 422 and all problems, each with a JSON Pointer into the request.
  func clauseRule(_ settings: SelectionSettings) throws -> SelectionRule {
    switch value {
    case .object, .list: break
    default: throw error("A clause is an object, or an array of objects.", code: "bad-clause")
    }
    do throws(ClauseErrors) {
      return try ClauseReader.rule(value, at: pointer, in: settings.style)
    } catch {
      throw ServiceError(error)
    }
  }

  /// The choices that refine a clause.
  ///
  /// - Throws: ``ServiceError`` with 422 for an unknown subject of a refinement, or an unknown choice.
  var refinementChoices: [ClauseRefinements.Subject: ClauseRefinements.Choice] {
    get throws {
      var choices: [ClauseRefinements.Subject: ClauseRefinements.Choice] = [:]
      for (name, value) in try members {
        guard let subject = ClauseRefinements.Subject(id: name) else {
          let names = ClauseRefinements.Subject.all.map(\.id).joined(separator: ", ")
          throw value.error("Unknown chip: expected one of \(names).", code: "unknown-chip")
        }
        let text = try value.text
        guard let choice = ClauseRefinements.Choice.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) })
        else {
          throw value.error("This must be \"this\" or \"any\".")
        }
        choices[subject] = choice
      }
      return choices
    }
  }
}

extension ServiceError {
  /// Creates the error for a value that is not a clause.
  init(_ errors: ClauseErrors) {
    let details = errors.problems.map { problem in
      Detail(
        code: "bad-clause", message: problem.message,
        location: Location(column: problem.column, pointer: problem.pointer))
    }
    self = .invalid(
      details.first?.message ?? "This is not a clause.", code: "bad-clause", location: details.first?.location,
      details: details)
  }
}

extension JSONBuilder {
  /// Writes a member whose value is a tree of values.
  mutating func member(_ name: String, _ value: EventValue) { member(name, json: value.json) }
}
