/// An array of plain values that one owner fills and empties again and again: it keeps its memory and is never copied.
///
/// In release builds, indices are not checked. Only the engine uses it, and its loops end at `count`.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    self.capacity = max(1, capacity)
    base = LargePages.allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  @inline(__always) subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  @inline(__always) mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(__always) mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let first = elements.baseAddress else { return }
    if count + elements.count > capacity { grow(to: count + elements.count) }
    (base + count).initialize(from: first, count: elements.count)
    count &+= elements.count
  }

  /// Appends elements whose values are not set yet.
  mutating func appendUninitialized(count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    count += added
  }

  /// Appends a value a number of times.
  mutating func append(repeating element: Element, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    (base + count).initialize(repeating: element, count: added)
    count += added
  }

  @inline(__always) mutating func removeAll() { count = 0 }

  mutating func removeLast(_ removed: Int) { count -= removed }

  @inline(__always) subscript(range: Range<Int>) -> UnsafeBufferPointer<Element> {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  var all: UnsafeBufferPointer<Element> { self[0..<count] }

  /// Sorts the elements.
  mutating func sort(by areInOrder: (Element, Element) -> Bool) {
    var elements = UnsafeMutableBufferPointer(start: base, count: count)
    elements.sort(by: areInOrder)
  }

  var byteCount: Int { capacity * MemoryLayout<Element>.stride }

  private mutating func grow(to needed: Int) {
    let larger: UnsafeMutablePointer<Element> = LargePages.allocate(capacity: max(needed, capacity * 2))
    larger.initialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = max(needed, capacity * 2)
  }
}
