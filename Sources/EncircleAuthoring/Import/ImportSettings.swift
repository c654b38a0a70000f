import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleText

/// The settings of the file for imported rules, compared with the settings of the file that receives them.
package struct ImportSettings: Sendable {
  /// The keys that affect how rules are read: with other values, the same rule takes other events.
  package static let keys = ["app", "style", "pages", "fields"]

  /// The header that the file of the rules must have.
  package let header: EventObject
  /// The keys with other values in the other file.
  package let differing: [String]

  /// - Throws: `RuleFileErrors` if the text is not a rule file.
  package init(_ ruleFile: ImportRuleFile, beside text: String, name: String) throws(RuleFileErrors) {
    header = ruleFile.header
    guard case .object(let file) = try RuleFileDocument(text, name: name).value else {
      differing = []
      return
    }
    let own = header
    differing = Self.keys.filter { key in
      switch (Self.deciding(own, key), Self.deciding(file, key)) {
      case (nil, nil): false
      case (let own?, nil) where key == "style": !Self.unstatedStyles.contains(own)
      case (let own?, let other?): !own.means(other)
      default: true
      }
    }
  }

  /// The styles that files of earlier imports did not state: their rules do not need them.
  private static let unstatedStyles = [PathStyleName.sensorsAndroid, .sensorsWeb].map {
    EventValue.string($0.rawValue)
  }

  /// The fields of events that no imported rule tests: they are for counts, and earlier imports did not set them.
  private static let countingFields = ["time", "distinct_id"]

  /// Returns the value of a key without what decides no imported rule.
  private static func deciding(_ header: EventObject, _ key: String) -> EventValue? {
    guard key == "fields", case .object(var fields)? = header[key] else { return header[key] }
    for field in countingFields { fields[field] = nil }
    return fields.members.isEmpty ? nil : .object(fields)
  }

  /// This is true if the rules decide the same in that file as in one of their own.
  package var fit: Bool { differing.isEmpty }

  /// The text of a file for the rules, without any rule.
  package var newText: String { RuleListEdit.newText(header) }
}

extension ImportReport {
  /// The file of the imported rules; nil if there are none. The files of one tool and system share one.
  package var ruleFile: ImportRuleFile? { entries.first { $0.isTaken }?.definition.ruleFile }

  /// Returns the report with only those taken rules that are chosen.
  package func keeping(_ rules: Set<UTF8String>) -> ImportReport {
    var report = self
    report.entries = entries.filter { $0.isTaken && rules.contains(UTF8String($0.definition.ruleID)) }
    return report
  }
}
