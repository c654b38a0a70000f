import EncircleInput
import EncircleText

/// Reads events, one JSON object each, from newline-delimited JSON or from JSON documents.
///
/// ```swift
/// var reader = try EventReader(ByteSource(path: "events.ndjson"))
/// while let record = try reader.next() {
///   switch record {
///   case .event(let line):
///     let decision = matcher.decide(eventOf: reader, using: &state)
///     print(line, decision.isSelected, decision.rules)
///   case .rejection(let rejection): print("not an event:", rejection)
///   }
/// }
/// ```
///
/// What the input is, its first line that is not blank decides:
///
/// - **Lines.** One object a line, ended by LF or CR LF; blank lines are skipped. A line that is not an object is
///   rejected and has no effect on the others.
/// - **Documents**, when that line begins with `[`, or is the beginning of an object that goes on in the next line.
///   Arrays and objects follow each other; each element of an array is an event. An element that is JSON, but not an
///   object, is rejected by itself. The first error ends the documents: the broken value is rejected up to the end of
///   the line with the error, and the rest is read as lines. There, each line may have the commas and brackets of the
///   broken array around its object, and objects that are indented more than the broken value are rejected.
///
/// Every byte of the input that is not white space, or a bracket or comma of a document's array, belongs to exactly one
/// record. A UTF-8 byte order mark at the beginning is skipped.
///
/// Memory: about twice the longest line, or value of a document, that the limit allows.
public struct EventReader: ~Copyable {
  /// What the input holds next.
  public enum Record: Hashable, Sendable {
    /// An event that begins in that line, counted from 1; ``EventReader/withEvent(_:)`` gives its bytes.
    case event(line: Int)
    /// Something else.
    case rejection(Rejection)
  }

  /// The longest line, or value in a document, in bytes, unless the caller says otherwise.
  public static let defaultLengthLimit = 16 << 20
  /// How much is kept of a rejected piece that is too long, in bytes.
  static let keptBytes = 1_000

  enum Framing: Equatable {
    case undecided
    case lines
    case documents(Place)
  }

  /// Where in a document the reader stands.
  enum Place {
    /// At the top, between documents.
    case top
    /// Behind the bracket that opens an array, no element of which has been read. The bracket is still at `start`, so
    /// that a line that is no array at all can be rejected as a whole.
    case bracket
    /// Behind a comma of an array.
    case comma
    /// Behind an element of an array.
    case element
  }

  /// What is known of the broken document that the lines follow.
  struct Recovery {
    /// How far the line was indented where the broken value began, in bytes.
    var indentation: Int
    /// Whether it was in an array.
    var isArray: Bool
  }

  let lengthLimit: Int
  var source: ByteSource
  // The input that has not been used is buffer[start ..< end]; the rest of the buffer is free, but for the last event.
  var buffer = ReadBuffer(count: 1 << 18)
  var start = 0
  var end = 0
  /// Whether no more input follows the buffer.
  var isAtEnd = false
  /// Whether the input is part of another one, which ends with it, but not where its writer meant it to.
  var endsInterrupted = false
  // What ended the input, until it has been thrown.
  private var failure: InputError?
  /// The place of `buffer[start]`.
  var location = SourceLocation(line: 1, column: 1)
  /// How far the line of `location` is indented, as far as it has been used, in bytes.
  var indentation = 0
  var framing = Framing.undecided
  var recovery: Recovery?
  var tape = JSONTape()
  /// Where in the buffer the last event is.
  var event = 0..<0
  /// What is taken out of events; nil if nothing is.
  package let projection: EventProjection?
  var scanner: EventScanner
  /// The values of the last event, and of those behind it that have been scanned with it.
  var scanned: ScannedEvents
  /// Whether the last event was read by the scanner: the values are there, and the tape is not its.
  private var isScanned = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - projection: What is taken out of each event.
  ///   - lengthLimit: The longest line, or value in a document, in bytes; less than 2³¹.
  public init(
    _ source: consuming ByteSource, projection: EventProjection? = nil,
    lengthLimit: Int = EventReader.defaultLengthLimit
  ) {
    precondition(lengthLimit > 0 && lengthLimit < JSONTape.maximumLength)
    self.source = source
    self.projection = projection
    self.lengthLimit = lengthLimit
    scanned = ScannedEvents(projection)
    scanner = EventScanner(projection, depthLimit: JSONTape.defaultDepthLimit)
  }

