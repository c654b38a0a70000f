/// Reads files in order on a separate thread, while the caller works on earlier files.
final class ReadAhead<Content: Sendable>: @unchecked Sendable {
  // The lock protects these two.
  private var contents: [Content] = []
  private var isEnded = false
  private let lock = Lock()
  private let changed: ThreadSignal
  private var thread: RunningThread?

  // The thread holds one more content, which it has read or is reading.
  private static var maximumWaiting: Int { 2 }

  /// Starts to read; nil if the system cannot start a thread.
  init?(_ paths: [String], _ read: @escaping @Sendable (String) -> Content) {
    changed = ThreadSignal(lock)
    thread = RunningThread { [self] in for path in paths where !add(read(path)) { return } }
    if thread == nil { return nil }
  }

  /// Adds a content once there is room for it.
  ///
  /// - Returns: True if more files are to be read.
  private func add(_ content: Content) -> Bool {
    lock.withLock {
      while contents.count >= Self.maximumWaiting, !isEnded { changed.wait() }
      contents.append(content)
      changed.signal()
      return !isEnded
    }
  }

  /// Returns the content of the next file. Call it at most once for each file.
  func next() -> Content {
    lock.withLock {
      while contents.isEmpty { changed.wait() }
      defer { changed.signal() }
      return contents.removeFirst()
    }
  }

  /// Stops reading, and waits for the current read: the process must not end during a read.
  func end() {
    lock.withLock {
      isEnded = true
      changed.signal()
    }
    thread?.join()
  }
}
