import EncircleEvents
import EncircleText

/// An import for programs: one object, which `docs/import.schema.json` describes.
package enum ImportJSON {
  /// - Parameter merge: The result of joining the definitions with the rules of a folder; nil without a folder.
  package static func text(_ report: ImportReport, _ merge: ImportMerge?) -> String {
    var json = JSONBuilder()
    json.object { json in
      append(report, merge, to: &json)
      if let merge {
        json.member("vanished", merge.items.filter { $0.change == .vanished }.map(\.rule.text))
        json.member("files", merge.files.map(\.name))
      }
    }
    return json.line
  }

  /// Appends the members for the definitions.
  package static func append(_ report: ImportReport, _ merge: ImportMerge?, to json: inout JSONBuilder) {
    let changes = Dictionary((merge?.items ?? []).map { ($0.rule, $0) }) { first, _ in first }
    let counts = report.counts
    json.object("counts") {
      for grade in ImportGrade.allCases { $0.member(grade.rawValue, counts[grade] ?? 0) }
    }
    json.array("definitions", report.entries) { entry, json in
      append(entry, changes[UTF8String(entry.definition.ruleID)], to: &json)
    }
  }

  private static func append(
    _ entry: ImportReport.Entry, _ change: ImportMerge.Item?, to json: inout JSONBuilder
  ) {
    let definition = entry.definition
    json.object {
      $0.member("rule", definition.ruleID)
      $0.member("tool", definition.origin.tool.rawValue)
      $0.member("id", definition.origin.id)
      $0.member("name", definition.name)
      $0.member("file", definition.file)
      $0.member("pointer", definition.pointer)
      $0.member("result", entry.grade.rawValue)
      $0.member("form", entry.form?.kind.rawValue)
      $0.member("taken", entry.isTaken)
      if let change, change.change != .vanished {
        $0.member("change", change.change.rawValue)
        $0.member("conflicts", change.keys)
        $0.member("problem", change.problem?.shortText)
      }
      $0.array("reasons", entry.reasons) { reason, json in
        json.object {
          $0.member("code", reason.code.rawValue)
          $0.member("effect", reason.effect.rawValue)
          $0.member("pointer", reason.pointer)
          $0.member("detail", reason.detail)
          $0.member("sentence", reason.sentence)
        }
      }
      $0.array("forms", definition.forms.filter { !$0.clauses.isEmpty }) { form, json in
        json.object {
          $0.member("form", form.kind.rawValue)
          $0.member("result", definition.grade(form).rawValue)
          $0.array("clauses", form.clauses) { clause, json in json.bytes += EventValue.object(clause).json }
        }
      }
      if let events = entry.events { append(events, there: definition.count, to: &$0) }
      if let proposal = entry.proposal { append(proposal, to: &$0) }
      if let picture = definition.picture { append(picture, to: &$0) }
    }
  }

  private static func append(_ picture: CircledPicture, to json: inout JSONBuilder) {
    json.object("picture") { json in
      json.member("pointer", picture.pointer)
      json.member("type", picture.kind.rawValue)
      json.member("width", picture.width)
      json.member("height", picture.height)
      if let frame = picture.frame {
        json.object("rectangle") {
          $0.member("x", frame.x)
          $0.member("y", frame.y)
          $0.member("width", frame.width)
          $0.member("height", frame.height)
        }
      }
    }
  }

  private static func append(_ proposal: ImportProposal, to json: inout JSONBuilder) {
    json.object("found") {
      $0.member("verdict", proposal.verdict.rawValue)
      $0.array("elements", proposal.elements) { element, json in
        json.object {
          $0.member("capture", element.capture)
          $0.member("element", element.element.index)
          $0.member("title", element.title)
          $0.member("score", (element.score * 1000).rounded() / 1000)
          if let clause = element.clause { $0.member("clause", json: EventValue.object(clause).json) }
          $0.array("reasons", element.reasons) { reason, json in
            json.object {
              $0.member("code", reason.code.rawValue)
              $0.member("likeness", (reason.likeness * 1000).rounded() / 1000)
              $0.member("sentence", reason.text)
            }
          }
        }
      }
    }
  }

  private static func append(_ events: ImportComparison.Counts, there: Int?, to json: inout JSONBuilder) {
    json.object("events") { json in
      json.member("readable", events.readable)
      json.member("literal", events.literal)
      json.member("there", there)
      for (name, places) in [("only_readable", events.onlyReadable), ("only_literal", events.onlyLiteral)] {
        json.array(name, places) { place, json in
          json.object {
            $0.member("file", place.file)
            $0.member("line", place.line)
          }
        }
      }
    }
  }
}
