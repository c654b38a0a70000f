import EncircleIdentity

/// The formats of listings.
enum OutputFormat: String, CaseIterable {
  case table, json, ndjson, csv
}

/// Writes the records of captures in one format.
protocol RecordWriter: Sendable {
  /// The text between two records of a capture.
  var separator: String { get }
  /// Begins a capture; its records follow.
  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws
  /// Begins more records of the current capture.
  mutating func beginRecords(to output: ResultWriter) throws
  /// Appends a record. Several threads may do so at the same time.
  func append(_ record: ElementRecord, to bytes: inout [UInt8])
  /// Ends a capture.
  mutating func end(to output: ResultWriter) throws
  /// Ends the output.
  mutating func finish(to output: ResultWriter) throws
}

extension OutputFormat {
  func makeWriter(style: PathStyleName, _ options: ListingOptions, _ colors: ColorOptions) -> any RecordWriter {
    switch self {
    case .table: TableWriter(hasColor: colors.isColored, style: style)
    case .json: JSONRecordWriter(isArray: true)
    case .ndjson: JSONRecordWriter(isArray: false)
    case .csv: CSVWriter(hasStyle: style != .hubbleData, isRaw: options.csvRaw)
    }
  }
}
