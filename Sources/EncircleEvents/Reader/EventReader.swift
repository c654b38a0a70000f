import EncircleInput
import EncircleText

/// Reads events, one JSON object each, from newline-delimited JSON or from JSON documents.
///
/// ```swift
/// var reader = try EventReader(path: "events.ndjson")
/// while let record = try reader.next() {
///   switch record {
///   case .event(let line):
///     let decision = decider.decide(eventOf: reader)
///     print(line, decision.isSelected, decision.rules)
///   case .rejection(let rejection): print("not an event:", rejection)
///   }
/// }
/// ```
///
/// The first line that is not blank decides how the input is divided into events:
///
/// - **Lines.** One object a line, ended by LF or CR LF; blank lines are skipped. A line that is not an object is
///   rejected and has no effect on the others.
/// - **Documents**, if that line begins with `[`, or is the beginning of an object that continues in the next line.
///   Arrays and objects follow each other; each element of an array is an event. An element that is valid JSON but not an
///   object is rejected alone, and so is a broken object if its end is certain and another one follows in its line. Any other
///   error ends the documents: the broken value is rejected up to the end of the line with the error, and the rest is read as
///   lines. There, each line may have the commas and brackets of the broken array around its object, and objects that are
///   indented more than the broken value are rejected.
///
/// Every byte of the input that is not white space, or a bracket or comma of a document's array, belongs to exactly one
/// record. A UTF-8 byte order mark at the beginning is skipped.
///
/// A server does not pull from an input: it creates a reader without one, and appends bytes as they arrive.
///
/// ```swift
/// var reader = EventReader()
/// for chunk in body {
///   reader.append(chunk)
///   while let record = try reader.next() { print(record) }
/// }
/// reader.finish()
/// while let record = try reader.next() { print(record) }
/// ```
/// The records are the same wherever the input is cut into chunks.
///
/// Memory: about twice the longest line or document value that the limit allows, plus the bytes appended since ``next()`` last
/// returned nil.
public struct EventReader: ~Copyable {
  /// The next part of the input.
  public enum Record: Hashable, Sendable {
    /// An event that begins in that line, counted from 1; ``EventReader/withEvent(_:)`` gives its bytes.
    case event(line: Int)
    /// Something else.
    case rejection(Rejection)
  }

  /// The longest line, or value in a document, in bytes, unless the caller sets another limit.
  public static let defaultLengthLimit = 16 << 20
  /// The number of bytes that are kept of a rejected piece that is too long.
  package static let keptBytes = 1_000

  private static let usualBufferSize = 1 << 18

  enum Framing: Equatable {
    case undecided
    case lines
    case documents(Place)
  }

  /// The reader's place in a document.
  enum Place {
    /// At the top, between documents.
    case top
    /// Behind the bracket that opens an array, before its first element. The bracket is still at `start`, so that a line that is not
    /// an array can be rejected as a whole.
    case bracket
    /// Behind a comma of an array.
    case comma
    /// Behind an element of an array.
    case element
  }

  /// The broken document that the lines follow.
  struct Recovery {
    /// The indentation, in bytes, of the line where the broken value began.
    var indentation: Int
    /// This is true if the broken value was in an array.
    var isArray: Bool
  }

  let lengthLimit: Int
  var source: ByteSource
  // The unused input is buffer[start ..< end]; the rest of the buffer is free, except for the last event.
  var buffer: ReadBuffer
  var start = 0
  var end = 0
  /// This is true if no more input follows the buffer.
  var isAtEnd = false
  /// This is true if the input is the last part of another one that was interrupted.
  var endsInterrupted = false
  /// This is true if the current step needs bytes that have not been appended yet. The step then ends without consuming the bytes
  /// that it examined.
  var isStarved = false
  // The bytes that must be appended before the next step can proceed, and how far the input has been searched for them.
  var awaited = Awaited.anything
  var awaitedFrom = 0
  /// The offset of the document's element whose beginning is on the tape; nil if there is none.
  var unfinishedElement: Int?
  /// The element of a document that is being rejected.
  var brokenElement: BrokenElement?
  /// The long piece that is being rejected without storing it, until it ends.
  var longPiece: LongPiece?
  // The error that ended the input, until it has been thrown.
  var failure: InputError?
  /// The place of `buffer[start]`.
  var location = SourceLocation(line: 1, column: 1)
  /// The indentation of the line of `location`, as far as the line has been used, in bytes.
  var indentation = 0
  var framing = Framing.undecided
  /// This is true if the reader has passed the place of a byte order mark.
  var isBehindMark = false
  var recovery: Recovery?
  var tape = JSONTape()
  /// The range of the last event in the buffer.
  var event = 0..<0
  /// The values that are taken out of events; nil if none are.
  package let projection: EventProjection?
  var scanner: EventScanner
  /// The values of the last event, and of those behind it that have been scanned with it.
  var scanned: ScannedEvents
  /// This is true if the scanner read the last event. If so, ``scanned`` has its values, and the tape belongs to
  /// another event.
  var isScanned = false

  /// Creates a reader of a file, compressed with gzip or not; `-` is standard input.
  ///
  /// - Parameters:
  ///   - projection: The values to extract from each event.
  ///   - lengthLimit: The longest line, or value in a document, in bytes; less than 2³¹.
  /// - Throws: The errors of `ByteSource.init(path:shouldStop:)`.
  public init(
    path: String, projection: EventProjection? = nil, lengthLimit: Int = EventReader.defaultLengthLimit
  ) throws(InputError) {
    self.init(try ByteSource(path: path), projection: projection, lengthLimit: lengthLimit)
  }

