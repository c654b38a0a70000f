#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for tables that are looked at here and there: where the system has larger pages, fewer of them have to be found.
enum LargePages {
  private static let pageSize = 1 << 21

  /// Allocates memory, which is not initialised and is given back with `deallocate()`.
  ///
  /// - Parameter alignment: At least this one.
  static func allocate(byteCount: Int, alignment: Int = 64) -> UnsafeMutableRawPointer {
    #if os(Linux)
      // With fewer than two there is little to gain.
      if byteCount >= 2 * pageSize {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: pageSize)
        // Advice, which may be declined.
        _ = madvise(memory, byteCount, MADV_HUGEPAGE)
        return memory
      }
    #endif
    return .allocate(byteCount: max(1, byteCount), alignment: alignment)
  }
}
