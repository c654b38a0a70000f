#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for tables that are looked at here and there: where the system has larger pages, fewer of them have to be found.
enum LargePages {
  private static let pageSize = 1 << 21

  /// Allocates memory for elements, as for bytes.
  static func allocate<T: BitwiseCopyable>(capacity: Int) -> UnsafeMutablePointer<T> {
    allocate(byteCount: capacity * MemoryLayout<T>.stride).bindMemory(to: T.self, capacity: capacity)
  }

  /// Allocates memory that begins with a cache line, is not initialised, and is given back with `deallocate()`.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    #if os(Linux)
      // With fewer than two there is little to gain.
      if byteCount >= 2 * pageSize {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: pageSize)
        // Advice, which may be declined. The first one stays small: whoever writes little should not wait for zeros.
        _ = madvise(memory + pageSize, byteCount - pageSize, MADV_HUGEPAGE)
        return memory
      }
    #endif
    return .allocate(byteCount: max(1, byteCount), alignment: 64)
  }
}
