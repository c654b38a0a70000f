import Foundation

/// Returns a gzip member that stores the bytes uncompressed, so that the fuzzer's changes reach the reader unaltered.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(0xFFFF)
    rest = rest.dropFirst(block.count)
    result.append(rest.isEmpty ? 1 : 0)
    append(UInt16(block.count), to: &result)
    append(~UInt16(block.count), to: &result)
    result += block
  } while !rest.isEmpty
  append(checksum(bytes), to: &result)
  append(UInt32(bytes.count), to: &result)
  return result
}

func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedData()) }

private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
  withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
}

/// Returns the CRC-32 at the end of a gzip member.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
  var sum = UInt32.max
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 {
      let isOdd = sum & 1 == 1
      sum >>= 1
      if isOdd { sum ^= 0xEDB8_8320 }
    }
  }
  return ~sum
}
