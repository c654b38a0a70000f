import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The changes that a table makes to a plan and to the rules beside it.
///
/// A cell with the text that an export would write changes nothing. So importing an exported table that nobody has edited does
/// not change a single byte.
public struct PlanImport: Sendable {
  /// A cell that differs.
  public struct Change: Hashable, Sendable {
    /// The header of its column.
    public let column: String
    public let old: String
    public let new: String
  }

  /// The outcome of a row.
  public enum Outcome: Sendable {
    case new
    case changed
    case unchanged
    /// Its action is Ignore.
    case ignored
    /// Its action is Remove: an event is archived, a property is taken out.
    case removed
    /// It is wrong, in a column, for a reason.
    case rejected(column: String, reason: String)
  }

  /// A row of the table.
  public struct Row: Sendable {
    /// The sheet that it is in; nil if the table has none.
    public let sheet: String?
    /// The line where it begins, or its number in the sheet.
    public internal(set) var line: Int
    public let event: UTF8String
    /// The property; nil for a row of an event.
    public let property: UTF8String?
    public internal(set) var outcome: Outcome
    public internal(set) var changes: [Change] = []
    /// The cells as they were read.
    public internal(set) var cells: [String] = []
  }

  /// An event of the plan that is missing from the table, or a property that is missing from an event in the table. It
  /// stays in the plan.
  public struct Missing: Hashable, Sendable {
    public let event: UTF8String
    public let property: UTF8String?
  }

  /// A fact that the plan states although a rule emits its event. It is taken out of the plan.
  public struct MovedFact: Hashable, Sendable {
    public let event: UTF8String
    /// The key of the fact, such as `owner`.
    public let key: String
    public let rule: UTF8String
    /// This is true if the rule gets the fact, and false if the rule or the table states another one.
    public let isTaken: Bool
  }

  /// A file that is to have another text.
  public struct ChangedFile: Sendable {
    public let name: String
    public let old: String
    public let new: String
  }

  /// The reason why a table cannot be read at all.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The reason in words, without its place.
    public let message: String
    /// The place, or nil if the reason concerns the table as a whole.
    public let location: SourceLocation?

    public var description: String { (location.map { "\($0): " } ?? "") + message }

    init(_ message: String, at location: SourceLocation? = nil) { (self.message, self.location) = (message, location) }
  }

  /// The headers of the table as they were read.
  public internal(set) var headers: [String] = []
  /// The headers that no set has for its tables: the plan keeps the texts below them as they are, and nothing else follows from them.
  public internal(set) var unknownHeaders: [String] = []
  /// The rows, in their order.
  public internal(set) var rows: [Row] = []
  public internal(set) var missing: [Missing] = []
  /// The facts that move from the plan into rules; empty until the files are made.
  public internal(set) var movedFacts: [MovedFact] = []
  var drafts: [PlanDraft] = []
  var ruleChanges: [UTF8String: RuleChange] = [:]

  /// The facts to write into a rule, each with the event whose row has it.
  struct RuleChange: Sendable {
    var facts: [(key: String, value: EventValue?, event: UTF8String)] = []
  }

  /// The rows that are wrong.
  public var rejected: [Row] { rows.filter { if case .rejected = $0.outcome { true } else { false } } }

  /// This is true if there is something to write.
  public var hasChanges: Bool { !ruleChanges.isEmpty || drafts.contains(where: \.isChanged) }

  /// Compares a table with a plan.
  ///
  /// - Parameter table: Comma-separated values, with headers of any set in any order.
  /// - Throws: ``Failure`` if the text is not such a table.
  /// - Complexity: O(cells + events), and O(events of the plan × columns).
  public init(_ table: String, into plan: TrackingPlan) throws(Failure) {
    try self.init(table, into: plan, derivesStatus: true)
  }

  /// Compares a plan with another one, as a table of it would be compared. The lines of rows are those of its files.
  ///
  /// - Throws: ``Failure`` if the plan cannot be a table, as it has texts of two columns with one header.
  /// - Complexity: As ``init(_:into:)``.
  package init(_ new: TrackingPlan, into plan: TrackingPlan) throws(Failure) {
    try self.init(PlanExport.text(new, .en, isWhole: false), into: plan, derivesStatus: false)
    let locations = new.entries.compactMap(\.planned).flatMap { [$0.location] + $0.properties.map(\.location) }
    for (i, location) in zip(rows.indices, locations) { rows[i].line = location.line }
  }

  /// - Parameter derivesStatus: True if the table states a status even for events to which people gave none, as a complete
  ///   export does.
  private init(_ table: String, into plan: TrackingPlan, derivesStatus: Bool) throws(Failure) {
    var reader = CSVReader(table)
    func next() throws(Failure) -> CSVReader.Record? {
      do throws(CSVReader.Problem) { return try reader.next() } catch {
        throw Failure(error.message, at: error.location)
      }
    }
    guard let head = try next() else { throw Failure("the table is empty: expected a line with headers") }
    headers = head.cells
    let kept = Set(PlanTable.keptHeaders(of: plan))
    let tableHead = try PlanTableHead(head.cells.map { CSVText.formulated($0) }, kept: kept)
    unknownHeaders = tableHead.unknown
    var importer = PlanImporter(plan, tableHead, derivesStatus: derivesStatus)
    while let record = try next() {
      if record.cells.allSatisfy({ PlanVocabulary.trimmed($0).isEmpty }) { continue }
      importer.add(record)
    }
    take(&importer)
  }

  /// Compares a table in several sheets with a plan. Columns are joined by the texts of their headers.
  ///
  /// - Parameter sheets: With texts as they are, and headers of any set in the first row.
  /// - Throws: ``Failure`` if the sheets are not such a table.
  /// - Complexity: As ``init(_:into:)``.
  package init(_ sheets: [PlanSheet], into plan: TrackingPlan) throws(Failure) {
    let joined = try PlanSheet.joined(sheets)
    guard !joined.headers.isEmpty else { throw Failure("the table is empty: expected a line with headers") }
    headers = joined.headers.map(CSVText.unformulated)
    let head = try PlanTableHead(joined.headers, kept: Set(PlanTable.keptHeaders(of: plan)))
    unknownHeaders = head.unknown
    var importer = PlanImporter(plan, head)
    for (sheet, row) in joined.rows {
      if row.cells.allSatisfy({ PlanVocabulary.trimmed($0).isEmpty }) { continue }
      importer.add(CSVReader.Record(line: row.line, cells: row.cells.map(CSVText.unformulated)), sheet: sheet)
    }
    take(&importer)
  }

  private mutating func take(_ importer: inout PlanImporter) {
    importer.finish()
    (rows, missing) = (importer.rows, importer.missing)
    (drafts, ruleChanges) = (importer.drafts, importer.ruleChanges)
  }

  /// The rejected rows as a table that can be corrected and imported again, with a column for the errors.
  public var rejectedTable: String {
    var text = "\u{FEFF}" + CSVText.line(headers + (headers.contains(Self.errorHeader) ? [] : [Self.errorHeader]))
    let errors = headers.firstIndex { $0.hasSameBytes(as: Self.errorHeader) }
    for row in rows {
      guard case .rejected(let column, let reason) = row.outcome else { continue }
      var cells = row.cells
      while cells.count < headers.count { cells.append("") }
      let error = CSVText.unformulated(column.isEmpty ? reason : "\(column): \(reason)")
      if let errors { cells[errors] = error } else { cells.append(error) }
      text += CSVText.line(cells)
    }
    return text
  }

  /// The header of the column for the error of a row, which an import ignores.
  static let errorHeader = "Error"
}
