import CJSONEvent

/// Reads events in lines and extracts their values in one pass, in C; see `json_event.h`.
///
/// The scanner reads most events and rejects none. It leaves the rest to ``JSONTape``, which also decides whether a line is an
/// error.
struct EventScanner: ~Copyable {
  // The number of bytes that are marked at once: text and marks stay in the fastest cache.
  private static let markedLength = 1 << 15
  // If fewer bytes than this are marked ahead, more are marked.
  private static let minimumAhead = 1 << 11

  private let tables: (root: NameTable, properties: NameTable)?
  private var event = encircle_json_event()
  private let marks: UnsafeMutablePointer<UInt8>

  /// This is true if the scanner can read events with this projection.
  var isAble: Bool { tables != nil }

  /// Creates a scanner; without a projection it cannot read anything.
  init(_ projection: EventProjection?, depthLimit: Int) {
    assert(MemoryLayout<ProjectedEvent.Slot>.size == MemoryLayout<encircle_json_value>.size)
    assert(Int(encircle_json_margin) <= ReadBuffer.margin && depthLimit <= 512)
    let size = encircle_json_marks_size(Self.markedLength)
    tables = projection?.nameTables
    marks = .allocate(capacity: 2 * size)
    marks.initialize(repeating: 0, count: 2 * size)
    event.marks.quotes = marks
    event.marks.special = marks + size
    if let tables {
      event.root = tables.root.table
      event.properties = tables.properties.table
    }
    event.count = UInt32(projection?.count ?? 0)
    event.depth_limit = UInt32(depthLimit)
  }

  deinit { marks.deallocate() }

  /// Forgets the marks. This must be called if bytes that were passed to an earlier read have changed.
  mutating func forgetMarks() { event.marks.length = 0 }

  /// Reads an event that is alone in its line and begins at the start of `text`, with its brace.
  ///
  /// - Parameters:
  ///   - text: The bytes from the event on. A line feed must follow them, and the margin that C needs must lie around them.
  ///   - values: The values of the event; meaningless if the result is nil.
  /// - Returns: The number of bytes up to the brace that ends the event, and of those up to the line feed; nil if the scanner
  ///   cannot read the event.
  @inline(__always) mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, into values: inout ProjectedEvent
  ) -> (event: Int, line: Int)? {
    guard let base = text.baseAddress else { return nil }
    // Marks that begin behind `base`, because they were made for a later place in the buffer, are of no use.
    let ahead = event.marks.length == 0 ? 0 : event.marks.text + event.marks.length - base
    if ahead < min(Self.minimumAhead, text.count) || event.marks.text > base {
      encircle_json_mark(base, min(text.count, Self.markedLength), &event.marks)
    }
    values.lend(to: &event, textLength: text.count)
    var line = 0
    let length = encircle_json_read(base, &event, &line)
    return length == 0 ? nil : (length, line)
  }
}
