import Foundation

/// The resources that this process has used so far.
enum Meter {
  /// The CPU time of this thread, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the CPU time that the work takes, in seconds, and its result.
  static func time<R>(_ work: () throws -> R) rethrows -> (seconds: Double, result: R) {
    let start = seconds
    let result = try work()
    return (seconds - start, result)
  }

  /// The peak of resident memory, in bytes.
  static var peakBytes: Int {
    var usage = rusage()
    getrusage(0, &usage)  // RUSAGE_SELF, whose type differs between systems
    #if os(Linux)
      return usage.ru_maxrss * 1024
    #else
      return usage.ru_maxrss
    #endif
  }

  /// The resident memory in bytes, after free memory has been returned; nil if the system does not report it.
  static var residentBytes: Int? {
    #if os(Linux)
      #if canImport(Glibc)
        _ = trimHeap(0)
      #endif
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
      let words = text.split(separator: " ")
      return words.count > 1 ? Int(words[1]).map { $0 * Int(getpagesize()) } : nil
    #else
      return nil
    #endif
  }
}

#if canImport(Glibc)
  /// Returns free memory to the system; Glibc's module omits this function.
  @_silgen_name("malloc_trim") private func trimHeap(_ kept: Int) -> Int32
#endif
