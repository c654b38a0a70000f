import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// The origin of a rule.
public struct ImportOrigin: Hashable, Sendable {
  public var tool: ImportTool
  /// The id or name of the definition there.
  public var id: String
  /// The page that shows it.
  public var url: String?
}

/// The conditions of a rule that was made of a definition.
public struct ImportedForm: Sendable {
  /// The ways in which a rule identifies its element.
  public enum Kind: String, CaseIterable, Sendable {
    /// The rule has a selector, which people can read and change.
    case readable
    /// The rule has the very text that the event carries.
    case literal
  }

  public var kind: Kind
  /// The clauses, as rule files have them; any of them must hold.
  public var clauses: [EventObject] = []
  /// The differences, and the parts that were left out.
  public var reasons: [ImportReason] = []
  /// The number of the load that checked its rule, together with all rules of the same number; nil if it was not loaded, or was
  /// loaded alone.
  var load: Int?

  init(_ kind: Kind) { self.kind = kind }

  /// The result.
  public var grade: ImportGrade {
    guard !clauses.isEmpty else { return .skipped }
    return doubts.first ?? .exact
  }

  /// The effects that keep the form from being exact. Each is listed once, the worst first.
  fileprivate var doubts: [ImportGrade] {
    // A skipped part was one of several alternatives, so the rule only takes less.
    Set(reasons.map { $0.effect == .skipped ? .narrower : $0.effect }).subtracting([.exact]).sorted(by: >)
  }
}

/// A definition of another tool, with its forms as a rule.
public struct ImportedDefinition: Sendable {
  public var origin: ImportOrigin
  /// The id of the rule: it stays when the definition is renamed.
  public var ruleID: String
  /// Its display name there.
  public var name: String
  /// The file that contains it.
  public var file: String
  /// Its place in the file, as a JSON Pointer.
  public var pointer: String
  /// The file to which the rule belongs.
  public var ruleFile: ImportRuleFile
  /// Description, owner, tags and `enabled`, as rules have them.
  public var details: EventObject = [:]
  /// Properties that the rule gives the events, as rules have them.
  public var properties: EventObject = [:]
  /// The readable and the literal form if they differ, otherwise one form; the better one is the first. None if no rule could be
  /// made.
  public var forms: [ImportedForm] = []
  /// The reasons that hold for all forms.
  public var reasons: [ImportReason] = []
  /// The number of events that the other tool has counted, if the file has it.
  public var count: Int?
  /// The facts for finding its element on current captures; nil if there are none.
  package var circled: RecordedElement?
  /// The picture in the file on which its element was circled; nil if there is no valid picture.
  package var picture: CircledPicture?

  /// Returns the grade of a form, or of the whole definition if there is none.
  public func grade(_ form: ImportedForm?) -> ImportGrade {
    guard let form else { return .skipped }
    guard form.grade != .skipped else { return .skipped }
    return max(form.grade, reasons.map(\.effect).max() ?? .exact)
  }

  /// Returns the form to write: the wanted kind if it exists, else the most certain form, the first one in a tie.
  public func form(_ wanted: ImportedForm.Kind?) -> ImportedForm? {
    if let wanted, let form = forms.first(where: { $0.kind == wanted && !$0.clauses.isEmpty }) { return form }
    // If both skip a part, the reasons of the other parts decide.
    return forms.filter { !$0.clauses.isEmpty }.min { $0.doubts.lexicographicallyPrecedes($1.doubts) }
  }

  /// Adds another definition of the same event, as an alternative.
  mutating func add(alternative other: ImportedDefinition) {
    let parts = [self, other]
    var kinds: [ImportedForm.Kind] = []
    for form in parts.flatMap(\.forms) where !kinds.contains(form.kind) { kinds.append(form.kind) }
    for member in other.properties.members where properties[member.name] == nil {
      properties[member.name] = member.value
    }
    guard !kinds.isEmpty else {
      reasons += other.reasons
      return
    }
    // A skipped part of one alternative does not skip the others.
    let skipped = parts.flatMap(\.reasons).filter { $0.effect == .skipped }
    reasons = parts.flatMap(\.reasons).filter { $0.effect != .skipped }
    forms = kinds.map { kind in
      var form = ImportedForm(kind)
      for part in parts {
        guard let own = part.forms.first(where: { $0.kind == kind }) ?? part.forms.first else { continue }
        form.clauses += own.clauses
        form.reasons += own.reasons
      }
      form.reasons += skipped
      return form
    }
  }

  /// Returns the rule of a form, as rule files have it.
  func rule(_ form: ImportedForm) -> EventObject {
    var rule: EventObject = ["id": .string(ruleID), "name": .string(name)]
    // The keys are added in the order in which `encircle fmt` lays rules out.
    rule.members += details.members.filter { !$0.name.hasSameBytes(as: "enabled") }
    rule["origin"] = .object(originMapping)
    if let enabled = details["enabled"] { rule["enabled"] = enabled }
    rule["include"] = form.clauses.count == 1 ? .object(form.clauses[0]) : .list(form.clauses.map { .object($0) })
    // Without `emit`, a rule would emit its id instead of the name.
    if !EmitTemplate.isOne(name) { rule["emit"] = .string(name) }
    if !properties.members.isEmpty { rule["properties"] = .object(properties) }
    return rule
  }

  /// The origin of the rule, as the value of the key `origin`.
  private var originMapping: EventObject {
    var mapping: EventObject = ["tool": .string(origin.tool.rawValue), "id": .string(origin.id)]
    mapping["url"] = origin.url.map { .string($0) }
    return mapping
  }
}

/// A rule file for imported rules, and its header.
public struct ImportRuleFile: Hashable, Sendable {
  /// The name of the file, without folder.
  public var name: String
  /// The contents of the file except for its rules.
  public var header: EventObject

  init(_ name: String, _ header: EventObject) {
    self.name = name
    self.header = header
    // Other tools do not exclude pages of the system by default.
    self.header["pages"] = ["defaults": false]
  }
}