  /// Whether the input was stopped before its end by the caller's `shouldStop`.
  public var wasStopped: Bool { source.wasStopped }

  /// The next event or rejection in the order of the input; nil at its end.
  ///
  /// What was read before the input failed or was stopped comes first; a last piece that this leaves incomplete is
  /// rejected as ``Rejection/Reason/interrupted``.
  ///
  /// - Throws: Once, after all records, what made the input end.
  /// - Complexity: O(*n*), *n* bytes of the record and the white space around it.
  public mutating func next() throws(InputError) -> Record? {
    event = 0..<0
    isScanned = false
    if framing == .undecided { decideFraming() }
    if let record = framing == .lines ? nextLine() : nextInDocument() {
      if case .event = record, projection != nil, !isScanned { scanned.load(tape, buffer.bytes(in: event)) }
      return record
    }
    try throwFailure()
    return nil
  }

  /// Throws once what ended the input.
  mutating func throwFailure() throws(InputError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  /// Calls `body` with the bytes of the event that ``next()`` has returned last: one JSON object, from brace to brace.
  ///
  /// The buffer is valid during the call only; it is empty if the last record was not an event.
  public func withEvent<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(buffer.bytes(in: event))
  }

  /// Calls `body` with the bytes and the nodes of the event that ``next()`` has returned last; see ``withEvent(_:)``.
  package func withParsedEvent<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>, JSONTape) throws(E) -> R
  ) throws(E) -> R {
    let text = buffer.bytes(in: event)
    guard isScanned else { return try body(text, tape) }
    var tape = JSONTape()
    // It has been found to be JSON.
    do throws(JSONError) { try tape.parse(text) } catch { assertionFailure("\(error)") }
    return try body(text, tape)
  }

  /// Calls `body` with the values of the event that ``next()`` has returned last, at the places of the projection.
  ///
  /// They are valid during the call only, and of no meaning if the last record was not an event or without a projection.
  package func withValues<R, E: Error>(_ body: (borrowing ProjectedEvent) throws(E) -> R) throws(E) -> R {
    try body(scanned.upcoming[0])
  }

  /// Calls `body` with the values of the event that ``next()`` has returned last, as ``withValues(_:)``, and with those of
  /// some events behind it, which it will return next.
  package func withUpcomingValues<R, E: Error>(
    _ body: (UnsafeBufferPointer<ProjectedEvent>) throws(E) -> R
  ) throws(E) -> R {
    try body(scanned.upcoming)
  }

  /// Reads the line at `start` as most lines are; nil if it must be looked at more closely.
  ///
  /// - Returns: The number of the line, which holds an event.
  mutating func scanLine() -> Int? {
    if !scanned.hasNext { scanLines() }
    guard scanned.hasNext else { return nil }
    let found = scanned.next()
    isScanned = true
    event = start..<start + found.event
    let line = location.line
    start += found.line + 1
    location = SourceLocation(line: line + 1, column: 1)
    indentation = 0
    return line
  }

  /// Scans the lines at `start`, up to one that must be looked at more closely, or some of them.
  private mutating func scanLines() {
    scanned.removeAll()
    guard scanner.isAble, recovery == nil else { return }
    buffer.putLineFeed(at: end)
    var position = start
    while position < end, buffer[position] == UInt8(ascii: "{"), !scanned.isFull,
      position - start < ScannedEvents.lengthLimit
    {
      let found = scanner.read(buffer.bytes(in: position..<end), into: &scanned.free.pointee)
      let limit = scanned.isEmpty ? lengthLimit : min(lengthLimit, ScannedEvents.lengthLimit)
      guard let found, found.line < end - position, found.line <= limit else {
        // What long lines need is not kept once for each of the lines that are scanned together.
        if !scanned.isEmpty { scanned.free.pointee.release() }
        return
      }
      scanned.append(eventLength: found.event, lineLength: found.line)
      position += found.line + 1
    }
  }

  // MARK: Input

  /// The number of bytes at hand.
  var available: Int { end - start }

  /// Appends to the bytes at hand; false if the input has ended. Offsets from `start` stay valid, others do not.
  mutating func refill() -> Bool {
    if isAtEnd { return false }
    scanner.forgetMarks()
    if start == end || (end == buffer.count && start >= buffer.count / 2) {
      buffer.moveToFront(start..<end)
      end -= start
      start = 0
    } else if end == buffer.count {
      buffer.grow()
    }
    do throws(InputError) {
      let got = try source.read(into: buffer.room(end..<buffer.count))
      end += got
      isAtEnd = got == 0
    } catch {
      failure = error
      isAtEnd = true
    }
    return !isAtEnd
  }

  /// Whether the end of what is at hand is not the end that the writer meant.
  var wasInterrupted: Bool { isAtEnd && (failure != nil || source.wasStopped || endsInterrupted) }

  /// The offset from `start` of the first line feed at or behind `offset`, or of the end of the input; nil if that is
  /// more than the limit.
  mutating func lineEnd(from offset: Int) -> Int? {
    var searched = offset
    while true {
      if let found = buffer.firstLineFeed(in: start + searched..<end) {
        return found - start > lengthLimit ? nil : found - start
      }
      searched = available
      if searched > lengthLimit { return nil }
      if !refill() { return searched }
    }
  }

  /// Uses up `count` bytes.
  mutating func consume(_ count: Int) {
    let used = start..<start + count
    location = location(of: count)
    if buffer.firstLineFeed(in: used) != nil, let feed = buffer.lastLineFeed(in: used) {
      indentation = firstNonSpace(in: feed + 1..<used.upperBound) - feed - 1
    }
    start = used.upperBound
  }

  /// Uses up a line whose end is `count` bytes away, and the line feed.
  mutating func consumeLine(_ count: Int) {
    if start + count < end {
      start += count + 1
      location = SourceLocation(line: location.line + 1, column: 1)
      indentation = 0
    } else {
      consume(count)
    }
  }

  /// The place of the byte that many bytes away.
  func location(of offset: Int) -> SourceLocation {
    var result = location
    var lineStart = start
    while let feed = buffer.firstLineFeed(in: lineStart..<start + offset) {
      result.line += 1
      result.column = 1
      lineStart = feed + 1
    }
    result.column += buffer.countScalars(in: lineStart..<start + offset)
    return result
  }

  // MARK: Framing

  mutating func decideFraming() {
    skipByteOrderMark()
    framing = .lines
    guard skipWhiteSpace() else { return }
    if buffer[start] == UInt8(ascii: "[") {
      framing = .documents(.top)
    } else if buffer[start] == UInt8(ascii: "{"), let length = lineEnd(from: 0), length < available {
      tape.begin()
      do throws(JSONError) {
        // With the line feed, which no string can contain.
        let end = try tape.advance(in: buffer.bytes(in: start..<start + length + 1), isComplete: false)
        if end == nil { framing = .documents(.top) }
      } catch {
        // Broken in its first line: there is nothing to hold together.
      }
    }
  }

  private mutating func skipByteOrderMark() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while available < mark.count, mark.starts(with: buffer.bytes(in: start..<end)) {
      if !refill() { return }
    }
    if available >= mark.count, buffer.bytes(in: start..<start + mark.count).elementsEqual(mark) { start += mark.count }
  }

  /// Uses up white space and notes the indentation of the line that it leads to; false at the end of the input.
  mutating func skipWhiteSpace() -> Bool {
    while true {
      while start < end, JSONTape.isWhiteSpace(buffer[start]) {
        if buffer[start] == UInt8(ascii: "\n") {
          location = SourceLocation(line: location.line + 1, column: 1)
          indentation = 0
        } else {
          if location.column == indentation + 1 { indentation += 1 }
          location.column += 1
        }
        start += 1
      }
      if start < end { return true }
      if !refill() { return false }
    }
  }
}
