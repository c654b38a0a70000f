import EncircleText

extension EventReader {
  /// The content of a line.
  enum LineContent {
    /// White space, or a comma of a broken array.
    case blank
    /// The bracket that ends a broken array, or its last element and that bracket.
    case arrayEnd
    /// An event, and its range in the buffer.
    case event(Range<Int>, endsArray: Bool)
    /// A problem, and its offset in the buffer.
    case problem(JSONError.Kind, Int)
    /// An object that is indented too far to be a separate event, and its offset in the buffer.
    case nested(Int)
  }

  mutating func nextLine() -> Record? {
    while skipWhiteSpace() {
      if let line = scanLine() { return .event(line: line) }
      let known = available
      guard let length = lineEnd(from: 0) else {
        return rejectLong(from: 0, .tooLong(limit: lengthLimit), at: location).map { .rejection($0) }
      }
      if isStarved { return nil }
      // Only the end of the line was missing.
      if available > known, let line = scanLine() { return .event(line: line) }
      let line = location.line
      switch examine(start..<start + length, indentation: indentation) {
      case .blank:
        consumeLine(length)
      case .arrayEnd:
        recovery = nil
        consumeLine(length)
      case .event(let range, let endsArray):
        if endsArray { recovery = nil }
        event = range
        consumeLine(length)
        return .event(line: line)
      case .problem(let kind, let offset):
        let isCut = kind == .unexpectedEnd && start + length == end && wasInterrupted
        return .rejection(rejectLine(length, isCut ? .interrupted : .json(kind), at: location(of: offset - start)))
      case .nested(let offset):
        return .rejection(rejectLine(length, .insideBrokenValue, at: location(of: offset - start)))
      }
    }
    return nil
  }

  /// Parses a line in the buffer; then the tape holds its event.
  ///
  /// - Parameter indentation: The number of bytes before the first one in the line that is not white space; nil if `line`
  ///   includes the beginning of the line.
  mutating func examine(_ line: Range<Int>, indentation: Int? = nil) -> LineContent {
    let isArray = recovery?.isArray ?? false
    let limit = recovery?.indentation ?? .max
    var first = firstNonSpace(in: line)
    guard first < line.upperBound else { return .blank }
    let indentation = indentation ?? first - line.lowerBound
    if isArray {
      if buffer[first] == UInt8(ascii: "]"), indentation <= limit {
        var behind = firstNonSpace(in: first + 1..<line.upperBound)
        if behind < line.upperBound, buffer[behind] == UInt8(ascii: ",") {
          behind = firstNonSpace(in: behind + 1..<line.upperBound)
        }
        if behind == line.upperBound { return .arrayEnd }
      } else if buffer[first] == UInt8(ascii: ",") {
        first = firstNonSpace(in: first + 1..<line.upperBound)
        if first == line.upperBound { return .blank }
      }
    }

    let length: Int
    tape.begin()
    do throws(JSONError) {
      length = try tape.advance(in: buffer.bytes(in: first..<line.upperBound), isComplete: true) ?? 0
    } catch {
      return .problem(error.kind, first + error.offset)
    }
    var behind = firstNonSpace(in: first + length..<line.upperBound)
    var endsArray = false
    if isArray, behind < line.upperBound, buffer[behind] == UInt8(ascii: ",") || buffer[behind] == UInt8(ascii: "]") {
      endsArray = buffer[behind] == UInt8(ascii: "]")
      behind = firstNonSpace(in: behind + 1..<line.upperBound)
    }
    if behind < line.upperBound { return .problem(.trailingText, behind) }
    guard tape[0].kind == .object else { return .problem(.notAnObject, first) }
    if indentation > limit { return .nested(first) }
    return .event(first..<first + length, endsArray: endsArray)
  }

  /// Rejects `length` bytes up to the end of a line and uses the line up.
  mutating func rejectLine(_ length: Int, _ reason: Rejection.Reason, at place: SourceLocation) -> Rejection {
    let rejection = makeRejection(length, reason, at: place)
    consume(length)
    consumeLine(0)
    return rejection
  }

  /// Rejects everything from `start` to the end of the line `offset` bytes away, which is longer than the limit, and uses it up
  /// without storing it; nil if the end of the line has not been appended yet.
  mutating func rejectLong(from offset: Int, _ reason: Rejection.Reason, at place: SourceLocation) -> Rejection? {
    let kept = Array(buffer.bytes(in: start..<start + min(Self.keptBytes, lengthLimit)))
    longPiece = LongPiece(
      rejection: Rejection(line: location.line, location: place, reason: reason, bytes: kept, byteCount: 0),
      offset: offset)
    return finishLongPiece()
  }

  /// A piece that is rejected and too long to be held.
  struct LongPiece {
    /// The rejection, with the bytes that are kept and the number of those up to the last that is not white space.
    var rejection: Rejection
    /// The number of bytes used up.
    var count = 0
    /// The offset from which to search for the end of the line, where the piece ends.
    var offset: Int
  }

  /// Uses up the rest of ``longPiece``; nil if the line has not been appended to its end.
  mutating func finishLongPiece() -> Rejection? {
    guard var piece = longPiece else { return nil }
    while true {
      let feed = buffer.firstLineFeed(in: start + piece.offset..<end)
      let pieceEnd = feed ?? end
      let textEnd = lastNonSpaceEnd(in: start..<pieceEnd)
      if textEnd > start { piece.rejection.byteCount = piece.count + textEnd - start }
      piece.count += pieceEnd - start
      consume(pieceEnd - start)
      if feed != nil { consumeLine(0) }
      piece.offset = 0
      if feed != nil || !refill() { break }
    }
    if isStarved {
      longPiece = piece
      return nil
    }
    longPiece = nil
    // The kept bytes may end in white space that does not belong to the piece.
    piece.rejection.bytes.removeLast(max(0, piece.rejection.bytes.count - piece.rejection.byteCount))
    return piece.rejection
  }

  /// Makes a rejection of the next `length` bytes; they are not used up.
  func makeRejection(_ length: Int, _ reason: Rejection.Reason, at place: SourceLocation) -> Rejection {
    let last = lastNonSpaceEnd(in: start..<start + length)
    let kept = last - start > lengthLimit ? start + min(Self.keptBytes, lengthLimit) : last
    return Rejection(
      line: location.line, location: place, reason: reason, bytes: Array(buffer.bytes(in: start..<kept)),
      byteCount: last - start)
  }

  /// Returns the offset behind the last byte in a range that is not white space; the beginning of the range if there is none.
  func lastNonSpaceEnd(in range: Range<Int>) -> Int {
    var i = range.upperBound
    while i > range.lowerBound, isWhiteSpace(buffer[i - 1]) { i -= 1 }
    return i
  }

  func firstNonSpace(in range: Range<Int>) -> Int {
    var i = range.lowerBound
    while i < range.upperBound, isWhiteSpace(buffer[i]) { i += 1 }
    return i
  }
}
