#if THREADS
  import Dispatch
#endif

extension Array where Element: Sendable {
  /// Returns the results of `transform` for all elements, in order, using all processors for a large array.
  ///
  /// - Parameter least: The smallest number of elements that justifies another thread.
  /// - Complexity: O(*n*) calls of `transform`, on as many threads as there are processors.
  package func concurrentMap<Result: Sendable>(
    atLeast least: Int = 64, _ transform: @Sendable (Element) -> Result
  ) -> [Result] {
    #if THREADS
      // There are more parts than processors, because some take longer than others.
      let count = Swift.min(64, self.count / least)
      guard count > 1 else { return map(transform) }
      // Each iteration initializes only its own part.
      nonisolated(unsafe) let parts = UnsafeMutableBufferPointer<[Result]>.allocate(capacity: count)
      defer {
        parts.deinitialize()
        parts.deallocate()
      }
      DispatchQueue.concurrentPerform(iterations: count) { number in
        let range = self.count * number / count..<self.count * (number + 1) / count
        parts.initializeElement(at: number, to: self[range].map(transform))
      }
      return Swift.Array(parts.joined())
    #else
      return map(transform)
    #endif
  }
}
