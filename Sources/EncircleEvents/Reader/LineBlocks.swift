import EncircleInput
import EncircleText

/// Divides an input into blocks of whole lines, so that several threads can read events from it.
///
/// ```swift
/// var blocks = LineBlocks(source)
/// while let piece = try blocks.next() {
///   switch piece {
///   case .lines(let block): read(EventReader(block, projection: projection))  // on any thread
///   case .rejection(let rejection): print(rejection)
///   }
/// }
/// ```
/// The records of all pieces together are the same as those of one reader for the whole input. Documents, unlike lines, cannot be
/// divided: ``documents()`` returns one reader for them.
///
/// A block is shorter than requested if no more input is available for now, so that its lines need not wait.
///
/// Memory: that of a reader, plus the blocks. Only the line in which a block ends is copied: the memory moves from the divider to the
/// block and from there to a reader, and can be reused.
package struct LineBlocks: ~Copyable {
  /// A part of the input.
  package enum Piece: Sendable {
    case lines(Block)
    /// A line that is longer than the limit.
    case rejection(Rejection)
  }

  /// Whole lines, except for leading white space and the last line of the input, which may lack an end.
  ///
  /// One thread at a time may use it.
  package final class Block: @unchecked Sendable {
    // Unchecked, because it changes. Only one owner at a time changes it: the divider or, later, a reader.
    fileprivate var buffer: ReadBuffer
    /// The range of the lines in the buffer.
    fileprivate var range = 0..<0
    /// The place of the first byte.
    package fileprivate(set) var location = SourceLocation(line: 1, column: 1)
    /// The number of bytes that indent the first line. They are not part of the block.
    fileprivate var indentation = 0
    /// This is true if the input ends with this block, at a place that its writer did not intend.
    fileprivate var isInterrupted = false

    fileprivate init(size: Int) { buffer = ReadBuffer(count: size) }

    /// Creates a block by copying lines that the caller has divided.
    ///
    /// - Parameter line: The number of the first one, from 1.
    package convenience init(lines: UnsafeBufferPointer<UInt8>, firstLine line: Int) {
      // The reader puts a line feed behind the last line.
      self.init(size: max(lines.count + 1, LineBlocks.minimumBufferSize))
      buffer.moveToFront(lines)
      range = 0..<lines.count
      location = SourceLocation(line: line, column: 1)
    }

    /// The number of bytes of the lines.
    package var count: Int { range.count }
    /// The number of bytes that it could have.
    package var capacity: Int { buffer.count }
  }

  private var reader: EventReader
  private let blockSize: Int

  /// The bytes that a block has, about.
  package static let defaultBlockSize = 1 << 20
  /// The minimum memory of a block, in bytes, so that a reader can always read more.
  fileprivate static let minimumBufferSize = 64

  /// Begins to read. Blocks will have about `blockSize` bytes.
  ///
  /// - Parameters:
  ///   - projection: For the reader of documents.
  ///   - lengthLimit: As for a reader.
  package init(
    _ source: consuming ByteSource, projection: EventProjection? = nil,
    lengthLimit: Int = EventReader.defaultLengthLimit, blockSize: Int = LineBlocks.defaultBlockSize
  ) {
    precondition(blockSize > 0)
    reader = EventReader(source, projection: projection, lengthLimit: lengthLimit)
    self.blockSize = blockSize
    reader.decideFraming()
  }

  /// This is true if the input consists of lines, which ``next(using:)`` divides; otherwise ``documents()`` reads it.
  package var isLines: Bool { reader.framing == .lines }

  /// What the input has in place of events, by its beginning; nil if it may have events.
  package var otherContent: OtherContent? { reader.contentAhead }

  /// This is true if the input was stopped before its end.
  package var wasStopped: Bool { reader.wasStopped }

  /// The bytes that have been read from the source so far, compressed if they are.
  package var bytesRead: Int { reader.bytesRead }

  /// Returns the reader of an input before its first block.
  package consuming func documents() -> EventReader { reader }

  /// Returns the next piece; nil at the end of the input.
  ///
  /// - Parameter spare: A block that is no longer needed.
  /// - Throws: Once, after all pieces, the error that ended the input.
  package mutating func next(using spare: Block? = nil) throws(InputError) -> Piece? {
    try reader.takeLines(about: blockSize, spare)
  }
}

