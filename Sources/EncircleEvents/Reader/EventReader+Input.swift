import EncircleInput
import EncircleText

// The bytes at hand: reading more of them, waiting for those that are missing, and using them up.

extension EventReader {
  /// The number of available bytes.
  var available: Int { end - start }

  /// Appends to the available bytes; false if the input has ended, or if the caller must append more, which sets ``isStarved``.
  /// Offsets from `start` stay valid, others do not.
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
      let got = try source.read(into: buffer.free(end..<buffer.count))
      end += got
      if got > 0 { return true }
      if source.needsInput {
        isStarved = true
        (awaited, awaitedFrom) = (.anything, available)
        return false
      }
    } catch {
      failure = error
    }
    isAtEnd = true
    return false
  }

  /// The bytes that are missing for the next step of a starved reader.
  enum Awaited {
    /// One more byte.
    case anything
    /// A line feed, or more bytes than that.
    case lineFeed(limit: Int)
    /// A byte that is not white space, or more bytes than that.
    case text(limit: Int)
    /// A byte that is not a digit, or more bytes than that.
    case nonDigit(limit: Int)
  }

  /// Resumes after starving; returns whether the missing bytes have arrived.
  ///
  /// Each byte is searched only once, however small the pieces of the input are.
  mutating func resume() -> Bool {
    let wanted = awaited
    var searched = awaitedFrom
    while true {
      isStarved = false
      let hasMore = refill()
      let new = start + searched..<end
      searched = available
      let isThere =
        switch wanted {
        case .anything: !new.isEmpty
        case .lineFeed(let limit): available > limit || buffer.firstLineFeed(in: new) != nil
        case .text(let limit): available > limit || firstNonSpace(in: new) < end
        case .nonDigit(let limit): available > limit || !buffer.bytes(in: new).allSatisfy(isDigit)
        }
      if isThere || isAtEnd {
        isStarved = false
        return true
      }
      if !hasMore {
        awaited = wanted
        return false
      }
    }
  }

  /// This is true if the input ends at a place that its writer did not intend.
  var wasInterrupted: Bool { isAtEnd && (failure != nil || source.wasStopped || endsInterrupted) }

  /// Returns the offset from `start` of the first line feed at or behind `offset`, or of the end of the input; nil if that is
  /// more than the limit. The result means nothing if the reader is starved.
  mutating func lineEnd(from offset: Int) -> Int? {
    var searched = offset
    while true {
      if let found = buffer.firstLineFeed(in: start + searched..<end) {
        return found - start > lengthLimit ? nil : found - start
      }
      searched = available
      if searched > lengthLimit { return nil }
      if !refill() {
        awaited = .lineFeed(limit: lengthLimit)
        return searched
      }
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

  /// Returns the place of the byte at an offset from `start`.
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
}
