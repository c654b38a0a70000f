#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A line on the terminal that shows a command's progress once it takes longer than a second.
///
/// It is the last line of standard error, and is removed before anything else is written there.
final class Progress: @unchecked Sendable {
  /// The seconds before the line is shown for the first time.
  private static let delay = 1.0
  /// The seconds between two updates of the line.
  private static let interval = 0.2
  private static let erasing = "\r\u{1B}[K"

  // Guards the line on the terminal and the properties below.
  private static let lock = Lock()
  nonisolated(unsafe) private static var isVisible = false

  private let ended = ThreadSignal(Progress.lock)
  private var text = ""
  private var isEnding = false
  private var thread: RunningThread?

  /// Starts to show progress; nil if standard error is not a terminal that can remove a line.
  ///
  /// - Parameter sharesOutput: True if results are written at the same time. If these go to a terminal, too, the line is not
  ///   shown, because it would appear among them.
  init?(sharesOutput: Bool = false) {
    guard Terminal.canEraseErrors, !(sharesOutput && Terminal.isOutput) else { return nil }
    thread = RunningThread { [self] in show() }
  }

  /// Sets the text of the line.
  func report(_ text: String) { Self.lock.withLock { self.text = text } }

  /// Removes the line for good.
  func end() {
    Self.lock.withLock {
      isEnding = true
      ended.broadcast()
    }
    thread?.join()
    thread = nil
  }

  /// Writes to standard error while the line is removed.
  static func pausing(_ write: () -> Void) {
    lock.withLock {
      if isVisible { put(erasing) }
      isVisible = false
      write()
    }
  }

  private func show() {
    Self.lock.withLock {
      var wait = Self.delay
      while !isEnding {
        ended.wait(seconds: wait)
        if isEnding { break }
        wait = Self.interval
        guard !text.isEmpty else { continue }
        Self.put(Self.erasing + text.prefix(max(0, Terminal.errorWidth - 1)))
        Self.isVisible = true
      }
      if Self.isVisible { Self.put(Self.erasing) }
      Self.isVisible = false
    }
  }

  private static func put(_ text: String) {
    var text = text
    text.withUTF8 { if !$0.isEmpty { _ = fwrite($0.baseAddress, 1, $0.count, stderr) } }
    fflush(stderr)
  }
}

/// The amount of input that a command has read, for its progress line. Only the thread that reads uses it.
final class InputProgress: @unchecked Sendable {
  private let progress: Progress
  // The bytes of all inputs; nil if one of them, such as a pipe, has no size.
  private let total: Int?
  // The bytes of the inputs that have been read to their end.
  private var finished = 0
  // The bytes of the current input.
  private var current = 0

  init(_ progress: Progress, paths: [String]) {
    self.progress = progress
    var total: Int? = 0
    for path in paths {
      var status = stat()
      let isFile = path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      total = isFile ? total.map { $0 + Int(status.st_size) } : nil
    }
    self.total = total
  }

  /// Begins with the next input.
  func beginInput() {
    finished += current
    current = 0
  }

  /// Reports the number of bytes of the current input that have been read.
  func report(_ bytes: Int) {
    current = bytes
    let read = finished + current
    guard let total, total > 0 else { return progress.report("read \(Self.megabytes(read)) MB") }
    let percent = min(100, read * 100 / total)
    progress.report("read \(Self.megabytes(read)) of \(Self.megabytes(total)) MB, \(percent) %")
  }

  private static func megabytes(_ bytes: Int) -> String { String((bytes + 500_000) / 1_000_000) }
}
