import CProcessor

/// Memory that frozen arrays lie in, freed with the last of them.
final class FrozenMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  /// Allocates memory that is not initialised.
  init(byteCount: Int) {
    self.byteCount = byteCount
    base = LargePages.allocate(byteCount: byteCount)
  }

  deinit { base.deallocate() }
}

/// An immutable array of plain values in one piece of memory. Reading it counts no references, and the contents of a file can be
/// used in the memory into which they were read.
///
/// In release builds, indices are not checked. This is safe because no index comes from a caller or an event. Every index is a
/// number that ``RuleCompiler`` or ``IndexBuilder`` assigned for this very table, or that was read from a file of compiled rules by
/// ``RuleProgram/init(from:hierarchy:elementProperties:propertyCount:)``, where each table's `isConsistent` compares every number
/// with the size of the table that it refers to. A ``Decider`` holds its matcher, so numbers of one program are never used with the
/// tables of another. In debug builds, every index is asserted.
struct FrozenArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Only the initialiser writes the memory, so this is Sendable.
  private let memory: FrozenMemory
  let base: UnsafePointer<Element>
  let count: Int

  /// Copies elements.
  init(_ elements: [Element]) {
    memory = FrozenMemory(byteCount: elements.count * MemoryLayout<Element>.stride)
    let start = memory.base.bindMemory(to: Element.self, capacity: elements.count)
    elements.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { start.initialize(from: first, count: source.count) }
    }
    base = UnsafePointer(start)
    count = elements.count
  }

  /// Uses elements in memory that already holds them. The first is at `offset`, which must be a multiple of their alignment.
  init(in memory: FrozenMemory, at offset: Int, count: Int) {
    precondition(offset + count * MemoryLayout<Element>.stride <= memory.byteCount)
    self.memory = memory
    base = UnsafePointer((memory.base + offset).bindMemory(to: Element.self, capacity: count))
    self.count = count
  }

  @inline(__always) subscript(index: Int) -> Element {
    assert(index >= 0 && index < count)
    return base[index]
  }

  @inline(__always) subscript(range: Range<Int>) -> UnsafeBufferPointer<Element> {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns the address of an element, for records that should not be copied.
  @inline(__always) func address(of index: Int) -> UnsafePointer<Element> {
    assert(index >= 0 && index < count)
    return base + index
  }

  /// Fetches an element that will be read soon into the processor's caches.
  @inline(__always) func prefetch(_ index: Int) {
    assert(index >= 0 && index <= count)
    encircle_prefetch(base + index)
  }

  var all: UnsafeBufferPointer<Element> { self[0..<count] }
  var byteCount: Int { count * MemoryLayout<Element>.stride }
}

extension FrozenArray<UInt32> {
  /// Returns the range between two neighbouring starts.
  @inline(__always) func range(_ index: Int) -> Range<Int> { Int(self[index])..<Int(self[index + 1]) }
}

// MARK: - Checking saved numbers

extension FrozenArray {
  /// Returns whether the byte at an offset of each element is at most `last`. A file could contain any byte where flags and
  /// enumerations are expected.
  func bytes(at offset: Int, areAtMost last: UInt8) -> Bool {
    let bytes = UnsafeRawPointer(base)
    let stride = MemoryLayout<Element>.stride
    return (0..<count).allSatisfy { bytes.load(fromByteOffset: $0 * stride + offset, as: UInt8.self) <= last }
  }
}

extension FrozenArray where Element: FixedWidthInteger {
  /// Returns whether the elements are starts of parts: they begin at 0, never go down and end at `count`.
  func areStarts(upTo count: Int) -> Bool {
    guard self.count > 0, self[0] == 0, UInt64(self[self.count - 1]) == UInt64(count) else { return false }
    return zip(all, all.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
