import EncircleIdentity
import EncircleRules
import EncircleText

/// Decides the rows that an engine passes to a program: for each row in, exactly one row out, even if it is malformed.
///
/// Bytes are appended as they arrive; then ``output`` has the answers to all complete rows. If a row cannot be decided, for example
/// because it is not an event or names rules that do not exist, its answer contains the reason.
///
/// ```swift
/// var rows = RowTransformer(.rowBinary, EventColumn.defaults, rules: "/var/lib/encircle/rules")
/// try rows.append(bytes)
/// write(rows.output)
/// ```
public struct RowTransformer: ~Copyable {
  /// The longest row, in bytes.
  public static let defaultLengthLimit = 16 << 20
  /// The versions of rules that stay in memory.
  public static let defaultVersionCapacity = 4

  private let reader: any RowReader
  private let versions: RuleVersions
  private let writer: DecisionRowWriter
  private var row: EventRow
  // The beginning of a row that is not complete yet.
  private var rest: [UInt8] = []
  private var rowCount = 0
  /// The number of bytes of an incomplete row. Reading at least as many next keeps the work for a long row linear.
  public var pendingCount: Int { rest.count }
  /// The answers that the caller has not taken yet.
  public var output: [UInt8] = []

  /// Creates a transformer.
  ///
  /// - Parameters:
  ///   - columns: The columns behind the first one, which is the version of the rules.
  ///   - folder: The folder with compiled rules; the version `v7` is its file `v7.rules`.
  ///   - versionCapacity: The maximum number of versions in memory, at least 1.
  ///   - lengthLimit: The longest row, in bytes; less than 2³¹.
  ///   - dictionary: Returns the elements that are known by event ID, in the style of the rules.
  /// - Precondition: ``EventColumn/problem(of:)`` is nil, and the format takes all columns.
  public init(
    _ format: RowFormat, _ columns: [EventColumn], rules folder: String,
    versionCapacity: Int = RowTransformer.defaultVersionCapacity, lengthLimit: Int = RowTransformer.defaultLengthLimit,
    dictionary: @escaping (CompiledRules) throws -> ElementDictionary = { _ in ElementDictionary() }
  ) {
    precondition(EventColumn.problem(of: columns) == nil && columns.allSatisfy { format.takes($0) })
    precondition((1..<1 << 31).contains(lengthLimit))
    reader =
      switch format {
      case .rowBinary: RowBinaryReader(columns, lengthLimit: lengthLimit)
      case .tsvRaw: TSVRowReader(columns, lengthLimit: lengthLimit)
      case .jsonEachRow: JSONRowReader(columns, lengthLimit: lengthLimit)
      }
    versions = RuleVersions(folder: folder, columns: columns, capacity: versionCapacity, dictionary: dictionary)
    writer = DecisionRowWriter(format)
    row = EventRow(columnCount: columns.count)
  }

  /// Decides the rows that these bytes complete.
  ///
  /// - Throws: A ``RowStreamError`` if the following bytes cannot be read as rows; the rows before them are decided.
  /// - Complexity: O(length), plus the cost of the decisions.
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowStreamError) {
    guard !rest.isEmpty else {
      let used = try decideRows(bytes, isComplete: false)
      rest.append(contentsOf: bytes[used...])
      return
    }
    rest.append(contentsOf: bytes)
    try decideRest(isComplete: false)
  }

  /// Ends the input.
  ///
  /// - Throws: A ``RowStreamError`` if they end within a row.
  public mutating func finish() throws(RowStreamError) {
    try decideRest(isComplete: true)
    if !rest.isEmpty { throw .incomplete(row: rowCount + 1) }
  }

  private mutating func decideRest(isComplete: Bool) throws(RowStreamError) {
    let bytes = rest
    let used = try bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(RowStreamError) in try decideRows(bytes, isComplete: isComplete) }
    }.get()
    rest.removeFirst(used)
  }

  /// Decides all rows that are complete; returns the number of their bytes.
  private mutating func decideRows(
    _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool
  ) throws(RowStreamError) -> Int {
    var offset = 0
    while offset < bytes.count {
      let start = offset
      row.begin(rowCount + 1)
      guard try reader.read(bytes, &offset, isComplete: isComplete, into: &row) else { break }
      rowCount += 1
      decide(UnsafeBufferPointer(rebasing: bytes[start..<offset]))
    }
    return offset
  }

  /// - Parameter text: The row as it was read.
  private mutating func decide(_ text: UnsafeBufferPointer<UInt8>) {
    if let problem = row.problem { return writer.append(problem: problem, row.version, to: &output) }
    switch versions.decider(of: row.version) {
    case .failure(let problem): writer.append(problem: problem.message, row.version, to: &output)
    case .success(let decider):
      let digest = decider.answers.digest(of: text)
      if let digest, decider.answers.append(answerTo: digest, to: &output) { return }
      let start = output.count
      if let problem = decider.decide(&row) {
        writer.append(problem: problem, row.version, to: &output)
      } else {
        writer.append(decider, row.version, to: &output)
      }
      if let digest { decider.answers.insert(digest, answer: output[start...]) }
    }
  }
}
