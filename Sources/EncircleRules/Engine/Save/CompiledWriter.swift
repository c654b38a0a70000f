import EncircleText

/// Writes sections.
struct CompiledWriter {
  private(set) var bytes = [UInt8](repeating: 0, count: CompiledFormat.headerLength)

  mutating func append<T>(_ elements: UnsafeBufferPointer<T>) {
    withUnsafeBytes(of: UInt64(elements.count)) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(MemoryLayout<T>.stride)) { bytes.append(contentsOf: $0) }
    pad()
    bytes.append(contentsOf: UnsafeRawBufferPointer(elements))
    pad()
  }

  mutating func append<T>(_ array: FrozenArray<T>) { append(array.all) }
  mutating func append(_ array: [UInt8]) { array.withUnsafeBufferPointer { append($0) } }

  mutating func append(_ table: borrowing KeyTable) {
    append(table.slots)
    append(table.values)
  }

  mutating func append(_ list: TextList) {
    append(list.bytes)
    append(list.starts)
  }

  mutating func append(_ table: StringTable) {
    var bytes: [UInt8] = []
    var starts: [UInt64] = [0]
    for i in 0..<table.count {
      table.withBytes(of: StringID(UInt32(i))) { bytes.append(contentsOf: $0) }
      starts.append(UInt64(bytes.count))
    }
    append(bytes)
    starts.withUnsafeBufferPointer { append($0) }
  }

  /// The file.
  consuming func finish() -> [UInt8] {
    let length = UInt64(bytes.count)
    bytes.withUnsafeMutableBytes { all in
      all.copyBytes(from: CompiledFormat.magic)
      all.storeBytes(of: CompiledFormat.version, toByteOffset: 8, as: UInt32.self)
      all.storeBytes(of: CompiledFormat.byteOrder, toByteOffset: 12, as: UInt32.self)
      all.storeBytes(of: length, toByteOffset: 16, as: UInt64.self)
      let rest = UnsafeRawBufferPointer(rebasing: all[CompiledFormat.headerLength...])
      all.storeBytes(of: CompiledFormat.checksum(rest), toByteOffset: 24, as: UInt64.self)
    }
    return bytes
  }

  private mutating func pad() {
    while bytes.count % CompiledFormat.alignment != 0 { bytes.append(0) }
  }
}
