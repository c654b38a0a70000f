import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The result of an import: the rules made from definitions, and which of them are taken.
public struct ImportReport: Sendable {
  /// The options of an import.
  public struct Options: Sendable {
    /// The form that is written where a definition has two; nil for the surest.
    public var form: ImportedForm.Kind?
    /// This is true if rules that take more than their definitions are imported, too.
    public var allowsWider = false
    /// This is true if definitions may be skipped without a finding.
    public var allowsSkipped = false
    /// This is true if only exact rules are taken.
    public var isStrict = false

    public init() {}
  }

  /// A definition with its form that is written.
  public struct Entry: Sendable {
    public let definition: ImportedDefinition
    /// The form; nil if there is none.
    public let form: ImportedForm?
    public let grade: ImportGrade
    /// This is true if the rule is taken.
    public let isTaken: Bool
    /// The numbers of events that it takes.
    public var events: ImportComparison.Counts?
    /// The elements of captures that may be the circled one; nil if captures were not searched, or if a readable rule is certain.
    package var proposal: ImportProposal?

    /// All reasons: of the definition, then of the form.
    public var reasons: [ImportReason] {
      definition.reasons + (form ?? definition.forms.first).map(\.reasons).joinedOrEmpty
        + (events.map { $0.isSeen ? [] : [ImportReason(.noEventsSeen, .exact, definition.pointer)] } ?? [])
    }
  }

  public internal(set) var entries: [Entry]
  private let options: Options

  /// - Complexity: O(*n*), *n* definitions.
  public init(_ definitions: [ImportedDefinition], _ options: Options) {
    self.options = options
    entries = definitions.map { definition in
      let form = definition.form(options.form)
      let grade = definition.grade(form)
      let isTaken: Bool =
        switch grade {
        case .skipped: false
        case .exact: true
        case .wider: options.allowsWider && !options.isStrict
        default: !options.isStrict
        }
      return Entry(definition: definition, form: form, grade: grade, isTaken: isTaken)
    }
  }

  /// The number of definitions of each result.
  public var counts: [ImportGrade: Int] {
    Dictionary(grouping: entries, by: \.grade).mapValues(\.count)
  }

  /// This is true if a rule was not taken although no option allows for that.
  public var hasFindings: Bool {
    entries.contains { !$0.isTaken && !($0.grade == .skipped && options.allowsSkipped && !options.isStrict) }
  }

  /// Joins the rules that are taken with the files of a folder.
  ///
  /// - Parameters:
  ///   - path: Gives the path of a file in the folder.
  ///   - texts: The existing rule files.
  /// - Throws: As ``ImportMerge``, and if the rules would no longer load.
  public func merged(
    into texts: [(name: String, text: String)], _ state: ImportState, _ resolution: ImportMerge.Resolution,
    path: (String) -> String
  ) throws(RuleFileErrors) -> ImportMerge {
    var rules: [(id: UTF8String, ruleFile: ImportRuleFile, path: String, rule: EventObject)] = []
    for entry in entries where entry.isTaken {
      guard let form = entry.form else { continue }
      let ruleFile = entry.definition.ruleFile
      rules.append(
        (UTF8String(entry.definition.ruleID), ruleFile, path(ruleFile.name), entry.definition.rule(form)))
    }
    let defined = Set(entries.map { UTF8String($0.definition.ruleID) })
    return try ImportMerge(rules, defined: defined, state, texts, resolution)
  }

  /// Checks that the files of a folder load with the changes of a merge.
  ///
  /// For an empty folder, rules that were loaded together are not loaded again, because the written files differ only in layout.
  ///
  /// - Parameter texts: The existing rule files.
  /// - Throws: `RuleFileErrors` if they would not load.
  /// - Complexity: O(*n*), *n* bytes of all files.
  public func checkLoading(
    _ merge: ImportMerge, into texts: [(name: String, text: String)]
  ) throws(RuleFileErrors) {
    if texts.isEmpty, isLoadedTogether { return }
    // Files that the merge has read are not read again.
    let known = Set(merge.documents.map { UTF8String($0.name) })
    var documents: [RuleFileDocument] = []
    for file in texts where !known.contains(UTF8String(file.name)) {
      documents.append(try RuleFileDocument(file.text, name: file.name, keepsNodes: true))
    }
    documents += merge.documents
    if documents.isEmpty { return }
    try Self.checkFields(of: documents, merge, together: try RuleFiles(documents: documents).ruleSet())
  }

  /// Checks that the rules of new files, and all others, find what they test where they find it alone: `fields` of a file hold for
  /// the rules of all files.
  private static func checkFields(
    of documents: [RuleFileDocument], _ merge: ImportMerge, together: RuleSet
  ) throws(RuleFileErrors) {
    let new = merge.files.filter { $0.old.isEmpty }.map(\.name)
    let names = Set(new.map { UTF8String($0) })
    let parts = [true, false].map { isNew in documents.filter { names.contains(UTF8String($0.name)) == isNew } }
    guard let name = new.first, parts.allSatisfy({ $0.contains { !$0.rules.isEmpty } }) else { return }
    for part in parts {
      guard let alone = try? RuleFiles(documents: part).ruleSet() else { continue }
      for style in alone.styles where together.styles.contains(style) {
        let (before, after) = (alone.fields(of: style), together.fields(of: style))
        // Times and people are for counts. An SDK writes its fields in the first of the places.
        let moved = EventFields.Field.allCases.first { field in
          field != .time && field != .distinctID && after.places(of: field).first != before.places(of: field).first
        }
        guard let moved else { continue }
        let message =
          "rules of style '\(style.rawValue)' would look for '\(moved.rawValue)' elsewhere and take other events, because 'fields' of"
          + " one file hold for the whole folder: import into a folder of its own"
        throw RuleFileErrors([Diagnostic(message, file: name)], isMissingInput: false)
      }
    }
  }

  /// This is true if one load has checked all the rules that the merge takes.
  private var isLoadedTogether: Bool {
    let forms = entries.filter(\.isTaken).compactMap(\.form)
    return forms.allSatisfy { $0.load != nil && $0.load == forms.first?.load }
  }

  /// Returns the rule files that would be written into an empty folder, with their names.
  ///
  /// - Throws: As ``ImportMerge``.
  public func newFiles() throws(RuleFileErrors) -> [(name: String, text: String)] {
    try merged(into: [], ImportState(), .list) { $0 }.files.map { ($0.name, $0.new) }
  }
}

extension Optional<[ImportReason]> {
  fileprivate var joinedOrEmpty: [ImportReason] { self ?? [] }
}
