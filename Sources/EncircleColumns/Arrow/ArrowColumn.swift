import CEncircle

/// A column of texts, or of times, in the memory of a record batch. Nothing is copied.
///
/// The interface passes no lengths of buffers, so the buffers of texts are trusted to reach up to the last offset. Everything
/// that can be checked without lengths is checked.
///
/// https://arrow.apache.org/docs/format/Columnar.html
struct ArrowColumn {
  typealias Text = UnsafeBufferPointer<UInt8>

  private enum Layout {
    /// No value at all.
    case empty
    case text(offsets: UnsafePointer<Int32>, bytes: UnsafePointer<UInt8>?)
    case longText(offsets: UnsafePointer<Int64>, bytes: UnsafePointer<UInt8>?)
    case view(
      UnsafeRawPointer, buffers: UnsafeMutablePointer<UnsafeRawPointer?>, sizes: UnsafePointer<Int64>?, count: Int)
    /// Whole numbers; as milliseconds they are divided or multiplied.
    case number(UnsafeRawPointer, ArrowInteger, divisor: Int64, factor: Int64)
    /// Milliseconds as doubles. pandas makes such a column of integers if a value is missing.
    case fraction(UnsafeRawPointer)
  }

  let name: String
  let count: Int
  private let layout: Layout
  private let validity: UnsafePointer<UInt8>?
  // The place of the first value in the buffers.
  private let offset: Int
  // The last offset of texts: none of them reaches further.
  private let end: Int
  // The buffer for writing numbers.
  private let digits: ArrowDigits?

