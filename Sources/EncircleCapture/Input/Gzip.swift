import CZlib

/// Decompression of gzip data in memory.
enum Gzip {
  /// Whether data begins like a gzip file (RFC 1952).
  static func isCompressed(_ data: UnsafeRawBufferPointer) -> Bool {
    data.count >= 3 && data[0] == 0x1F && data[1] == 0x8B && data[2] == 8
  }

  /// The decompressed data of all members, at most `limit` bytes.
  static func decompress(_ data: UnsafeRawBufferPointer, limit: Int) throws(CaptureError) -> [UInt8] {
    var stream = z_stream()
    // 15 + 16: the largest window, and a gzip header.
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw CaptureError(.badCompression("zlib cannot start"))
    }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    var consumed = 0
    // One block for all rounds: members may be many and tiny.
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let input = UnsafeRawBufferPointer(rebasing: data[consumed..<min(data.count, consumed + Int(UInt32.max >> 1))])
      var status = Z_OK
      var produced = 0
      var left = 0
      block.withUnsafeMutableBufferPointer { output in
        // zlib does not write through next_in; its declaration lacks the const.
        stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        status = inflate(&stream, Z_NO_FLUSH)
        produced = output.count - Int(stream.avail_out)
        left = Int(stream.avail_in)
      }
      result.append(contentsOf: block[..<produced])
      consumed += input.count - left
      if result.count > limit { throw CaptureError(.tooLarge(limit: limit)) }
      switch status {
      case Z_STREAM_END:
        if consumed == data.count { return result }
        // Another member may follow (RFC 1952 §2.2); anything else is an error of its header.
        guard inflateReset(&stream) == Z_OK else { throw CaptureError(.badCompression("zlib cannot restart")) }
      case Z_OK, Z_BUF_ERROR:
        if produced == 0 && consumed == data.count {
          throw CaptureError(.badCompression("the data ends too early"))
        }
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "error \(status)"
        throw CaptureError(.badCompression(reason))
      }
    }
  }
}