  /// Creates a reader of bytes in memory, compressed with gzip or not.
  ///
  /// - Parameters:
  ///   - projection: The values to extract from each event.
  ///   - lengthLimit: The longest line, or value in a document, in bytes; less than 2³¹.
  public init(
    bytes: some Sequence<UInt8>, projection: EventProjection? = nil, lengthLimit: Int = EventReader.defaultLengthLimit
  ) {
    let bytes = Array(bytes)
    // One byte more than the input has, so that its end is found without enlarging the buffer.
    let size = min(Self.usualBufferSize, max(1 << 10, bytes.count + 1))
    self.init(ByteSource(bytes), projection: projection, lengthLimit: lengthLimit, bufferSize: size)
  }

  /// Creates a reader of bytes that the caller appends, compressed with gzip or not.
  ///
  /// - Parameters:
  ///   - projection: The values to extract from each event.
  ///   - lengthLimit: The longest line, or value in a document, in bytes; less than 2³¹.
  public init(projection: EventProjection? = nil, lengthLimit: Int = EventReader.defaultLengthLimit) {
    // A server has a reader for each request, and most requests are small.
    self.init(ByteSource(), projection: projection, lengthLimit: lengthLimit, bufferSize: 1 << 14)
  }

  /// Creates a reader of a stream.
  ///
  /// - Parameters:
  ///   - projection: The values to extract from each event.
  ///   - lengthLimit: The longest line, or value in a document, in bytes; less than 2³¹.
  public init(
    _ source: consuming ByteSource, projection: EventProjection? = nil,
    lengthLimit: Int = EventReader.defaultLengthLimit
  ) {
    self.init(source, projection: projection, lengthLimit: lengthLimit, bufferSize: Self.usualBufferSize)
  }

  private init(_ source: consuming ByteSource, projection: EventProjection?, lengthLimit: Int, bufferSize: Int) {
    precondition(lengthLimit > 0 && lengthLimit < JSONTape.maximumLength)
    self.source = source
    buffer = ReadBuffer(count: bufferSize)
    self.projection = projection
    self.lengthLimit = lengthLimit
    scanned = ScannedEvents(projection)
    scanner = EventScanner(projection, depthLimit: JSONTape.defaultDepthLimit)
  }

  /// This is true if the input was stopped before its end by the caller's `shouldStop`.
  public var wasStopped: Bool { source.wasStopped }

  /// The bytes that have been read from the source so far, compressed if they are.
  public var bytesRead: Int { source.bytesRead }

  /// Appends bytes to the input of a reader that was created without one; ``next()`` reads them.
  ///
  /// The last event stays valid. Bytes behind the end of the input are ignored: behind ``finish()``, or behind an error
  /// that ``next()`` has thrown.
  public mutating func append(_ bytes: some Sequence<UInt8>) { source.append(bytes) }

  /// Ends the input of a reader that was created without one.
  public mutating func finish() { source.finish() }

  /// This is true if ``next()`` returned nil because more bytes must be appended.
  ///
  /// Always false at the end of the input, and for a reader of a file, a stream or memory.
  public var needsInput: Bool { !isAtEnd && source.needsInput }

  /// Returns the next event or rejection in the order of the input; nil at its end.
  ///
  /// If the caller appends bytes, nil means that the remaining bytes are not a complete record; ``needsInput`` shows whether more
  /// can follow.
  ///
  /// If the input fails or is stopped, everything read before comes first; an incomplete last piece is rejected as
  /// ``Rejection/Reason/interrupted``.
  ///
  /// - Throws: Once, after all records, the error that ended the input.
  /// - Complexity: O(*n*), *n* bytes of the record and the white space around it.
  public mutating func next() throws(InputError) -> Record? {
    event = 0..<0
    isScanned = false
    if isStarved, !resume() { return nil }
    if let record = nextRecord() {
      if case .event = record, projection != nil, !isScanned { scanned.load(tape, buffer.bytes(in: event)) }
      return record
    }
    if isStarved { return nil }
    try throwFailure()
    return nil
  }

  private mutating func nextRecord() -> Record? {
    if longPiece != nil { return finishLongPiece().map { .rejection($0) } }
    if framing == .undecided { decideFraming() }
    switch framing {
    case .undecided: return nil
    case .lines: return nextLine()
    case .documents: return nextInDocument()
    }
  }

  /// Throws the error that ended the input, if any, and only once.
  mutating func throwFailure() throws(InputError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  /// This is true if ``next()`` last returned an event, rather than a rejection or nil.
  package var hasEvent: Bool { !event.isEmpty }

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
    // The scanner has checked that the event is JSON.
    do throws(JSONError) { try tape.parse(text) } catch { assertionFailure("\(error)") }
    return try body(text, tape)
  }

  /// The values, at the places of the projection, of the event that ``next()`` returned last, and of some events that it will
  /// return next.
  ///
  /// They are valid until the reader changes, and meaningless without a projection or if the last record was not an event.
  /// Not passed to a closure, because Swift copies a noncopyable structure, such as a decider, into a closure and back.
  package var upcomingValues: UnsafeBufferPointer<ProjectedEvent> { scanned.upcoming }
}
