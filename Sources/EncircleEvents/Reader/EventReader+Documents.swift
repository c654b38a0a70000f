import EncircleText

extension EventReader {
  mutating func nextInDocument() -> Record? {
    while case .documents(let place) = framing {
      guard let offset = nextToken(place) else {
        if isStarved { return nil }
        switch place {
        case .top: return nil
        case .bracket:
          if available > 1 + lengthLimit { return breakLongValue(at: 1, in: place) }
          return breakDocument(.json(.unexpectedEnd), at: available, value: available, in: place)
        case .comma, .element:
          framing = .lines
          // The caller that interrupted the input knows that it is incomplete.
          if wasInterrupted { return nil }
          return .rejection(makeRejection(0, .json(.unexpectedEnd), at: location))
        }
      }
      switch (place, buffer[start + offset]) {
      case (.top, UInt8(ascii: "[")):
        framing = .documents(.bracket)
      case (.top, UInt8(ascii: "{")):
        return nextElement(at: offset, in: place)
      case (.top, _):
        return breakDocument(.json(.expectedValue), at: offset, value: offset, in: place)
      case (.element, UInt8(ascii: ",")):
        consume(1)
        framing = .documents(.comma)
      case (.element, UInt8(ascii: "]")), (.bracket, UInt8(ascii: "]")):
        consume(offset + 1)
        framing = .documents(.top)
      case (.element, _):
        return breakDocument(.json(.expectedCommaOrBracket), at: offset, value: offset, in: place)
      case (.comma, _), (.bracket, _):
        return nextElement(at: offset, in: place)
      }
    }
    return nextLine()
  }

  /// Returns the offset from `start` of the next byte that is not white space; nil at the end of the input.
  ///
  /// The offset is 0 except after an opening bracket, which stays at `start`. There, nil also means too much white space.
  private mutating func nextToken(_ place: Place) -> Int? {
    guard place == .bracket else { return skipWhiteSpace() ? 0 : nil }
    guard let offset = nextNonSpace(from: 1), offset < available else { return nil }
    if let feed = buffer.lastLineFeed(in: start..<start + offset) { indentation = start + offset - feed - 1 }
    return offset
  }

  /// Returns the offset from `start` of the first byte at or behind `offset` that is not white space, or of the end. Returns
  /// nil for white space longer than the limit, because all of it is kept. The result means nothing if the reader is starved.
  private mutating func nextNonSpace(from offset: Int) -> Int? {
    var i = offset
    while true {
      while start + i < end, isWhiteSpace(buffer[start + i]) {
        i += 1
        if i - offset > lengthLimit { return nil }
      }
      if start + i < end { return i }
      if !refill() {
        awaited = .text(limit: offset + lengthLimit)
        return i
      }
    }
  }

  /// Reads a value of a document, or ends the documents; nil if the reader is starved.
  private mutating func nextElement(at offset: Int, in place: Place) -> Record? {
    if brokenElement != nil { return nextBrokenElement(at: offset, in: place) }
    // The tape goes on where it had to stop.
    if unfinishedElement != offset { tape.begin() }
    unfinishedElement = nil
    var length: Int?
    while length == nil {
      // One byte more than the limit shows that a value is too long. Looking at no more makes the result independent of the
      // bytes at hand.
      let sight = min(end, start + offset + lengthLimit + 1)
      do throws(JSONError) {
        length = try tape.advance(
          in: buffer.bytes(in: start + offset..<sight), isComplete: isAtEnd && sight == end)
      } catch {
        brokenElement = BrokenElement(error)
        return nextBrokenElement(at: offset, in: place)
      }
      if length == nil {
        if available - offset > lengthLimit { return breakLongValue(at: offset, in: place) }
        if !refill(), isStarved {
          unfinishedElement = offset
          // Digits complete no value, and the tape would read an unfinished number again from its beginning. So after a digit,
          // the reader waits for a byte that is not one.
          if available > 0, isDigit(buffer[end - 1]) { awaited = .nonDigit(limit: offset + lengthLimit) }
          return nil
        }
      }
    }
    guard let length, length <= lengthLimit else { return breakLongValue(at: offset, in: place) }

    if tape[0].kind == .object {
      let line = location(of: offset).line
      event = start + offset..<start + offset + length
      consume(offset + length)
      framing = .documents(place == .top ? .top : .element)
      return .event(line: line)
    }
    // The value is an element only if the array goes on behind it: `[2026-01-02 10:00] started` is not an array.
    guard let behind = nextNonSpace(from: offset + length) else {
      return breakLongValue(at: offset + length, value: offset, in: place)
    }
    if isStarved { return nil }
    guard behind < available else {
      return breakDocument(.json(.unexpectedEnd), at: behind, value: offset, in: place)
    }
    guard buffer[start + behind] == UInt8(ascii: ",") || buffer[start + behind] == UInt8(ascii: "]") else {
      return breakDocument(.json(.expectedCommaOrBracket), at: behind, value: offset, in: place)
    }
    consume(offset)
    let rejection = makeRejection(length, .json(.notAnObject), at: location)
    consume(length)
    framing = .documents(.element)
    return .rejection(rejection)
  }

