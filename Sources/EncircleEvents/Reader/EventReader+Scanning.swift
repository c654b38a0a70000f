import EncircleText

// Reading lines with the scanner, several at a time.

extension EventReader {
  /// Reads the line at `start` if it is of the usual form; nil if it must be examined more closely.
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

  /// Scans some of the lines from `start` on. It stops at a line that must be examined more closely.
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
        // A long line may have taken much memory. It is released, so that not every place for a scanned line keeps as much.
        if !scanned.isEmpty { scanned.free.pointee.release() }
        return
      }
      scanned.append(eventLength: found.event, lineLength: found.line)
      position += found.line + 1
    }
  }
}
