import EncircleText

/// Splits a stream of bytes into messages. A header before each message states its length.
///
/// ```swift
/// var reader = FrameReader()
/// reader.append(bytes)
/// while let frame = try reader.next() { /* … */ }
/// ```
struct FrameReader {
  /// A message, or a note that a message was skipped.
  enum Frame: Equatable {
    /// The bytes of a message, without its header.
    case message([UInt8])
    /// A message longer than the limit, with its length in bytes. Its content is skipped.
    case tooLong(Int)
  }

  /// An error for a header that does not determine where the next message begins.
  struct Problem: Error, Equatable {
    /// A description of the problem.
    let message: String
  }

  /// The maximum number of bytes in a header.
  static let maximumHeader = 4_096
  /// The maximum number of bytes in a message.
  static let maximumMessage = 64 << 20

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  // The number of bytes of an overlong message that are still to be skipped.
  private var skipped = 0
  // The length of the message whose header has been read.
  private var length: Int?

  init(limit: Int = Self.maximumMessage) { self.limit = limit }

  /// Adds bytes of the stream.
  mutating func append(_ new: some Collection<UInt8>) {
    let passed = min(skipped, new.count)
    skipped -= passed
    if start > 0, start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
      start = 0
    } else if start > 1 << 16 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: new.dropFirst(passed))
  }

  /// Returns the next message; nil if it is not complete yet.
  ///
  /// - Throws: A ``Problem``, after which the stream cannot be read any further.
  mutating func next() throws(Problem) -> Frame? {
    if length == nil {
      guard let found = try readHeader() else { return nil }
      if found > limit {
        let here = min(found, bytes.count - start)
        start += here
        skipped = found - here
        return .tooLong(found)
      }
      length = found
    }
    guard let count = length, bytes.count - start >= count else { return nil }
    length = nil
    defer { start += count }
    return .message(Array(bytes[start..<start + count]))
  }

  /// Returns the length in the header; nil if the header is not complete yet.
  private mutating func readHeader() throws(Problem) -> Int? {
    let part = bytes[start...].prefix(Self.maximumHeader)
    // The header ends with an empty line.
    var end: Int?
    var i = part.startIndex
    while i + 3 < part.endIndex {
      if part[i] == 0x0D, part[i + 1] == 0x0A, part[i + 2] == 0x0D, part[i + 3] == 0x0A {
        end = i
        break
      }
      i += 1
    }
    guard let end else {
      if part.count >= Self.maximumHeader {
        throw Problem(message: "the header of a message is longer than \(Self.maximumHeader) bytes")
      }
      return nil
    }
    var length: Int?
    for line in part[part.startIndex..<end].split(separator: 0x0A) {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        throw Problem(message: "the header of a message has a line without ':'")
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name.hasSameBytes(as: "content-length") else { continue }
      let digits = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      let text = String(decoding: digits, as: UTF8.self)
      guard digits.allSatisfy(isDigit), let value = Int(text) else {
        throw Problem(message: "Content-Length is not a number of bytes")
      }
      length = value
    }
    guard let length else { throw Problem(message: "the header of a message has no Content-Length") }
    start = end + 4
    return length
  }

  /// Returns a message with its header.
  static func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }
}
