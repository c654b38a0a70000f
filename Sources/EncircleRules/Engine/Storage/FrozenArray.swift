import CProcessor

/// Memory that frozen arrays lie in, freed with the last of them.
final class FrozenMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  /// Memory that is not initialised.
  init(byteCount: Int) {
    self.byteCount = byteCount
    base = LargePages.allocate(byteCount: byteCount)
  }

  deinit { base.deallocate() }
}

/// An array that never changes, of plain values in one piece of memory: reading it counts no references and checks no
/// bounds, and what was saved can be used where it was read to.
///
/// Indices come from the compiler of rules or, for a saved rule set, have been checked when it was loaded.
struct FrozenArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
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

  /// The elements that begin at an offset, which is a multiple of their alignment, of memory that holds them.
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

  /// Says that an element will be read soon; the index must be that of one.
  @inline(__always) func prefetch(_ index: Int) { encircle_prefetch(base + index) }

  /// The elements of a part.
  @inline(__always) subscript(range: Range<Int>) -> UnsafeBufferPointer<Element> {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  var all: UnsafeBufferPointer<Element> { self[0..<count] }
  var byteCount: Int { count * MemoryLayout<Element>.stride }
}

extension FrozenArray<UInt32> {
  /// What lies between two starts.
  @inline(__always) func range(_ index: Int) -> Range<Int> { Int(self[index])..<Int(self[index + 1]) }
}
