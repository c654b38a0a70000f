import EncircleInput
import EncircleText

/// Reads sections in the order in which they were written.
struct CompiledReader {
  private let memory: FrozenMemory
  private var place = CompiledFormat.headerLength

  /// Copies bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(CompiledRulesError) {
    let length = try Self.length(bytes)
    guard length == bytes.count else { throw .damaged }
    memory = FrozenMemory(byteCount: length)
    memory.base.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: length)
    try checkSum()
  }

  /// Reads a file into the memory in which its tables are used.
  ///
  /// - Parameter beginning: The bytes already read.
  /// - Throws: ``CompiledRulesError``, or an `InputError`.
  init(_ beginning: [UInt8], _ source: inout ByteSource, limit: Int) throws {
    var header = beginning
    try source.fill(&header, upTo: CompiledFormat.headerLength)
    let length = try header.withUnsafeBytes { bytes in
      Result { () throws(CompiledRulesError) in try Self.length(bytes) }
    }.get()
    guard length <= limit else { throw InputError.tooLarge(limit: limit) }
    guard header.count <= length else { throw CompiledRulesError.damaged }
    memory = FrozenMemory(byteCount: length)
    let all = UnsafeMutableRawBufferPointer(start: memory.base, count: length)
    all.copyBytes(from: header)
    var end = header.count
    while end < length {
      let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: all[end...]))
      guard count > 0 else { throw CompiledRulesError.damaged }
      end += count
    }
    guard try source.read(into: &header, atMost: 1) == 0 else { throw CompiledRulesError.damaged }
    try checkSum()
  }

  /// Returns the number of bytes according to a header.
  private static func length(_ header: UnsafeRawBufferPointer) throws(CompiledRulesError) -> Int {
    guard header.starts(with: CompiledFormat.magic) else { throw .notCompiledRules }
    guard header.count >= CompiledFormat.headerLength else { throw .damaged }
    guard header.load(fromByteOffset: 8, as: UInt32.self) == CompiledFormat.version,
      header.load(fromByteOffset: 12, as: UInt32.self) == CompiledFormat.byteOrder
    else { throw .otherVersion }
    guard let length = Int(exactly: header.load(fromByteOffset: 16, as: UInt64.self)),
      length >= CompiledFormat.headerLength
    else { throw .damaged }
    return length
  }

  private func checkSum() throws(CompiledRulesError) {
    let rest = UnsafeRawBufferPointer(
      start: memory.base + CompiledFormat.headerLength, count: memory.byteCount - CompiledFormat.headerLength)
    guard memory.base.load(fromByteOffset: 24, as: UInt64.self) == CompiledFormat.checksum(rest) else { throw .damaged }
  }

  var isAtEnd: Bool { place == memory.byteCount }

  mutating func array<T>(_ type: T.Type = T.self) throws(CompiledRulesError) -> FrozenArray<T> {
    guard memory.byteCount - place >= CompiledFormat.alignment else { throw .damaged }
    let count = (memory.base + place).load(as: UInt64.self)
    let stride = (memory.base + place + 8).load(as: UInt64.self)
    guard stride == UInt64(MemoryLayout<T>.stride) else { throw .otherVersion }
    let start = place + CompiledFormat.alignment
    guard count <= UInt64(memory.byteCount - start) / stride else { throw .damaged }
    let end = start + Int(count * stride)
    let padded = (end + CompiledFormat.alignment - 1) / CompiledFormat.alignment * CompiledFormat.alignment
    guard padded <= memory.byteCount else { throw .damaged }
    place = padded
    return FrozenArray(in: memory, at: start, count: Int(count))
  }

  mutating func keyTable() throws(CompiledRulesError) -> KeyTable {
    let slots = try array(KeyTable.Slot.self)
    let values = try array(UInt32.self)
    // The number of slots must be a power of two, and a free slot must end every look-up. No two keys share a list of values, so all
    // lists together must fit into `values`.
    guard slots.count >= 4, slots.count & (slots.count - 1) == 0 else { throw .damaged }
    var used = 0
    var listed: UInt64 = 0
    for slot in slots.all where slot.count != 0 {
      used += 1
      guard slot.count > 1 else { continue }
      listed += UInt64(slot.count)
      if UInt64(slot.value) + UInt64(slot.count) > UInt64(values.count) { throw .damaged }
    }
    guard used < slots.count, listed <= UInt64(values.count) else { throw .damaged }
    return KeyTable(slots: slots, values: values)
  }

  mutating func textList() throws(CompiledRulesError) -> TextList {
    let bytes = try array(UInt8.self)
    let starts = try array(UInt64.self)
    guard starts.areStarts(upTo: bytes.count) else { throw .damaged }
    return TextList(bytes: bytes, starts: starts)
  }

  mutating func stringTable() throws(CompiledRulesError) -> StringTable {
    let texts = try textList()
    var table = StringTable()
    for i in 0..<texts.count {
      guard table.intern(texts[i]).rawValue == i else { throw .damaged }
    }
    return table
  }
}
