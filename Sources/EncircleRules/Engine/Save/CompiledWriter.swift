import EncircleText

/// Writes sections.
struct CompiledWriter {
  private(set) var bytes = [UInt8](repeating: 0, count: CompiledFormat.headerLength)

  /// Appends elements as they lie in memory. They have no padding, whose bytes would be those of other, freed values.
  mutating func append<T: BitwiseCopyable>(_ elements: UnsafeBufferPointer<T>) {
    assert(elements.first.map { Self.fieldSize($0) == MemoryLayout<T>.stride } ?? true, "\(T.self) has padding")
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

  /// Returns the bytes of the file.
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

  // The sum of the sizes of all fields in a value, in bytes.
  private static func fieldSize(_ value: Any) -> Int {
    func size<T>(_ value: T) -> Int { MemoryLayout<T>.size }
    let fields = Mirror(reflecting: value).children
    return fields.isEmpty ? _openExistential(value, do: size) : fields.reduce(0) { $0 + fieldSize($1.value) }
  }

  private mutating func pad() {
    while bytes.count % CompiledFormat.alignment != 0 { bytes.append(0) }
  }
}
