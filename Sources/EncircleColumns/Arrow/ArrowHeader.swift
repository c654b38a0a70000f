import CEncircle

/// The checked common parts of all arrays.
struct ArrowHeader {
  // More values than any memory holds.
  private static let maximumValues = 1 << 48

  let name: String
  let count: Int
  let offset: Int
  let bufferCount: Int
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>?

  init(_ array: UnsafePointer<ArrowArray>, _ name: String) throws(ArrowProblem) {
    self.name = name
    let array = array.pointee
    guard array.release != nil, array.length >= 0, array.offset >= 0, array.n_buffers >= 0,
      array.length <= Self.maximumValues, array.offset <= Self.maximumValues, array.n_buffers <= Self.maximumValues
    else { throw .columns("column \(name): the array has been released, or has a negative length") }
    count = Int(array.length)
    offset = Int(array.offset)
    bufferCount = Int(array.n_buffers)
    buffers = array.buffers
    nullCount = Int(array.null_count)
  }

  private let nullCount: Int

  /// The bits that say which values there are; nil if all are there.
  var validity: UnsafePointer<UInt8>? {
    guard nullCount != 0, bufferCount > 0 else { return nil }
    return buffers?[0]?.assumingMemoryBound(to: UInt8.self)
  }

  /// This is true if a value is missing. The bits decide, because an array that has not counted its nulls gives -1 as their number.
  var hasNulls: Bool {
    guard let validity else { return false }
    return (offset..<offset + count).contains { validity[$0 >> 3] & (1 << UInt8($0 & 7)) == 0 }
  }

  func buffer(_ number: Int) throws(ArrowProblem) -> UnsafeRawPointer {
    guard number < bufferCount, let buffer = buffers?[number] else {
      throw .columns("column \(name): buffer \(number) is missing")
    }
    return buffer
  }

  /// Returns the bytes of texts; nil if they are not there and not needed.
  func bytes(_ number: Int, isNeeded: Bool) throws(ArrowProblem) -> UnsafePointer<UInt8>? {
    if !isNeeded, number >= bufferCount || buffers?[number] == nil { return nil }
    return try buffer(number).assumingMemoryBound(to: UInt8.self)
  }
}
