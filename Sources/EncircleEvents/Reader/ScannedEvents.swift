import EncircleText

/// The events of lines that were scanned together: the event that the reader returned last, and the next ones, so that a decider can
/// prefetch for all of them at once.
struct ScannedEvents: ~Copyable {
  /// The maximum number of lines that are scanned together.
  private static let limit = 8
  /// The length in bytes beyond which a line is scanned alone.
  static let lengthLimit = 1 << 14

  private let values: UnsafeMutablePointer<ProjectedEvent>
  private let lengths: UnsafeMutablePointer<(event: Int, line: Int)>
  private let capacity: Int
  private var count = 0
  private var returned = 0

  /// Allocates memory for events; for one only where nothing is taken out.
  init(_ projection: EventProjection?) {
    capacity = projection == nil ? 1 : Self.limit
    values = .allocate(capacity: capacity)
    for i in 0..<capacity { (values + i).initialize(to: ProjectedEvent(projection ?? EventProjection([]))) }
    lengths = .allocate(capacity: capacity)
    lengths.initialize(repeating: (0, 0), count: capacity)
  }

  deinit {
    values.deinitialize(count: capacity).deallocate()
    lengths.deallocate()
  }

  /// Discards all scanned events.
  mutating func removeAll() { (count, returned) = (0, 0) }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == capacity }

  /// The place for the values of the next event.
  var free: UnsafeMutablePointer<ProjectedEvent> { values + count }

  /// Adds an event, with the number of bytes up to its end and of those up to the line feed.
  mutating func append(eventLength: Int, lineLength: Int) {
    lengths[count] = (eventLength, lineLength)
    count += 1
  }

  /// This is true if some events have not been returned.
  var hasNext: Bool { returned < count }

  /// Returns the lengths of an event, the next one.
  mutating func next() -> (event: Int, line: Int) {
    returned += 1
    return lengths[returned - 1]
  }

  /// The values of the event returned last, if there is one, and of those that have not been returned.
  var upcoming: UnsafeBufferPointer<ProjectedEvent> {
    let last = max(0, returned - 1)
    return UnsafeBufferPointer(start: values + last, count: max(1, count - last))
  }

  /// Takes the values out of the only event.
  mutating func load(_ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>) {
    removeAll()
    values.pointee.load(tape, text)
  }
}