extension EventReader {
  /// Returns what the input has in place of events, as ``LineBlocks/otherContent`` does. Waits for its first line.
  package mutating func otherContent() -> OtherContent? {
    if framing == .undecided { decideFraming() }
    return contentAhead
  }

  fileprivate var contentAhead: OtherContent? {
    guard framing == .lines else { return nil }
    return OtherContent(beginning: buffer.bytes(in: start..<min(end, start + OtherContent.beginningLength)))
  }

  /// Creates a reader of a block, with the limit that the blocks have.
  package init(
    _ block: LineBlocks.Block, projection: EventProjection? = nil, lengthLimit: Int = EventReader.defaultLengthLimit
  ) {
    self.init(blocksFor: projection, lengthLimit: lengthLimit)
    begin(block)
  }

  /// Creates a reader of blocks, with the limit that the blocks have; see ``begin(_:)``.
  package init(blocksFor projection: EventProjection?, lengthLimit: Int = EventReader.defaultLengthLimit) {
    self.init(ByteSource([]), projection: projection, lengthLimit: lengthLimit)
    framing = .lines
    isAtEnd = true
  }

  /// Starts to read a block instead of the current input; owns the block's memory until ``end(_:)``.
  package mutating func begin(_ block: LineBlocks.Block) {
    swap(&buffer, &block.buffer)
    scanner.forgetMarks()
    scanned.removeAll()
    event = 0..<0
    start = block.range.lowerBound
    end = block.range.upperBound
    isAtEnd = true
    endsInterrupted = block.isInterrupted
    framing = .lines
    recovery = nil
    location = block.location
    indentation = block.indentation
  }

  /// Gives a block its memory back.
  package mutating func end(_ block: LineBlocks.Block) {
    swap(&buffer, &block.buffer)
    scanned.removeAll()
    event = 0..<0
    start = 0
    end = 0
  }

  /// Uses up lines and gives them away.
  mutating func takeLines(
    about size: Int, _ spare: LineBlocks.Block?
  ) throws(InputError) -> LineBlocks.Piece? {
    guard skipWhiteSpace() else {
      try throwFailure()
      return nil
    }
    gather(size)
    var count: Int
    if let feed = buffer.lastLineFeed(in: start..<min(end, start + size)) {
      count = feed + 1 - start
    } else if let length = lineEnd(from: 0) {
      count = min(length + 1, available)
    } else {
      return rejectLong(from: 0, .tooLong(limit: lengthLimit), at: location).map { .rejection($0) }
    }
    let block = spare ?? LineBlocks.Block(size: max(size, LineBlocks.minimumBufferSize))
    block.range = start..<start + count
    block.location = location
    block.indentation = indentation
    block.isInterrupted = start + count == end && wasInterrupted
    consume(count)
    // The memory belongs to the lines, so the bytes after them move.
    let rest = buffer.bytes(in: start..<end)
    block.buffer.makeRoom(for: max(rest.count, size, LineBlocks.minimumBufferSize))
    block.buffer.moveToFront(rest)
    swap(&buffer, &block.buffer)
    scanner.forgetMarks()
    start = 0
    end = rest.count
    return .lines(block)
  }

  /// Reads until a number of bytes is available, or whole lines and nothing more without waiting.
  private mutating func gather(_ size: Int) {
    var searched = 0
    var hasLine = false
    while available < size, end < buffer.count || start == end {
      if !hasLine {
        hasLine = buffer.firstLineFeed(in: start + searched..<end) != nil
        searched = available
      }
      if hasLine, source.wouldWait { return }
      if !refill() { return }
    }
  }
}
