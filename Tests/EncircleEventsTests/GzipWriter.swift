import CZlib

/// The bytes as one gzip member.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
    return []
  }
  defer { deflateEnd(&stream) }
  var input = bytes
  let room = Int(deflateBound(&stream, UInt(bytes.count))) + 64
  return input.withUnsafeMutableBufferPointer { input in
    [UInt8](unsafeUninitializedCapacity: room) { output, count in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(room)
      _ = deflate(&stream, Z_FINISH)
      count = room - Int(stream.avail_out)
    }
  }
}