  /// Rejects a broken value of a document. If its end is certain, only the value is rejected; otherwise the documents end.
  /// Returns nil if the reader is starved.
  private mutating func nextBrokenElement(at offset: Int, in place: Place) -> Record? {
    guard var element = brokenElement else { return nil }
    brokenElement = nil
    if place == .top || buffer[start + offset] != UInt8(ascii: "{") { element.end() }
    while case .needsText = element.outcome {
      element.advance(in: buffer.bytes(in: start + offset..<min(end, start + offset + lengthLimit)))
      guard case .needsText = element.outcome else { break }
      if available - offset >= lengthLimit || !refill() {
        if isStarved {
          brokenElement = element
          return nil
        }
        element.end()
      }
    }
    guard case .ends(let length) = element.outcome else {
      let record = breakDocument(.json(element.error.kind), at: offset + element.error.offset, value: offset, in: place)
      if record == nil, longPiece == nil { brokenElement = element }
      return record
    }
    consume(offset)
    let rejection = makeRejection(length, .json(element.error.kind), at: location(of: element.error.offset))
    consume(length)
    framing = .documents(.element)
    return .rejection(rejection)
  }

  /// Ends the documents because the value at `value`, or the white space at `offset`, is too long.
  private mutating func breakLongValue(at offset: Int, value: Int? = nil, in place: Place) -> Record? {
    let problem = offset + lengthLimit
    return breakDocument(.tooLong(limit: lengthLimit), at: problem, value: value ?? offset, in: place)
  }

  /// Ends the documents: rejects the broken value at `start`, whose error is at `offset`, and continues with lines. Returns nil,
  /// without any effect, if the reader is starved.
  ///
  /// The piece ends with the line of the error, or earlier if that line seems to be independent: an event was cut short in the first
  /// line of the value and the second line is complete, or the error is at the beginning of a line.
  ///
  /// - Parameter value: The offset of the broken value, which is not 0 after the bracket of an array.
  private mutating func breakDocument(
    _ reason: Rejection.Reason, at offset: Int, value: Int, in place: Place
  ) -> Record? {
    let rejection = rejectDocument(reason, at: offset, value: value, in: place)
    if rejection == nil, longPiece == nil {
      framing = .documents(place)
      recovery = nil
    }
    return rejection.map { .rejection($0) }
  }

  private mutating func rejectDocument(
    _ reason: Rejection.Reason, at offset: Int, value: Int, in place: Place
  ) -> Rejection? {
    framing = .lines
    recovery = Recovery(indentation: indentation, isArray: place != .top)
    if place == .bracket, buffer.firstLineFeed(in: start..<start + offset) == nil {
      // The document breaks in its first line, before any element, so it may not be an array. The reader continues with the next
      // line as usual.
      recovery = nil
    }
    guard let feed = buffer.firstLineFeed(in: start + value..<start + offset) else {
      return rejectBroken(reason, at: offset)
    }
    // Reading on may move the buffer.
    let second = feed + 1 - start
    if let secondEnd = lineEnd(from: second) {
      if isStarved { return nil }
      if case .event = examine(start + second..<start + secondEnd) { return rejectCut(before: second, reason) }
    }
    if let last = buffer.lastLineFeed(in: start..<start + offset),
      firstNonSpace(in: last + 1..<start + offset) == start + offset
    {
      return rejectCut(before: last + 1 - start, reason)
    }
    return rejectBroken(reason, at: offset)
  }

  /// Rejects everything from `start` to the end of the line with the problem; nil if the reader is starved.
  private mutating func rejectBroken(_ reason: Rejection.Reason, at offset: Int) -> Rejection? {
    let place = location(of: offset)
    guard let length = lineEnd(from: offset) else { return rejectLong(from: offset, reason, at: place) }
    if isStarved { return nil }
    let isCut = reason == .json(.unexpectedEnd) && wasInterrupted
    return rejectLine(length, isCut ? .interrupted : reason, at: place)
  }

  /// Rejects everything from `start` to the beginning of the line at `offset`.
  private mutating func rejectCut(before offset: Int, _ reason: Rejection.Reason) -> Rejection {
    var reason = reason
    if case .json = reason {
      reason = start + offset == end && wasInterrupted ? .interrupted : .json(.unexpectedEnd)
    }
    let length = lastNonSpaceEnd(in: start..<start + offset) - start
    let rejection = makeRejection(length, reason, at: location(of: length))
    consume(offset)
    return rejection
  }
}
