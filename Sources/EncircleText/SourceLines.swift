/// A text with its lines, made for many look-ups of places: each takes the same short time, also on a line that is as long
/// as the text.
package struct SourceLines: Sendable {
  /// The text.
  package let text: String
  // The byte offsets of the line starts.
  private let starts: [Int]
  // The number of Unicode scalars that begin in front of each segment of bytes; empty if all bytes are ASCII.
  private let scalarsBefore: [Int]
  private static let segmentLength = 256

  /// Finds the lines of a text, which end with LF, CR LF or CR.
  ///
  /// - Complexity: O(length).
  package init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    (starts, scalarsBefore) = withContiguousBytes(text.utf8) { bytes in
      var starts = [0]
      var scalars = 0
      var scalarsBefore: [Int] = []
      for i in bytes.indices {
        if i % Self.segmentLength == 0 { scalarsBefore.append(scalars) }
        let byte = bytes[i]
        if byte & 0xC0 != 0x80 { scalars += 1 }
        let isEnd = byte == 0x0A || (byte == 0x0D && !(i + 1 < bytes.count && bytes[i + 1] == 0x0A))
        if isEnd { starts.append(i + 1) }
      }
      return (starts, scalars == bytes.count ? [] : scalarsBefore)
    }
  }

  /// Returns the line and column of a byte; an offset beyond the text is taken as its end.
  ///
  /// - Complexity: O(log *lines*).
  package func location(of offset: Int) -> SourceLocation {
    withContiguousBytes(text.utf8) { bytes in
      let offset = min(max(0, offset), bytes.count)
      let line = starts.partitioningIndex { $0 > offset }
      return SourceLocation(
        line: line, column: scalars(before: offset, bytes) - scalars(before: starts[line - 1], bytes) + 1)
    }
  }

  /// Returns the byte offset of a place; a place beyond the end of its line is taken as that end, one beyond the text as
  /// the end of the text.
  ///
  /// - Complexity: O(log *length*).
  package func offset(of location: SourceLocation) -> Int {
    withContiguousBytes(text.utf8) { offset(of: location, $0) }
  }

  /// Returns the part of a line to show around a place, and its first column: all of a short line; otherwise
  /// ``Diagnostic/shownColumns`` and one before the place, and as much behind it.
  ///
  /// - Complexity: O(log *length*).
  package func excerpt(at location: SourceLocation) -> (text: String, column: Int) {
    guard location.line >= 1, location.line <= starts.count else { return ("", 1) }
    return withContiguousBytes(text.utf8) { bytes in
      let most = Diagnostic.shownColumns + 1
      let first = max(1, location.column - most)
      let start = offset(of: SourceLocation(line: location.line, column: first), bytes)
      let end = offset(of: SourceLocation(line: location.line, column: max(1, location.column) + most), bytes)
      return (String(decoding: bytes[start..<max(start, end)], as: UTF8.self), first)
    }
  }

  /// Returns whether the bytes of a text stand at a byte offset.
  package func has(_ other: String, at offset: Int) -> Bool {
    withContiguousBytes(text.utf8) { bytes in
      withContiguousBytes(other.utf8) { other in
        offset >= 0 && offset + other.count <= bytes.count
          && sameBytes(bytes.part(offset..<offset + other.count), other)
      }
    }
  }

  private func offset(of location: SourceLocation, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard location.line >= 1 else { return 0 }
    guard location.line <= starts.count else { return bytes.count }
    let start = starts[location.line - 1]
    var end = location.line < starts.count ? starts[location.line] : bytes.count
    if location.line < starts.count {
      end -= 1
      if end > start, bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
    }
    // No line is longer than the text, so that the sum does not overflow.
    let column = min(max(0, location.column - 1), bytes.count)
    guard !scalarsBefore.isEmpty else { return min(end, start + column) }
    let wanted = scalars(before: start, bytes) + column
    // The segment in which the scalar begins; the one before it may hold its beginning.
    let segment = max(1, scalarsBefore.partitioningIndex { $0 > wanted }) - 1
    var offset = segment * Self.segmentLength
    var count = scalarsBefore[segment]
    while offset < end {
      if bytes[offset] & 0xC0 != 0x80 {
        if count == wanted { break }
        count += 1
      }
      offset += 1
    }
    return min(end, max(start, offset))
  }

  /// Returns the number of scalars that begin in front of a byte.
  private func scalars(before offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !scalarsBefore.isEmpty else { return offset }
    let segment = min(offset / Self.segmentLength, scalarsBefore.count - 1)
    var count = scalarsBefore[segment]
    for i in segment * Self.segmentLength..<offset where bytes[i] & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
