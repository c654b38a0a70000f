import CZlib

/// Decompression of gzip data (RFC 1952) piece by piece: any number of members, one after the other.
struct Inflater: ~Copyable {
  /// The progress of one step.
  struct Step {
    /// The number of input bytes used.
    var consumed: Int
    /// The number of output bytes written.
    var produced: Int
  }

  // The stream is on the heap because zlib remembers its address.
  private let stream: UnsafeMutablePointer<z_stream>
  /// This is true if a member has ended and no other has begun: the only place where the data may end.
  private(set) var isBetweenMembers = false

  init() throws(InputError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 + 16: the largest window, and a gzip header.
    guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      throw .badCompression("zlib cannot start")
    }
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses part of `input` into `output`; neither may be empty. If both counts are 0, more input is needed.
  ///
  /// - Throws: ``InputError/badCompression(_:)``; bytes written before it remain in `output`, uncounted.
  mutating func step(
    from input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(InputError) -> Step {
    if isBetweenMembers {
      // Files from tapes and block devices are filled up with zeros, which gzip ignores, too.
      let zeros = input.prefix { $0 == 0 }.count
      if zeros > 0 { return Step(consumed: zeros, produced: 0) }
      // Another member may follow (RFC 1952 §2.2); anything else is an error of its header.
      guard inflateReset(stream) == Z_OK else { throw .badCompression("zlib cannot restart") }
      isBetweenMembers = false
    }
    let input = UnsafeRawBufferPointer(rebasing: input.prefix(1 << 30))
    let room = min(output.count, 1 << 30)
    // zlib does not write through next_in; its declaration lacks the const.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(room)
    let status = inflate(stream, Z_NO_FLUSH)
    let step = Step(
      consumed: input.count - Int(stream.pointee.avail_in), produced: room - Int(stream.pointee.avail_out))
    switch status {
    case Z_STREAM_END: isBetweenMembers = true
    case Z_OK, Z_BUF_ERROR: break
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
      // Intact bytes are delivered first; zlib repeats the error at the next step.
      if step.produced == 0 { throw .badCompression(reason) }
    }
    return step
  }
}

/// A format of compressed data, recognised by its first bytes. Only gzip can be decompressed.
enum Compression: String, CaseIterable {
  case gzip, zstd, xz, bzip2
  case lz4 = "LZ4"

  /// The answer for the beginning of some data.
  enum Recognition {
    case compressed(Compression)
    case plain
    /// More bytes are needed to know.
    case tooShort
  }

  /// Returns how data is compressed that begins with these bytes.
  static func recognise(_ data: UnsafeRawBufferPointer) -> Recognition {
    for format in allCases {
      let beginning = format.beginning
      guard data.prefix(beginning.count).elementsEqual(beginning.prefix(data.count)) else { continue }
      return data.count < beginning.count ? .tooShort : .compressed(format)
    }
    return .plain
  }

  private var beginning: [UInt8] {
    switch self {
    case .gzip: Gzip.beginning
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .lz4: [0x04, 0x22, 0x4D, 0x18]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]
    // Blocks of 900 kB, the default, and the first bytes of the first block.
    case .bzip2: Array("BZh91AY".utf8)
    }
  }
}
