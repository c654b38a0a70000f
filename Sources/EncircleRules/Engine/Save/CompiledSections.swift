import EncircleText

// The file of compiled rules: a header and sections, in the byte order and layout of the machine.
//
//     "encircle"  version  byte order  length  checksum │ count  element size  elements │ count …
//
// Elements begin at multiples of 64 bytes, so that they can be used where they have been read to.

package enum CompiledFormat {
  static let magic = Array("encircle".utf8)
  /// To be raised with every change of what is saved, or of the layout of any of the types that are.
  static let version: UInt32 = 4
  static let byteOrder: UInt32 = 0x0A0B_0C0D
  package static let headerLength = 64
  static let alignment = 64

  /// A checksum that finds damage, not malice; what is read is checked by itself.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    KeyHash.hash(bytes.bindMemory(to: UInt8.self), seed: 0x656E_6369_7263_6C65)
  }
}

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

  mutating func append(_ table: KeyTable) {
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

/// Reads sections, in the order in which they were written.
struct CompiledReader {
  private let memory: FrozenMemory
  private var place = CompiledFormat.headerLength

  init(_ bytes: UnsafeRawBufferPointer) throws(CompiledRulesError) {
    guard bytes.count >= 8, bytes.prefix(8).elementsEqual(CompiledFormat.magic) else { throw .notCompiledRules }
    guard bytes.count >= CompiledFormat.headerLength else { throw .damaged }
    guard bytes.load(fromByteOffset: 8, as: UInt32.self) == CompiledFormat.version,
      bytes.load(fromByteOffset: 12, as: UInt32.self) == CompiledFormat.byteOrder
    else { throw .otherVersion }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[CompiledFormat.headerLength...])
    guard bytes.load(fromByteOffset: 16, as: UInt64.self) == UInt64(bytes.count),
      bytes.load(fromByteOffset: 24, as: UInt64.self) == CompiledFormat.checksum(rest)
    else { throw .damaged }
    memory = FrozenMemory(byteCount: bytes.count)
    memory.base.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
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
    // A power of two, with a free slot at which a look-up ends.
    guard slots.count >= 4, slots.count & (slots.count - 1) == 0 else { throw .damaged }
    var used = 0
    for slot in slots.all where slot.count != 0 {
      used += 1
      if slot.count > 1, UInt64(slot.value) + UInt64(slot.count) > UInt64(values.count) { throw .damaged }
    }
    guard used < slots.count else { throw .damaged }
    return KeyTable(slots: slots, values: values)
  }

  mutating func textList() throws(CompiledRulesError) -> TextList {
    let bytes = try array(UInt8.self)
    let starts = try array(UInt64.self)
    try Self.check(starts, upTo: bytes.count)
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

  /// Whether starts begin at 0, never go down and end at `count`.
  static func check<T: FixedWidthInteger>(_ starts: FrozenArray<T>, upTo count: Int) throws(CompiledRulesError) {
    guard starts.count > 0, starts[0] == 0, UInt64(starts[starts.count - 1]) == UInt64(count) else { throw .damaged }
    for i in 1..<max(1, starts.count) where starts[i] < starts[i - 1] { throw .damaged }
  }
}
