import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Under names that no function here has.
private let systemRead = read
private let systemWrite = write

/// A language server on two descriptors, as an editor starts it.
///
/// One thread reads messages, so that it is known which requests have been cancelled and which texts are old; one answers them
/// in their order; one does what takes long.
public enum LanguageServerSession {
  /// Serves until the client asks for the end or closes the input.
  ///
  /// - Returns: The exit status: 0 after `shutdown` and `exit`, else 1.
  public static func run(_ options: LanguageServerOptions, input: Int32 = 0, output: Int32 = 1) -> Int32 {
    // A client that has gone is an error of writing, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    let inbox = Inbox()
    start { read(input, into: inbox) }
    let server = LanguageServer(options)
    while server.exitStatus == nil {
      switch inbox.next(before: server.needsRefresh ? .now : server.workTime) {
      case .message(let message, let isCancelled): server.receive(message, isCancelled: isCancelled)
      case .tooLong(let count):
        server.reject("a message of \(count) bytes is longer than the limit of \(FrameReader.maximumMessage)")
      case .done(let result): server.finish(result)
      case .unreadable(let problem):
        server.reject(problem)
        _ = write(server.takeOutput(), to: output)
        return 1
      case .ended: return 1
      case nil:
        // Nothing is waiting, so no text is old.
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

  /// Writes messages; returns whether the client is still there.
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

/// What has arrived and is to be done, in its order.
///
/// `@unchecked`: everything in it is read and written under its lock.
final class Inbox: @unchecked Sendable {
  enum Entry {
    /// A message of the client, and whether it has cancelled the request meanwhile.
    case message([UInt8], isCancelled: Bool)
    /// A message of so many bytes that was passed over.
    case tooLong(Int)
    /// The input is no sequence of messages any more.
    case unreadable(String)
    /// The input has ended.
    case ended
    /// Work has been done.
    case done(Work.Result)
  }

  /// The most bytes of messages that wait; then the input is not read on.
  static let mostBytes = 128 << 20

  private let condition = NSCondition()
  private var entries: [(entry: Entry, id: RequestID?)] = []
  private var bytes = 0
  private var cancelled: Set<RequestID> = []

  /// Adds something to do.
  func add(_ entry: Entry) {
    condition.lock()
    entries.append((entry, nil))
    condition.broadcast()
    condition.unlock()
  }

  /// Adds a message, and waits as long as there are too many.
  func add(message: [UInt8]) {
    let envelope = Envelope(message)
    condition.lock()
    defer { condition.unlock() }
    while bytes > Self.mostBytes { condition.wait() }
    if envelope?.method == "$/cancelRequest" {
      struct Params: Decodable { let id: RequestID }
      if let params = try? JSONDecoder().decode(Parameters<Params>.self, from: Data(message)),
        entries.contains(where: { $0.id == params.params.id })
      {
        cancelled.insert(params.params.id)
      }
      return
    }
    bytes += message.count
    entries.append((.message(message, isCancelled: false), envelope?.method == nil ? nil : envelope?.id))
    condition.broadcast()
  }

  /// Returns what is next; nil if there is nothing before a time.
  ///
  /// - Parameter time: Nil waits as long as it takes.
  func next(before time: ContinuousClock.Instant?) -> Entry? {
    condition.lock()
    defer { condition.unlock() }
    while entries.isEmpty {
      guard let time else {
        condition.wait()
        continue
      }
      let rest = time - .now
      guard rest > .zero else { return nil }
      let seconds = Double(rest.components.seconds) + Double(rest.components.attoseconds) / 1e18
      _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
    }
    let (entry, id) = entries.removeFirst()
    guard case .message(let message, _) = entry else { return entry }
    bytes -= message.count
    condition.broadcast()
    return .message(message, isCancelled: id.map { cancelled.remove($0) != nil } ?? false)
  }
}
