/// A stream of bytes from a file, a descriptor, memory, or a caller who appends them. Gzip data, recognised by its content, is
/// decompressed; data of other compressors is an error.
///
/// ```swift
/// var source = try ByteSource(path: "events.ndjson.gz")
/// var bytes: [UInt8] = []
/// while try source.read(into: &bytes, atMost: 1 << 16) > 0 { /* use and empty `bytes` */ }
/// ```
/// Uses 64 KiB of memory while it decompresses, and nothing else.
public struct ByteSource: ~Copyable {
  private enum Coding { case undecided, plain, gzip }

  private static let blockSize = 1 << 16

  // New room is filled from here, because copying is one step even if the library is not optimised; a loop would take a hundred times
  // as long.
  private static let zeros = [UInt8](repeating: 0, count: 4 * blockSize)

  // The source of the bytes, unless they are in memory.
  private let descriptor: Int32?
  private let closesDescriptor: Bool
  // Bytes read and not yet delivered: raw[rawStart ..< rawEnd]. For a source in memory, this is all of the data at first.
  private var raw: [UInt8]
  private var rawStart = 0
  private var rawEnd: Int
  private var rawIsComplete: Bool
  // This is true if the caller appends the bytes.
  private var isAppended = false
  private var coding = Coding.undecided
  private var inflater: Inflater?
  private let shouldStop: (@Sendable () -> Bool)?
  // The maximum number of bytes that one read delivers.
  private var pieceSize = Int.max

  /// This is true if the caller's `shouldStop` ended the stream before its end.
  public private(set) var wasStopped = false

  /// The number of bytes that have been read from a file or descriptor so far, before decompression.
  public private(set) var bytesRead = 0

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameter shouldStop: Called before each read from the system and after each signal; once it returns true, the
  ///   stream ends without an error.
  /// - Throws: ``InputError/noSuchFile``, ``InputError/isDirectory`` or ``InputError/unreadable(_:)``.
  public init(path: String, shouldStop: (@Sendable () -> Bool)? = nil) throws(InputError) {
    let isStandardInput = path == "-"
    let opened: Int32? =
      isStandardInput
      ? FileDescriptor.standardInput : try FileDescriptor.openForReading(path, shouldStop: shouldStop)
    guard let descriptor = opened else {
      self.init([])
      wasStopped = true
      return
    }
    if FileDescriptor.isDirectory(descriptor) {
      if !isStandardInput { FileDescriptor.closeFile(descriptor) }
      throw .isDirectory
    }
    self.init(descriptor: descriptor, closesDescriptor: !isStandardInput, shouldStop: shouldStop)
  }

  /// Reads from an open file descriptor, from its position on.
  ///
  /// - Parameters:
  ///   - descriptor: May be a file, a pipe, a socket or a terminal, blocking or not.
  ///   - closesDescriptor: True if the descriptor is closed when the source goes away.
  ///   - shouldStop: As for a file.
  public init(descriptor: Int32, closesDescriptor: Bool = false, shouldStop: (@Sendable () -> Bool)? = nil) {
    self.descriptor = descriptor
    self.closesDescriptor = closesDescriptor
    self.shouldStop = shouldStop
    raw = []
    rawEnd = 0
    rawIsComplete = false
  }

  /// Reads from memory.
  public init(_ bytes: [UInt8]) {
    descriptor = nil
    closesDescriptor = false
    shouldStop = nil
    raw = bytes
    rawEnd = bytes.count
    rawIsComplete = true
  }

  /// Reads from memory, at most `pieceSize` bytes at a time, as a slow pipe would deliver them.
  package init(_ bytes: [UInt8], pieceSize: Int) {
    self.init(bytes)
    self.pieceSize = pieceSize
  }

  /// Creates a stream of the bytes that the caller appends.
  package init() {
    self.init([])
    rawIsComplete = false
    isAppended = true
  }

