#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Allocates memory for tables that are read at random places. With larger pages, where the system has them, fewer addresses
/// have to be translated.
enum LargePages {
  private static let pageSize = 1 << 21

  /// Allocates memory for a number of elements; see ``allocate(byteCount:)``.
  static func allocate<T: BitwiseCopyable>(capacity: Int) -> UnsafeMutablePointer<T> {
    allocate(byteCount: capacity * MemoryLayout<T>.stride).bindMemory(to: T.self, capacity: capacity)
  }

  /// Allocates memory that begins at a cache line and is not initialised; free it with `deallocate()`.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    #if os(Linux)
      // Below two large pages there is little to gain.
      if byteCount >= 2 * pageSize {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: pageSize)
        // This is a hint, which the system may ignore. The first large page is left out, so that a table with few entries need not
        // wait until a large page has been cleared.
        _ = madvise(memory + pageSize, byteCount - pageSize, MADV_HUGEPAGE)
        return memory
      }
    #endif
    return .allocate(byteCount: max(1, byteCount), alignment: 64)
  }
}
