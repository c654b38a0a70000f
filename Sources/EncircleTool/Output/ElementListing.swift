import ArgumentParser
import EncircleIdentity
import EncircleTree

/// The arguments for listings of elements.
struct ListingOptions: ParsableArguments {
  @Option(help: "The format of the list.")
  var format = OutputFormat.table

  @Flag(
    help: """
      With --format csv, write cells as they are. Otherwise cells that a spreadsheet would take for formulas (they \
      begin with =, +, -, @, a tab or a line end) get a ' in front.
      """)
  var csvRaw = false

  func validate() throws {
    if csvRaw, format != .csv { throw ValidationError("--csv-raw goes with --format csv.") }
  }
}

/// Writes elements of captures in one of the formats.
struct ElementListing {
  private var writer: any RecordWriter
  private let style: (any PathStyle)?
  private let styleName: PathStyleName

  /// - Parameter style: The style of the paths; nil for the style of identities.
  init(_ options: ListingOptions, _ colors: ColorOptions, style: PathStyleName? = nil) {
    styleName = style ?? .hubbleData
    self.style = style.flatMap { $0 == .hubbleData ? nil : $0.style }
    writer = options.format.makeWriter(style: styleName, options, colors)
  }

  /// The event IDs of a written capture, and whether it has the requested ID.
  struct Seen {
    /// The event IDs of all its elements, in pre-order.
    var eventIDs: [EventID] = []
    /// This is true if an element has the requested ID.
    var hasSelected = false
  }

  /// Writes the elements of a capture for which `isListed` returns true, in pre-order. Elements without a path in the style are
  /// omitted.
  ///
  /// Several threads make the text of a large capture. The text that waits to be written is limited in size.
  ///
  /// - Parameters:
  ///   - select: The ID that the elements must have, either their event ID or their ID in the style; nil for any.
  ///   - onlyTracked: True to omit elements for which the style's SDK sends no event.
  @discardableResult
  mutating func write(
    _ screen: IdentifiedTree, capture: String, to output: ResultWriter, select: EventIDPrefix? = nil,
    onlyTracked: Bool = false, where isListed: @escaping @Sendable (ElementID) -> Bool = { _ in true }
  ) throws -> Seen {
    try writer.begin(capture: capture, screen, to: output)
    let records = ElementRecords(
      of: screen, capture: capture, style: style, styleName, writer, select: select, onlyTracked: onlyTracked, isListed)
    var seen = Seen()
    seen.eventIDs.reserveCapacity(screen.tree.count)
    for batch in stride(from: 0, to: screen.tree.count, by: Self.batchSize) {
      let end = min(batch + Self.batchSize, screen.tree.count)
      let ranges = stride(from: batch, to: end, by: Self.partSize).map { $0..<min($0 + Self.partSize, end) }
      for (range, part) in zip(ranges, ranges.concurrentMap(atLeast: 1) { records.part($0) }) {
        var part = part
        try write(&part, into: &seen, to: output)
        while part.end < range.upperBound {
          part = records.part(part.end..<range.upperBound)
          try write(&part, into: &seen, to: output)
        }
      }
    }
    try writer.end(to: output)
    return seen
  }

  // The number of elements whose text a thread makes at a time, and the number whose text is made before any of it is written.
  private static let partSize = 256
  private static let batchSize = 32 * partSize
  // In bytes. A longer text is written separately rather than copied.
  private static let largeText = 1 << 16

  private mutating func write(_ part: inout ElementRecords.Part, into seen: inout Seen, to output: ResultWriter) throws
  {
    seen.eventIDs += part.eventIDs
    if part.hasSelected { seen.hasSelected = true }
    guard !part.text.isEmpty else { return }
    try writer.beginRecords(to: output)
    if part.text.count >= Self.largeText {
      try output.write(&part.text)
    } else {
      output.buffer.append(contentsOf: part.text)
      try output.flushIfLarge()
    }
  }

  mutating func finish(to output: ResultWriter) throws { try writer.finish(to: output) }
}
