import EncircleText

// Decides, from the beginning of the input, between lines and documents.

extension EventReader {
  /// Finds out from the first line whether the input is lines or documents; leaves it undecided if the reader is starved.
  mutating func decideFraming() {
    if !isBehindMark { skipByteOrderMark() }
    if isStarved { return }
    isBehindMark = true
    guard skipWhiteSpace() else {
      if !isStarved { framing = .lines }
      return
    }
    if buffer[start] == UInt8(ascii: "[") {
      framing = .documents(.top)
      return
    }
    if buffer[start] == UInt8(ascii: "{"), let length = lineEnd(from: 0) {
      if isStarved { return }
      framing = .lines
      if length == available { return }
      tape.begin()
      do throws(JSONError) {
        // With the line feed, which no string can contain.
        let end = try tape.advance(in: buffer.bytes(in: start..<start + length + 1), isComplete: false)
        if end == nil { framing = .documents(.top) }
      } catch {
        // Broken in its first line: there is nothing to hold together.
      }
    }
    if framing == .undecided { framing = .lines }
  }

  private mutating func skipByteOrderMark() {
    let mark = ByteOrderMark.utf8
    while available < mark.count, mark.starts(with: buffer.bytes(in: start..<end)) {
      if !refill() { return }
    }
    if available >= mark.count, buffer.bytes(in: start..<start + mark.count).elementsEqual(mark) { start += mark.count }
  }

  /// Skips white space and notes the indentation of the line after it; false at the end of the available bytes.
  mutating func skipWhiteSpace() -> Bool {
    while true {
      while start < end, isWhiteSpace(buffer[start]) {
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
