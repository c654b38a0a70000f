import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Aliases, because functions of this file have the same names.
private let systemRead = read
private let systemWrite = write

/// A language server on two descriptors, as an editor starts it.
///
/// One thread reads messages, so that cancelled requests and outdated texts are recognised early. A second one answers them in
/// order, and a third one does the long-running work.
public enum LanguageServerSession {
  /// Serves until the client asks the server to exit or closes the input.
  ///
  /// - Returns: The exit status: 0 after `shutdown` and `exit`, else 1.
  public static func run(_ options: LanguageServerOptions, input: Int32 = 0, output: Int32 = 1) -> Int32 {
    // If the client has exited, writing fails; the signal must not end the process.
    signal(SIGPIPE, SIG_IGN)
    let inbox = Inbox()
    start { read(input, into: inbox) }
    let server = LanguageServer(options)
    while server.exitStatus == nil {
      switch inbox.next(before: server.needsRefresh ? .now : server.workTime) {
      case .message(let message, let isCancelled): server.receive(message, isCancelled: isCancelled)
      case .tooLong(let count): server.reject(tooLong(count))
      case .done(let result): server.finish(result)
      case .unreadable(let problem):
        server.reject(problem)
        _ = write(server.takeOutput(), to: output)
        return 1
      case .ended: return 1
      case nil:
        // No message is waiting, so the texts are up to date.
        if server.needsRefresh {
          server.refresh()
        } else if let work = server.startWork() {
          start { inbox.add(.done(work.run())) }
        }
      }
      guard write(server.takeOutput(), to: output) else { return 1 }
    }
    return server.exitStatus ?? 1
  }

  /// Serves a whole stream of messages in this thread, and does all pending work before it handles the next message.
  ///
  /// Results come immediately, without the pause for an editor. So the answers depend only on the stream and the files that it
  /// names.
  ///
  /// - Returns: All messages of the server, each with its header, and the exit status as in ``run(_:input:output:)``.
  public static func answers(_ options: LanguageServerOptions, to stream: [UInt8]) -> (
    messages: [[UInt8]], status: Int32
  ) {
    let server = LanguageServer(options)
    var frames = FrameReader()
    frames.append(stream)
    var messages: [[UInt8]] = []
    while server.exitStatus == nil {
      var isUnreadable = false
      do throws(FrameReader.Problem) {
        switch try frames.next() {
        case .message(let message): server.receive(message)
        case .tooLong(let count): server.reject(tooLong(count))
        case nil: return (messages, 1)
        }
      } catch {
        server.reject(error.message)
        isUnreadable = true
      }
      server.settle()
      messages += server.takeOutput().map { FrameReader.framed($0) }
      if isUnreadable { return (messages, 1) }
    }
    return (messages, server.exitStatus ?? 1)
  }

  private static func tooLong(_ count: Int) -> String {
    "a message of \(count) bytes is longer than the limit of \(FrameReader.maximumMessage)"
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.stackSize = 16 << 20
    thread.start()
  }

  private static func read(_ input: Int32, into inbox: Inbox) {
    var frames = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return inbox.add(.ended) }
      frames.append(buffer[..<count])
      do throws(FrameReader.Problem) {
        while let frame = try frames.next() {
          switch frame {
          case .message(let message): inbox.add(message: message)
          case .tooLong(let length): inbox.add(.tooLong(length))
          }
        }
      } catch {
        return inbox.add(.unreadable(error.message))
      }
    }
  }

  /// Writes messages; returns whether the client still reads them.
  private static func write(_ messages: [[UInt8]], to output: Int32) -> Bool {
    for message in messages {
      let bytes = FrameReader.framed(message)
      var start = 0
      while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        start += count
      }
    }
    return true
  }
}

/// The queue of messages and results that have arrived but have not been handled yet.
///
/// `@unchecked`: all properties are read and written under the lock.
final class Inbox: @unchecked Sendable {
  enum Entry {
    /// A message of the client, and whether the client has cancelled the request in the meantime.
    case message([UInt8], isCancelled: Bool)
    /// A message that was skipped, with its length in bytes.
    case tooLong(Int)
    /// The rest of the input is not a sequence of messages.
    case unreadable(String)
    /// The input has ended.
    case ended
    /// The work has finished.
    case done(Work.Result)
  }

  /// The maximum number of bytes in waiting messages. Beyond it, no more input is read.
  static let maximumBytes = 128 << 20
  /// The number of bytes that is added to the size of each message, so that the number of empty messages is limited, too.
  static let overhead = 512

  private let condition = NSCondition()
  private let limit: Int
  private var entries: [(entry: Entry, id: RequestID?)] = []
  // The number of entries that have been taken.
  private var taken = 0
  private var bytes = 0
  // The number of waiting requests by id; a faulty client may send several with the same id.
  private var waiting: [RequestID: Int] = [:]
  private var cancelled: Set<RequestID> = []

  init(limit: Int = Inbox.maximumBytes) { self.limit = limit }

  /// The number of waiting entries.
  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return entries.count - taken
  }

  /// Adds an entry.
  func add(_ entry: Entry) {
    condition.lock()
    entries.append((entry, nil))
    condition.broadcast()
    condition.unlock()
  }

  /// Adds a message; waits while the queue is full.
  func add(message: [UInt8]) {
    let envelope = Envelope(message)
    condition.lock()
    defer { condition.unlock() }
    while bytes > limit { condition.wait() }
    if envelope?.method == "$/cancelRequest" {
      struct Params: Decodable { let id: RequestID }
      if let params = try? JSONDecoder().decode(Parameters<Params>.self, from: Data(message)),
        waiting[params.params.id] != nil
      {
        cancelled.insert(params.params.id)
      }
      return
    }
    bytes += message.count + Self.overhead
    let id = envelope?.method == nil ? nil : envelope?.id
    if let id { waiting[id, default: 0] += 1 }
    entries.append((.message(message, isCancelled: false), id))
    condition.broadcast()
  }

  /// Returns the next entry; nil if none arrives before a time.
  ///
  /// - Parameter time: The time to wait for; nil to wait without a limit.
  /// - Complexity: O(1) on average, however many entries wait.
  func next(before time: ContinuousClock.Instant?) -> Entry? {
    condition.lock()
    defer { condition.unlock() }
    while taken == entries.count {
      guard let time else {
        condition.wait()
        continue
      }
      let rest = time - .now
      guard rest > .zero else { return nil }
      let seconds = Double(rest.components.seconds) + Double(rest.components.attoseconds) / 1e18
      _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
    }
    let (entry, id) = take()
    guard case .message(let message, _) = entry else { return entry }
    bytes -= message.count + Self.overhead
    condition.broadcast()
    guard let id else { return entry }
    let others = (waiting[id] ?? 1) - 1
    waiting[id] = others > 0 ? others : nil
    return .message(message, isCancelled: cancelled.remove(id) != nil)
  }

  /// Removes the first entry. The memory of removed entries is released in batches.
  private func take() -> (entry: Entry, id: RequestID?) {
    let first = entries[taken]
    entries[taken] = (.ended, nil)
    taken += 1
    if taken == entries.count || taken > 1_024 && taken > entries.count / 2 {
      entries.removeFirst(taken)
      taken = 0
    }
    return first
  }
}
