import EncircleText

/// The headers of an imported table: their set, and their columns.
struct PlanTableHead: Sendable {
  let set: PlanHeaders
  /// The column of each cell; nil for an unused one.
  let columns: [PlanTable.Column?]
  let headers: [String]
  /// The headers without a meaning, except those of the set and those below which the plan keeps texts already.
  let unknown: [String]

  /// - Parameter kept: The headers below which the plan keeps texts.
  /// - Throws: If there is no column for the names of events, or one comes twice.
  init(_ headers: [String], kept: Set<UTF8String> = []) throws(PlanImport.Failure) {
    let headers = Self.spelled(headers, kept: kept)
    self.headers = headers
    guard let set = Self.set(of: headers) else {
      let names = PlanTable.unique(PlanHeaders.allCases.compactMap { $0.headers.first { $0.event == .event }?.text })
      throw .init(
        "no column has the names of events: expected one of \(names.map { "'\($0)'" }.joined(separator: ", "))")
    }
    self.set = set
    let texts = Set(headers.map { UTF8String(PlanVocabulary.trimmed($0)) })
    let own = set.headers.filter { texts.contains(UTF8String($0.text)) }
    var known: Set<UTF8String> = []
    var columns: [PlanTable.Column?] = []
    var unknown: [String] = []
    for header in headers {
      let text = PlanVocabulary.trimmed(header)
      if text.isEmpty || text.hasSameBytes(as: PlanImport.errorHeader) {
        columns.append(nil)
        continue
      }
      let column =
        kept.contains(UTF8String(header)) ? Self.keptHeader(header, of: set) : Self.header(text, besides: own)
      let name = [column.event?.rawValue, column.property?.rawValue].compactMap { $0 }.joined(separator: "/")
      guard known.insert(UTF8String(name.isEmpty ? text : name)).inserted else {
        throw .init("there are two columns '\(text)'")
      }
      columns.append(PlanTable.Column(column))
      let isKnown = column.event != nil || column.property != nil || kept.contains(UTF8String(header))
      if !isKnown, !set.headers.contains(where: { $0.text.hasSameBytes(as: text) }) { unknown.append(text) }
    }
    self.columns = columns
    self.unknown = unknown
  }

  /// Returns headers as sets have them, whose capitals may differ in the table. A header below which the plan keeps texts stays as it
  /// is, and so does one that the table also has as a set has it.
  private static func spelled(_ headers: [String], kept: Set<UTF8String>) -> [String] {
    let texts = Set(headers.map { UTF8String(PlanVocabulary.trimmed($0)) })
    return headers.map { header in
      guard !kept.contains(UTF8String(header)), let text = spellings[PlanVocabulary.key(header)],
        !texts.contains(UTF8String(text))
      else { return header }
      return text
    }
  }

  private static let spellings: [UTF8String: String] = {
    let texts = PlanHeaders.allCases.flatMap(\.headers).map { (PlanVocabulary.key($0.text), $0.text) }
    return Dictionary(texts) { first, _ in first }
  }()

  /// Returns the set that has the most of these headers, the first one in a tie; nil if no set has the names of events.
  private static func set(of headers: [String]) -> PlanHeaders? {
    let texts = Set(headers.map { UTF8String(PlanVocabulary.trimmed($0)) })
    var best: (set: PlanHeaders, count: Int)?
    for set in PlanHeaders.allCases {
      guard set.headers.contains(where: { $0.event == .event && texts.contains(UTF8String($0.text)) }) else { continue }
      let count = set.headers.count { texts.contains(UTF8String($0.text)) }
      if count > best?.count ?? 0 { best = (set, count) }
    }
    return best?.set
  }

  /// Returns the header with a text: that of the set if it has one, or else a header below which the plan keeps texts.
  private static func keptHeader(_ text: String, of set: PlanHeaders) -> PlanHeader {
    set.headers.first { $0.text.hasSameBytes(as: text) } ?? PlanHeader(text)
  }

  /// Returns the header with a text, from this set or else from another one. If no set has the header, or a column of this set
  /// already has its meaning, the column only keeps texts.
  private static func header(_ text: String, besides own: [PlanHeader]) -> PlanHeader {
    if let known = own.first(where: { $0.text.hasSameBytes(as: text) }) { return known }
    for other in PlanHeaders.allCases {
      guard let known = other.headers.first(where: { $0.text.hasSameBytes(as: text) }) else { continue }
      let isTaken = own.contains { header in
        known.event != nil && header.event == known.event || known.property != nil && header.property == known.property
      }
      return isTaken ? PlanHeader(text) : known
    }
    return PlanHeader(text)
  }

  /// Returns the cell of a record in a column of events or of properties; nil if there is no such column.
  func cell(_ wanted: PlanColumn, ofProperty: Bool, in cells: [String]) -> String? {
    for (i, column) in columns.enumerated() {
      guard let header = column?.header, wanted == (ofProperty ? header.property : header.event) else { continue }
      return i < cells.count ? cells[i] : ""
    }
    return nil
  }
}
