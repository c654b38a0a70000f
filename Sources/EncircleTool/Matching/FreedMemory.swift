#if canImport(Glibc)
  import Glibc
#endif

/// Freed memory that the allocator keeps.
enum FreedMemory {
  /// Returns the memory to the system if the allocator supports it.
  static func giveBack() {
    #if canImport(Glibc)
      // glibc's header with this function is not part of Swift's module, so it is looked up by name.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }
}
