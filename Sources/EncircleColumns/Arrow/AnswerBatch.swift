import CEncircle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The answers to the rows of a batch as a separate record batch.
struct AnswerBatch {
  /// An array that will be exported.
  private indirect enum Column {
    case texts(ArrowMemory)
    case bits(ArrowMemory)
    case list(ArrowMemory, of: ArrowMemory, count: Int)
  }

  private static let names = DecisionRowWriter.names
  private let count: Int
  private var columns: [Column] = []

  /// - Throws: ``ArrowProblem/tooLarge`` where offsets of 32 bits do not reach.
  init(_ numbers: [UInt32], _ list: borrowing AnswerList, version: [UInt8]) throws(ArrowProblem) {
    count = numbers.count
    let scatter = Scatter(numbers: numbers, lengths: list.lengths, bytes: list.bytes)
    let answers = list.answers
    columns.append(try scatter.lists { answers[$0].lists.0 })
    columns.append(try scatter.lists { answers[$0].lists.1 })
    columns.append(try scatter.lists { answers[$0].lists.2 })
    columns.append(try scatter.lists { answers[$0].lists.3 })
    columns.append(scatter.bits { answers[$0].isSelected })
    columns.append(try Self.repeated(version, count: numbers.count))
    columns.append(try scatter.texts { answers[$0].error })
  }

  private static func repeated(_ text: [UInt8], count: Int) throws(ArrowProblem) -> Column {
    let (byteCount, overflow) = text.count.multipliedReportingOverflow(by: count)
    guard !overflow, byteCount <= Int(Int32.max) else { throw .tooLarge }
    let memory = ArrowMemory([0, 4 * (count + 1), byteCount])
    let offsets = memory.buffer(1, of: Int32.self)
    let bytes = memory.buffer(2, of: UInt8.self)
    for row in 0...count { offsets[row] = Int32(row * text.count) }
    for row in 0..<count { for (i, byte) in text.enumerated() { bytes[row * text.count + i] = byte } }
    return .texts(memory)
  }

  // MARK: - From answers to rows

  private struct Scatter {
    let numbers: [UInt32]
    let lengths: [Int32]
    let bytes: [UInt8]

    /// Makes a column of lists of texts.
    @inline(__always)
    func lists(_ part: (Int) -> AnswerList.Part) throws(ArrowProblem) -> Column {
      var (textCount, byteCount) = (0, 0)
      for number in numbers {
        let part = part(Int(number))
        textCount &+= part.count
        byteCount &+= part.byteCount
      }
      guard textCount < Int(Int32.max), byteCount <= Int(Int32.max) else { throw .tooLarge }
      let outer = ArrowMemory([0, 4 * (numbers.count + 1)])
      let inner = ArrowMemory([0, 4 * (textCount + 1), byteCount])
      let offsets = outer.buffer(1, of: Int32.self)
      let textOffsets = inner.buffer(1, of: Int32.self)
      let target = inner.buffer(2, of: UInt8.self)
      offsets[0] = 0
      textOffsets[0] = 0
      var (text, byte) = (0, 0)
      lengths.withUnsafeBufferPointer { lengths in
        bytes.withUnsafeBufferPointer { bytes in
          for (row, number) in numbers.enumerated() {
            let part = part(Int(number))
            if part.count > 0 {
              for i in part.start..<part.start &+ part.count {
                textOffsets[text &+ 1] = textOffsets[text] &+ lengths[i]
                text &+= 1
              }
              if let source = bytes.baseAddress { memcpy(target + byte, source + part.byteStart, part.byteCount) }
              byte &+= part.byteCount
            }
            offsets[row &+ 1] = Int32(truncatingIfNeeded: text)
          }
        }
      }
      return .list(outer, of: inner, count: textCount)
    }

    /// Makes a column of texts, each a list of one or none.
    func texts(_ part: (Int) -> AnswerList.Part) throws(ArrowProblem) -> Column {
      let byteCount = numbers.reduce(0) { $0 &+ part(Int($1)).byteCount }
      guard byteCount <= Int(Int32.max) else { throw .tooLarge }
      let memory = ArrowMemory([0, 4 * (numbers.count + 1), byteCount])
      let offsets = memory.buffer(1, of: Int32.self)
      let target = memory.buffer(2, of: UInt8.self)
      offsets[0] = 0
      var byte = 0
      for (row, number) in numbers.enumerated() {
        let part = part(Int(number))
        for i in 0..<part.byteCount { target[byte &+ i] = bytes[part.byteStart &+ i] }
        byte &+= part.byteCount
        offsets[row &+ 1] = Int32(truncatingIfNeeded: byte)
      }
      return .texts(memory)
    }

    /// Makes a column of truth values.
    func bits(_ flag: (Int) -> Bool) -> Column {
      let memory = ArrowMemory([0, (numbers.count + 7) / 8])
      let target = memory.buffer(1, of: UInt8.self)
      for byte in 0..<(numbers.count + 7) / 8 { target[byte] = 0 }
      for (row, number) in numbers.enumerated() where flag(Int(number)) { target[row >> 3] |= 1 << UInt8(row & 7) }
      return .bits(memory)
    }
  }

