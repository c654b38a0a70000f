import EncircleEvents
import EncircleText

/// Reads lines of bytes that arrive piece by piece.
struct LineReader {
  private let lengthLimit: Int
  // This is true while the present line is longer than the limit: the reader drops it up to its end.
  private var isTooLong = false

  init(lengthLimit: Int) { self.lengthLimit = lengthLimit }

  /// Returns the line at an offset, without its line feed, and moves the offset behind it; nil if it is not complete yet.
  ///
  /// - Parameter row: Gets a problem if the line is longer than the limit; then the result is incomplete.
  /// - Complexity: O(length).
  mutating func next(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ isComplete: Bool, into row: inout EventRow
  ) -> UnsafeBufferPointer<UInt8>? {
    guard offset < bytes.count else { return nil }
    let found = bytes.offset(of: 0x0A, from: offset)
    let end = found ?? bytes.count
    if end - offset > lengthLimit { isTooLong = true }
    // The last line may lack its line feed.
    guard found != nil || isComplete else {
      // One byte stays, so that the line gets its answer if nothing follows.
      if isTooLong { offset = end - 1 }
      return nil
    }
    if isTooLong {
      row.problem = Rejection.Reason.tooLong(limit: lengthLimit).message
      isTooLong = false
    }
    defer { offset = found == nil ? end : end + 1 }
    return bytes.part(offset..<end)
  }
}
