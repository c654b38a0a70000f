/// Reads files in order on a thread of its own, while the caller works on the ones before them.
final class ReadAhead<Content: Sendable>: @unchecked Sendable {
  // The lock protects both.
  private var contents: [Content] = []
  private var isEnded = false
  private let lock = Lock()
  private let changed: ThreadSignal
  private var thread: RunningThread?

  // The thread holds one more, which it has read or is reading.
  private static var mostWaiting: Int { 2 }

  /// Starts to read; nil if the system cannot start a thread.
  init?(_ paths: [String], _ read: @escaping @Sendable (String) -> Content) {
    changed = ThreadSignal(lock)
    thread = RunningThread { [self] in for path in paths where !add(read(path)) { return } }
    if thread == nil { return nil }
  }

  /// Adds what has been read when there is room for it.
  ///
  /// - Returns: Whether more is to be read.
  private func add(_ content: Content) -> Bool {
    lock.withLock {
      while contents.count >= Self.mostWaiting, !isEnded { changed.wait() }
      contents.append(content)
      changed.signal()
      return !isEnded
    }
  }

  /// Returns the content of the next file. It must not be called more often than there are files.
  func next() -> Content {
    lock.withLock {
      while contents.isEmpty { changed.wait() }
      defer { changed.signal() }
      return contents.removeFirst()
    }
  }

  /// Ends the reading and waits until the file that is being read has been read: the process must not end meanwhile.
  func end() {
    lock.withLock {
      isEnded = true
      changed.signal()
    }
    thread?.join()
  }
}