  /// Appends bytes to a stream that was made for it; they are ignored once the stream has ended.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    precondition(isAppended, "bytes can be appended only to a source that was created without any")
    if rawIsComplete { return }
    if rawStart == rawEnd {
      raw.removeAll(keepingCapacity: true)
      rawStart = 0
    }
    raw.append(contentsOf: bytes)
    rawEnd = raw.count
  }

  /// Ends a stream of appended bytes.
  package mutating func finish() {
    precondition(isAppended, "only a source that was created without bytes can be finished")
    rawIsComplete = true
  }

  /// This is true if a read returned no bytes because none have been appended yet, rather than because the stream has ended.
  package var needsInput: Bool { isAppended && !rawIsComplete }

  deinit {
    if closesDescriptor, let descriptor { FileDescriptor.closeFile(descriptor) }
  }

  /// Appends the next bytes to `bytes`: at least one, at most `limit`, or none at the end.
  ///
  /// Does not wait for more bytes than the system has to offer.
  ///
  /// - Parameter limit: Greater than 0.
  /// - Returns: The number of bytes appended; 0 at the end of the stream, also in every later call.
  /// - Throws: ``InputError/unreadable(_:)``, ``InputError/isDirectory``, ``InputError/otherCompression(_:)`` or, after all
  ///   bytes that are intact, ``InputError/badCompression(_:)``.
  public mutating func read(into bytes: inout [UInt8], atMost limit: Int) throws(InputError) -> Int {
    precondition(limit > 0, "a read of no bytes could not be distinguished from the end")
    // The new bytes must be initialised first, so room is made only for about as many as one read delivers.
    let limit = min(limit, Self.zeros.count)
    let before = bytes.count
    bytes.append(contentsOf: Self.zeros.prefix(limit))
    var got = 0
    defer { bytes.removeLast(limit - got) }
    got = try read(into: &bytes, at: before..<before + limit)
    return got
  }

  /// Appends bytes until `bytes` has `count` of them, or the stream ends.
  ///
  /// - Throws: As ``read(into:atMost:)``.
  package mutating func fill(_ bytes: inout [UInt8], upTo count: Int) throws(InputError) {
    while bytes.count < count, try read(into: &bytes, atMost: count - bytes.count) > 0 {}
  }

  /// Reads all bytes from here to the end.
  ///
  /// - Throws: ``InputError/tooLarge(limit:)`` when there are more than `limit`, compressed or decompressed; otherwise as
  ///   ``read(into:atMost:)``.
  public mutating func readAll(limit: Int) throws(InputError) -> [UInt8] {
    if descriptor == nil, !isAppended, coding != .gzip, rawStart == 0 {
      if rawEnd > limit { throw .tooLarge(limit: limit) }
      if coding == .undecided { try decideCoding() }
      if coding == .plain {
        rawStart = rawEnd
        return raw
      }
    }
    var size = Self.blockSize
    if let descriptor, let remaining = FileDescriptor.remainingBytes(descriptor) {
      if remaining > limit { throw .tooLarge(limit: limit) }
      size = rawEnd - rawStart + remaining + 1
    }
    var result: [UInt8] = []
    while true {
      var problem: InputError?
      var ended = false
      // One byte more than the limit shows that there are too many.
      let rest = limit - result.count
      let room = rest < size ? rest + 1 : size
      let block = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        do throws(InputError) {
          while count < room {
            let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<room]))
            let got = try read(into: rest)
            if got == 0 {
              ended = true
              return
            }
            count += got
          }
        } catch {
          problem = error
        }
      }
      if result.isEmpty { result = block } else { result.append(contentsOf: block) }
      if result.count > limit { throw .tooLarge(limit: limit) }
      if let problem { throw problem }
      if ended { return result }
      size = 1 << 20
    }
  }

  /// Writes the next bytes to `output`, which is not empty: as many as are at hand, or none at the end.
  ///
  /// - Throws: As ``read(into:atMost:)``.
  package mutating func read(into output: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
    if coding == .undecided { try decideCoding() }
    if coding == .undecided { return 0 }
    let output = UnsafeMutableRawBufferPointer(rebasing: output.prefix(pieceSize))
    return coding == .gzip ? try inflate(into: output) : try copy(into: output)
  }

  /// This is true if the next read of a descriptor would wait for bytes to arrive.
  package var wouldWait: Bool {
    guard let descriptor, !rawIsComplete, rawStart == rawEnd else { return false }
    return FileDescriptor.wouldWait(descriptor)
  }

  /// Replaces the beginning of `bytes[range]`, which is not empty, by the next bytes: as many as are at hand.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: As ``read(into:atMost:)``.
  package mutating func read(into bytes: inout [UInt8], at range: Range<Int>) throws(InputError) -> Int {
    try bytes.withUnsafeMutableBufferPointer { buffer throws(InputError) -> Int in
      try read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[range])))
    }
  }

  private mutating func decideCoding() throws(InputError) {
    while true {
      let recognition = raw.withUnsafeBytes {
        Compression.recognise(UnsafeRawBufferPointer(rebasing: $0[rawStart..<rawEnd]))
      }
      switch recognition {
      case .compressed(.gzip):
        coding = .gzip
        return
      case .compressed(let format): throw .otherCompression(format.rawValue)
      case .plain:
        coding = .plain
        return
      case .tooShort: break
      }
      if rawIsComplete {
        coding = .plain
        return
      }
      if isAppended { return }
      try fillRaw()
    }
  }

  /// Appends to the undelivered bytes, or notes the end.
  private mutating func fillRaw() throws(InputError) {
    if rawStart == rawEnd {
      rawStart = 0
      rawEnd = 0
    }
    if raw.isEmpty { raw = [UInt8](repeating: 0, count: Self.blockSize) }
    // Only the beginning of a stream is kept while more is read, so the buffer always has space. The buffer is moved out of
    // `self` during the call, because reading changes `self`.
    var block: [UInt8] = []
    swap(&block, &raw)
    defer { swap(&block, &raw) }
    let got = try block.withUnsafeMutableBufferPointer { buffer throws(InputError) -> Int in
      try readSystem(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[rawEnd...])))
    }
    rawEnd += got
    if got == 0 { rawIsComplete = true }
  }

  private mutating func copy(into output: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
    let count = min(rawEnd - rawStart, output.count)
    if count > 0 {
      raw.withUnsafeBytes { output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[rawStart..<rawStart + count])) }
      rawStart += count
      return count
    }
    if rawIsComplete || isAppended { return 0 }
    raw = []
    rawStart = 0
    rawEnd = 0
    let got = try readSystem(into: output)
    if got == 0 { rawIsComplete = true }
    return got
  }

  private mutating func inflate(into output: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
    if inflater == nil { inflater = try Inflater() }
    while true {
      if rawStart == rawEnd {
        if !rawIsComplete, !isAppended { try fillRaw() }
        if rawStart == rawEnd {
          // zlib may still hold output that did not fit.
          let rest = try stepInflater(into: output)
          if rest.produced > 0 { return rest.produced }
          if wasStopped || needsInput || inflater?.isBetweenMembers == true { return 0 }
          throw .badCompression("the data ends too early")
        }
      }
      let step = try stepInflater(into: output)
      rawStart += step.consumed
      if step.produced > 0 { return step.produced }
    }
  }

  private mutating func stepInflater(into output: UnsafeMutableRawBufferPointer) throws(InputError) -> Inflater.Step {
    // Asking for another member where the data ends would start one.
    if rawStart == rawEnd, inflater?.isBetweenMembers == true { return Inflater.Step(consumed: 0, produced: 0) }
    let input = raw
    let step = try input.withUnsafeBufferPointer { buffer throws(InputError) -> Inflater.Step? in
      try inflater?.step(
        from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[rawStart..<rawEnd])), into: output)
    }
    return step ?? Inflater.Step(consumed: 0, produced: 0)
  }

  /// Reads from the descriptor; 0 at the end, and when the caller wants to stop.
  private mutating func readSystem(into output: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
    guard let descriptor else { return 0 }
    while true {
      if let shouldStop, shouldStop() {
        wasStopped = true
        rawIsComplete = true
        return 0
      }
      switch FileDescriptor.readOnce(descriptor, into: output) {
      case .bytes(let count):
        bytesRead += count
        return count
      case .interrupted: continue
      case .failed(let error): throw error
      }
    }
  }
}
