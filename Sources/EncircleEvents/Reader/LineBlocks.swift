import EncircleInput
import EncircleTree

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
/// The records of all pieces, one after the other, are those that one reader gives for the whole input. An input that is
/// not lines but documents cannot be divided: it is read by one reader, which ``documents()`` gives.
///
/// Memory: as a reader's, and a block for the caller.
package struct LineBlocks: ~Copyable {
  /// A part of the input.
  package enum Piece: Sendable {
    case lines(Block)
    /// A line that is longer than the limit.
    case rejection(Rejection)
  }

  /// Whole lines, but for white space in front and the last line of the input, which need not have an end.
  package struct Block: Sendable {
    /// The lines.
    package let bytes: [UInt8]
    /// The place of the first byte.
    package let location: SourceLocation
    /// How far the first line is indented, in bytes, which are not here.
    let indentation: Int
    /// Whether the input ends with this block, but not where its writer meant it to.
    let isInterrupted: Bool
  }

  private var reader: EventReader
  private let blockSize: Int

  /// Begins to read; blocks will have about that many bytes.
  ///
  /// - Parameters:
  ///   - projection: For the reader of documents.
  ///   - lengthLimit: As for a reader.
  package init(
    _ source: consuming ByteSource, projection: EventProjection? = nil,
    lengthLimit: Int = EventReader.defaultLengthLimit, blockSize: Int = 1 << 18
  ) {
    precondition(blockSize > 0)
    reader = EventReader(source, projection: projection, lengthLimit: lengthLimit)
    self.blockSize = blockSize
    reader.decideFraming()
  }

  /// Whether the input is lines, which ``next()`` divides; else ``documents()`` reads it.
  package var isLines: Bool { reader.framing == .lines }

  /// Whether the input was stopped before its end.
  package var wasStopped: Bool { reader.wasStopped }

  /// The reader of an input of which no block has been taken.
  package consuming func documents() -> EventReader { reader }

  /// The next piece; nil at the end of the input.
  ///
  /// - Throws: Once, after all pieces, what made the input end.
  package mutating func next() throws(InputError) -> Piece? { try reader.takeLines(about: blockSize) }
}

extension EventReader {
  /// Creates a reader of a block, with the limit that the blocks have.
  package init(
    _ block: LineBlocks.Block, projection: EventProjection? = nil, lengthLimit: Int = EventReader.defaultLengthLimit
  ) {
    self.init(ByteSource([]), projection: projection, lengthLimit: lengthLimit)
    buffer = ReadBuffer(block.bytes)
    end = block.bytes.count
    isAtEnd = true
    endsInterrupted = block.isInterrupted
    framing = .lines
    location = block.location
    indentation = block.indentation
  }

  /// Uses up lines and gives them away.
  mutating func takeLines(about size: Int) throws(InputError) -> LineBlocks.Piece? {
    guard skipWhiteSpace() else {
      try throwFailure()
      return nil
    }
    while available < size, refill() {}
    var count: Int
    if let feed = buffer.lastLineFeed(in: start..<min(end, start + size)) {
      count = feed + 1 - start
    } else if let length = lineEnd(from: 0) {
      count = min(length + 1, available)
    } else {
      return .rejection(rejectLong(from: 0, .tooLong(limit: lengthLimit), at: location))
    }
    let block = LineBlocks.Block(
      bytes: Array(buffer.bytes(in: start..<start + count)), location: location, indentation: indentation,
      isInterrupted: start + count == end && wasInterrupted)
    consume(count)
    return .lines(block)
  }
}