  // MARK: - Exporting

  /// Hands the columns over.
  func export(_ schema: UnsafeMutablePointer<ArrowSchema>, _ array: UnsafeMutablePointer<ArrowArray>) {
    schema.initialize(to: ArrowSchema.exported("+s", name: "", children: columns.count))
    array.initialize(to: ArrowMemory([0]).exported(count: count, children: columns.count))
    for (i, column) in columns.enumerated() {
      guard let childSchema = schema.pointee.children[i], let child = array.pointee.children[i] else { continue }
      switch column {
      case .texts(let memory):
        childSchema.initialize(to: ArrowSchema.exported("u", name: Self.names[i], children: 0))
        child.initialize(to: memory.exported(count: count, children: 0))
      case .bits(let memory):
        childSchema.initialize(to: ArrowSchema.exported("b", name: Self.names[i], children: 0))
        child.initialize(to: memory.exported(count: count, children: 0))
      case .list(let outer, let inner, let textCount):
        childSchema.initialize(to: ArrowSchema.exported("+l", name: Self.names[i], children: 1))
        child.initialize(to: outer.exported(count: count, children: 1))
        childSchema.pointee.children[0]?.initialize(to: ArrowSchema.exported("u", name: "item", children: 0))
        child.pointee.children[0]?.initialize(to: inner.exported(count: textCount, children: 0))
      }
    }
  }
}

/// The buffers of an array, without a validity bitmap, because no value is missing.
final class ArrowMemory {
  // Arrow recommends 64 bytes.
  private static let alignment = 64
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
  private let owned: [UnsafeMutableRawPointer?]

  /// - Parameter sizes: The sizes of the buffers in bytes; the first buffer is the validity bitmap, and its size is 0.
  init(_ sizes: [Int]) {
    owned = sizes.enumerated().map { number, size in
      number == 0 ? nil : .allocate(byteCount: max(size, 1), alignment: Self.alignment)
    }
    buffers = .allocate(capacity: sizes.count)
    for (i, buffer) in owned.enumerated() { (buffers + i).initialize(to: buffer.map { UnsafeRawPointer($0) }) }
  }

  deinit {
    for buffer in owned { buffer?.deallocate() }
    buffers.deallocate()
  }

  func buffer<T: BitwiseCopyable>(_ number: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    guard let buffer = owned[number] else { preconditionFailure("there is no buffer for validity") }
    return buffer.assumingMemoryBound(to: type)
  }

  /// Returns an array that keeps this memory until it is released, with room for children.
  func exported(count: Int, children: Int) -> ArrowArray {
    ArrowArray(
      length: Int64(count), null_count: 0, offset: 0, n_buffers: Int64(owned.count), n_children: Int64(children),
      buffers: buffers, children: .room(for: children), dictionary: nil,
      release: { array in
        guard let array, array.pointee.release != nil else { return }
        UnsafeMutablePointer.release(array.pointee.children, Int(array.pointee.n_children)) { child in
          child.pointee.release?(child)
        }
        if let owner = array.pointee.private_data { Unmanaged<ArrowMemory>.fromOpaque(owner).release() }
        array.pointee.release = nil
      }, private_data: Unmanaged.passRetained(self).toOpaque())
  }
}

extension ArrowSchema {
  /// Returns a schema with room for children; the names are constants.
  fileprivate static func exported(_ format: StaticString, name: String, children: Int) -> ArrowSchema {
    // Besides its children, the schema owns only a copy of the name with a zero byte at the end.
    let bytes = Array(name.utf8) + [0]
    let owned = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (i, byte) in bytes.enumerated() { (owned + i).initialize(to: CChar(bitPattern: byte)) }
    return ArrowSchema(
      format: UnsafeRawPointer(format.utf8Start).assumingMemoryBound(to: CChar.self), name: owned, metadata: nil,
      flags: 0, n_children: Int64(children), children: .room(for: children), dictionary: nil,
      release: { schema in
        guard let schema, schema.pointee.release != nil else { return }
        UnsafeMutablePointer.release(schema.pointee.children, Int(schema.pointee.n_children)) { child in
          child.pointee.release?(child)
        }
        schema.pointee.private_data?.deallocate()
        schema.pointee.release = nil
      }, private_data: owned)
  }
}

extension UnsafeMutablePointer {
  /// Allocates the places of children; nil for none.
  fileprivate static func room<Child>(for count: Int) -> UnsafeMutablePointer?
  where Pointee == UnsafeMutablePointer<Child>? {
    guard count > 0 else { return nil }
    let places = UnsafeMutablePointer.allocate(capacity: count)
    for i in 0..<count { (places + i).initialize(to: .allocate(capacity: 1)) }
    return places
  }

  /// Releases children and frees their places. A child that the caller has moved out is already marked as released.
  fileprivate static func release<Child>(
    _ places: UnsafeMutablePointer?, _ count: Int, _ release: (UnsafeMutablePointer<Child>) -> Void
  ) where Pointee == UnsafeMutablePointer<Child>? {
    guard let places else { return }
    for i in 0..<count {
      guard let child = places[i] else { continue }
      release(child)
      child.deallocate()
    }
    places.deallocate()
  }
}
