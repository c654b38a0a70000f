import CZlib

/// Recognises and writes gzip data (RFC 1952).
package enum Gzip {
  static let beginning: [UInt8] = [0x1F, 0x8B, 8]

  /// Returns whether data begins as gzip data does, so that ``ByteSource`` decompresses it.
  package static func isBeginning(of data: some Sequence<UInt8>) -> Bool { data.starts(with: beginning) }

  /// Returns `bytes` compressed into one member; nil if memory runs out, or if they are 4 GiB or more.
  ///
  /// - Complexity: O(bytes).
  package static func compressed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
    guard UInt32(exactly: bytes.count) != nil else { return nil }
    var stream = z_stream()
    let windowBits: Int32 = 15 + 16
    let started = deflateInit2_(
      &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var isComplete = false
    let room = Int(deflateBound(&stream, UInt(bytes.count))) + 64
    let result = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = output.count - Int(stream.avail_out)
    }
    return isComplete ? result : nil
  }
}
