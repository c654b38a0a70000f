#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed and that the allocator keeps.
enum FreedMemory {
  /// Gives it back to the system, where the allocator can.
  static func giveBack() {
    #if canImport(Glibc)
      // glibc's header with this function is not part of Swift's module, so it is looked up by name.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }
}
