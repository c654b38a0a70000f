import CZlib

/// Returns `bytes` compressed into one gzip member.
public func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
  var stream = z_stream()
  let started = deflateInit2_(
    &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  precondition(started == Z_OK, "zlib cannot start")
  defer { deflateEnd(&stream) }
  var input = bytes
  return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(bytes.count))) + 64) { output, count in
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      let status = deflate(&stream, Z_FINISH)
      precondition(status == Z_STREAM_END, "the bound was too small")
    }
    count = output.count - Int(stream.avail_out)
  }
}
