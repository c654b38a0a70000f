import EncircleText

/// Reads events that arrive one at a time, each as a single JSON text, as in HTTP requests and message queues.
///
/// One reader serves all messages and reuses its memory. A message is treated like a line of an ``EventReader``, but may have line
/// breaks between its tokens; the same scanner reads it, and it is rejected for the same
/// reasons.
package struct MessageReader: ~Copyable {
  private let lengthLimit: Int
  private var buffer = ReadBuffer(count: 1 << 12)
  private var scanner: EventScanner
  private var tape = JSONTape()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - projection: The values to extract from each event.
  ///   - lengthLimit: The longest message, in bytes; less than 2³¹.
  package init(_ projection: EventProjection, lengthLimit: Int = EventReader.defaultLengthLimit) {
    precondition(lengthLimit > 0 && lengthLimit < JSONTape.maximumLength)
    self.lengthLimit = lengthLimit
    scanner = EventScanner(projection, depthLimit: JSONTape.defaultDepthLimit)
  }

  /// Takes the values out of a message: one JSON object, with white space around it and a byte order mark in front or not.
  ///
  /// - Parameters:
  ///   - message: UTF-8; it is copied.
  ///   - values: The values, of the same projection as this reader. They are valid until this reader reads the next message or
  ///     is destroyed.
  /// - Throws: A ``Rejection``; the values then mean nothing.
  /// - Complexity: O(*n*), *n* bytes.
  package mutating func read(
    _ message: UnsafeBufferPointer<UInt8>, into values: inout ProjectedEvent
  ) throws(Rejection) {
    guard message.count <= lengthLimit else { throw Self.rejection(of: message, .tooLong(limit: lengthLimit)) }
    let text = Self.withoutByteOrderMark(message)
    buffer.makeRoom(for: text.count + 1)
    buffer.moveToFront(text)
    buffer.putLineFeed(at: text.count)
    scanner.forgetMarks()
    let copy = buffer.bytes(in: 0..<text.count)
    if scanner.isAble, copy.first == UInt8(ascii: "{"), let found = scanner.read(copy, into: &values),
      JSONTape.skipWhiteSpace(copy, from: found.line) == copy.count
    {
      return
    }
    do throws(JSONError) {
      try tape.parse(copy)
    } catch {
      throw Self.rejection(of: message, .json(error.kind), at: error.offset)
    }
    guard tape[0].kind == .object else {
      throw Self.rejection(of: message, .json(.notAnObject))
    }
    values.load(tape, copy)
  }

  /// Returns the message without a byte order mark in front.
  package static func withoutByteOrderMark(_ message: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let hasMark = message.count >= 3 && message[0] == 0xEF && message[1] == 0xBB && message[2] == 0xBF
    return hasMark ? message.part(3..<message.count) : message
  }

  /// Makes a rejection of a message, as a reader of lines gives it.
  ///
  /// - Parameter offset: The offset of the problem, counted behind the byte order mark; nil if the problem is the whole value.
  private static func rejection(
    of message: UnsafeBufferPointer<UInt8>, _ reason: Rejection.Reason, at offset: Int? = nil
  ) -> Rejection {
    let text = withoutByteOrderMark(message)
    let start = JSONTape.skipWhiteSpace(text, from: 0)
    var end = text.count
    while end > start, isWhiteSpace(text[end - 1]) { end -= 1 }
    var kept = end
    if case .tooLong(let limit) = reason { kept = min(end, start + min(EventReader.keptBytes, limit)) }
    let place = location(of: offset ?? start, in: text)
    return Rejection(
      line: location(of: start, in: text).line, location: place, reason: reason, bytes: Array(text[start..<kept]),
      byteCount: end - start)
  }

  /// Returns the location of a byte. Lines end with a line feed only, as they do in an ``EventReader``.
  private static func location(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> SourceLocation {
    let before = text.part(0..<min(offset, text.count))
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let scalars = before[lineStart...].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: 1 + before.count { $0 == UInt8(ascii: "\n") }, column: 1 + scalars)
  }
}