  /// - Parameters:
  ///   - name: For messages.
  ///   - takesNumbers: True if numbers are taken, as milliseconds.
  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, name: String, takesNumbers: Bool
  ) throws(ArrowProblem) {
    self.name = name
    let format = schema.pointee.format.map { String(cString: $0) } ?? ""
    let header = try ArrowHeader(array, name)
    count = header.count
    offset = header.offset
    guard schema.pointee.dictionary == nil else { throw .columns("column \(name): a dictionary within a dictionary") }
    var layout = Layout.empty
    var end = 0
    var validity = header.validity
    switch format {
    case "n": validity = nil
    // Many files have texts in columns of bytes, which have the same layout. A text that is not UTF-8 is an error of its row.
    case "u", "z":
      if count > 0 {
        let offsets = try header.buffer(1).assumingMemoryBound(to: Int32.self)
        end = Int(offsets[offset + count])
        layout = .text(offsets: offsets, bytes: try header.bytes(2, isNeeded: end > 0))
      }
    case "U", "Z":
      if count > 0 {
        let offsets = try header.buffer(1).assumingMemoryBound(to: Int64.self)
        end = Int(offsets[offset + count])
        layout = .longText(offsets: offsets, bytes: try header.bytes(2, isNeeded: end > 0))
      }
    case "vu", "vz":
      if count > 0 {
        let buffers = header.bufferCount
        guard buffers >= 3, let all = array.pointee.buffers else {
          throw .columns("column \(name): a column of string views needs at least three buffers")
        }
        layout = .view(
          try header.buffer(1), buffers: all, sizes: all[buffers - 1]?.assumingMemoryBound(to: Int64.self),
          count: buffers - 3)
      }
    case "g" where takesNumbers: if count > 0 { layout = .fraction(try header.buffer(1)) }
    default:
      guard takesNumbers, let (integer, divisor, factor) = ArrowInteger.time(format) else {
        throw .columns(
          "column \(name): \(takesNumbers ? "a time, a number of milliseconds or a text" : "a text") is expected, "
            + "this is of Arrow's format '\(format.prefix(40))'")
      }
      if count > 0 { layout = .number(try header.buffer(1), integer, divisor: divisor, factor: factor) }
    }
    guard end >= 0 else { throw ArrowProblem.columns("column \(name): an offset is negative") }
    self.layout = layout
    self.end = end
    self.validity = validity
    digits = takesNumbers ? ArrowDigits() : nil
  }

  /// This is true if rows can have a text. The rows of a column of nulls have none.
  var hasTexts: Bool { if case .empty = layout { false } else { true } }

  /// Returns the text of a row, as milliseconds where it is a number; nil if it is missing. It is valid until the next call.
  @inline(__always)
  func text(_ row: Int) throws(ArrowProblem) -> Text? {
    let place = offset &+ row
    if let validity, validity[place >> 3] & (1 << UInt8(place & 7)) == 0 { return nil }
    switch layout {
    case .empty: return nil
    case .text(let offsets, let bytes):
      return try part(Int(offsets[place]), Int(offsets[place &+ 1]), bytes)
    case .longText(let offsets, let bytes):
      return try part(Int(offsets[place]), Int(offsets[place &+ 1]), bytes)
    case .view(let views, let buffers, let sizes, let count):
      return try view(views + place &* 16, buffers, sizes, count)
    case .number(let values, let integer, let divisor, let factor):
      return number(values, place, integer, divisor, factor)
    case .fraction(let values): return fraction(values.loadUnaligned(fromByteOffset: place &* 8, as: Double.self))
    }
  }

  @inline(__always)
  private func part(_ start: Int, _ stop: Int, _ bytes: UnsafePointer<UInt8>?) throws(ArrowProblem) -> Text {
    guard start >= 0, start <= stop, stop <= end else { throw .columns("column \(name): its offsets are not in order") }
    guard let bytes else { return Text(start: nil, count: 0) }
    return Text(start: bytes + start, count: stop &- start)
  }

  /// A text of twelve bytes or fewer lies in its view, others in a buffer.
  private func view(
    _ view: UnsafeRawPointer, _ buffers: UnsafeMutablePointer<UnsafeRawPointer?>, _ sizes: UnsafePointer<Int64>?,
    _ count: Int
  ) throws(ArrowProblem) -> Text {
    let length = Int(view.loadUnaligned(as: Int32.self))
    guard length >= 0 else { throw .columns("column \(name): a view has a negative length") }
    if length <= 12 { return Text(start: (view + 4).assumingMemoryBound(to: UInt8.self), count: length) }
    let number = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
    let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    guard number >= 0, number < count, start >= 0, let sizes, let buffer = buffers[2 + number],
      start + length <= Int(sizes[number])
    else { throw .columns("column \(name): a view is not within its buffers") }
    return Text(start: buffer.assumingMemoryBound(to: UInt8.self) + start, count: length)
  }

  private func number(
    _ values: UnsafeRawPointer, _ place: Int, _ integer: ArrowInteger, _ divisor: Int64, _ factor: Int64
  ) -> Text? {
    guard let digits else { return nil }
    guard let value = integer.value(values, place) else {
      // Only a number of 64 bits without a sign is too large for one with a sign. It is in milliseconds.
      return digits.write(values.loadUnaligned(fromByteOffset: place &* 8, as: UInt64.self), isNegative: false)
    }
    // Rounded down, because a time before 1970 can be between two milliseconds, too.
    let quotient = value / divisor - (value % divisor < 0 ? 1 : 0)
    let (milliseconds, overflow) = quotient.multipliedReportingOverflow(by: factor)
    // Milliseconds beyond 64 bits are the digits of the seconds and three zeros.
    let written = overflow ? quotient : milliseconds
    return digits.write(written.magnitude, isNegative: written < 0, zeros: overflow ? 3 : 0)
  }

  private func fraction(_ value: Double) -> Text? {
    // NumPy has no missing numbers, and writes NaN for them. Infinity is no time either.
    guard let digits, value.isFinite else { return nil }
    let whole = value.rounded(.down)
    // A time beyond 64 bits is before or after all others.
    let written = Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
    return digits.write(written.magnitude, isNegative: written < 0)
  }
}
