import EncircleInput
import EncircleTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Bytes come from files, pipes and memory, compressed or not")
struct ByteSourceTests {
  private static let text = Array((0..<5_000).map { "line \($0) 加入购物车\n" }.joined().utf8)

  /// Everything from a source, read in pieces, and how it ended.
  private func drain(_ source: consuming ByteSource, by size: Int) -> (bytes: [UInt8], error: InputError?) {
    var result: [UInt8] = []
    do throws(InputError) {
      while try source.read(into: &result, atMost: size) > 0 {}
      // The end stays the end.
      let afterEnd = try source.read(into: &result, atMost: size)
      #expect(afterEnd == 0)
    } catch {
      return (result, error)
    }
    return (result, nil)
  }

  private func drainFile(_ path: String, by size: Int) -> (bytes: [UInt8], error: InputError?) {
    do throws(InputError) {
      return drain(try ByteSource(path: path), by: size)
    } catch {
      return ([], error)
    }
  }

  private func withFile<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
    let path = NSTemporaryDirectory() + "/encircle-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  @Test("Plain bytes arrive as they are, in pieces of any size", arguments: [1, 2, 3, 7, 4096, 65_536, 1 << 20])
  func plain(size: Int) throws {
    let text = size < 10 ? Array(Self.text.prefix(500)) : Self.text
    #expect(drain(ByteSource(text), by: size) == (text, nil))
    try withFile(text) { path in #expect(drainFile(path, by: size) == (text, nil)) }
  }

  @Test("Gzip is recognised and decompressed, also several members", arguments: [1, 2, 3, 7, 4096, 65_536, 1 << 20])
  func compressed(size: Int) throws {
    let text = size < 10 ? Array(Self.text.prefix(500)) : Self.text
    let half = text.count / 2
    for data in [gzip(text), gzip([]) + gzip(Array(text[..<half])) + gzip([]) + gzip(Array(text[half...]))] {
      #expect(drain(ByteSource(data), by: size) == (text, nil))
      if size < 10 { #expect(drain(ByteSource(data, pieceSize: 1), by: size) == (text, nil)) }
      try withFile(data) { path in #expect(drainFile(path, by: size) == (text, nil)) }
    }
  }

  @Test("Everything can be read at once, up to a limit")
  func all() throws {
    for data in [Self.text, gzip(Self.text)] {
      try withFile(data) { path in
        for limit in [Self.text.count, Self.text.count + 1, Int.max] {
          var file = try ByteSource(path: path)
          let fromFile = try file.readAll(limit: limit)
          #expect(fromFile == Self.text)
          var memory = ByteSource(data)
          let fromMemory = try memory.readAll(limit: limit)
          #expect(fromMemory == Self.text)
          let atEnd = try memory.readAll(limit: limit)
          #expect(atEnd == [])
        }
        #expect(throws: InputError.tooLarge(limit: Self.text.count - 1)) {
          var file = try ByteSource(path: path)
          _ = try file.readAll(limit: Self.text.count - 1)
        }
        #expect(throws: InputError.tooLarge(limit: 10)) {
          var memory = ByteSource(data)
          _ = try memory.readAll(limit: 10)
        }
      }
    }
    // Read bytes are not read again.
    var source = ByteSource(Self.text)
    var head: [UInt8] = []
    let headCount = try source.read(into: &head, atMost: 10)
    #expect(headCount == 10)
    let rest = try source.readAll(limit: 1 << 20)
    #expect(rest == Array(Self.text[10...]))
  }

  @Test("Zeros behind gzip data are ignored, however many", arguments: [1, 512, 1 << 17])
  func padding(zeros: Int) throws {
    let padded = gzip(Self.text) + [UInt8](repeating: 0, count: zeros)
    #expect(drain(ByteSource(padded), by: 100) == (Self.text, nil))
    #expect(drain(ByteSource(padded + gzip(Self.text)), by: 100) == (Self.text + Self.text, nil))
    try withFile(padded) { path in
      var file = try ByteSource(path: path)
      let all = try file.readAll(limit: max(Self.text.count, padded.count))
      #expect(all == Self.text)
    }
  }

  private static let otherCompressors: [(String, [UInt8])] = [
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("bzip2", Array("BZh91AY".utf8)),
  ]

  @Test("Data of other compressors is an error; its beginning alone is plain data", arguments: otherCompressors)
  func otherCompression(name: String, beginning: [UInt8]) throws {
    let whole = drain(ByteSource(beginning + [1, 2, 3]), by: 100)
    #expect(whole.bytes.isEmpty && whole.error == .otherCompression(name))
    #expect(throws: InputError.otherCompression(name)) {
      var source = ByteSource(beginning)
      _ = try source.readAll(limit: 100)
    }
    let cut = Array(beginning.dropLast())
    #expect(drain(ByteSource(cut), by: 100) == (cut, nil))
  }

  @Test("Broken gzip is an error after the intact part")
  func broken() {
    let data = gzip(Self.text)
    let whole = drain(ByteSource(data + [0, 0, 1, 2]), by: 100)
    #expect(whole.bytes == Self.text)
    #expect(whole.error == .badCompression("incorrect header check"))
    var damaged = data
    damaged[damaged.count - 5] ^= 1  // in the checksum
    let unchecked = drain(ByteSource(damaged), by: 100)
    #expect(unchecked.bytes == Self.text)
    #expect(unchecked.error == .badCompression("incorrect data check"))
    for length in [3, 9, 10, 11, data.count / 2, data.count - 9, data.count - 8, data.count - 1] {
      let cut = drain(ByteSource(Array(data[..<length])), by: 100)
      #expect(cut.error == .badCompression("the data ends too early"), "\(length) bytes")
      #expect(Self.text.starts(with: cut.bytes))
    }
    // Too short to be recognised.
    #expect(drain(ByteSource(Array(data[..<2])), by: 100) == ([0x1F, 0x8B], nil))
  }

  @Test("A file that cannot be opened says why")
  func missing() {
    #expect(throws: InputError.noSuchFile) { _ = try ByteSource(path: "/no/such/file") }
    #expect(throws: InputError.noSuchFile) { _ = try ByteSource(path: "/etc/passwd\0.gz") }
    #expect(throws: InputError.noSuchFile) { _ = try ByteSource(path: "") }
    #expect(throws: InputError.isDirectory) { _ = try ByteSource(path: NSTemporaryDirectory()) }
    let closed = drain(ByteSource(descriptor: -1), by: 10)
    guard case .unreadable = closed.error else {
      Issue.record("\(String(describing: closed))")
      return
    }
  }

  @Test("A pipe gives available bytes, waits if it does not block, and ends when the caller stops")
  func pipes() throws {
    let pipe = Pipe()
    let flag = StopFlag()
    var source = ByteSource(
      descriptor: pipe.fileHandleForReading.fileDescriptor, shouldStop: { flag.isSet.withLock { $0 } })
    var bytes: [UInt8] = []
    pipe.fileHandleForWriting.write(Data("abc".utf8))
    let first = try source.read(into: &bytes, atMost: 100)
    #expect(first == 3)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let writer = Thread {
      Thread.sleep(forTimeInterval: 0.05)
      pipe.fileHandleForWriting.write(Data("def".utf8))
    }
    writer.start()
    let second = try source.read(into: &bytes, atMost: 2)
    #expect(second == 2)
    #expect(bytes == Array("abcde".utf8))
    let wasStoppedBefore = source.wasStopped
    #expect(!wasStoppedBefore)
    flag.isSet.withLock { $0 = true }
    let third = try source.read(into: &bytes, atMost: 100)
    #expect(third == 0)
    let wasStopped = source.wasStopped
    #expect(wasStopped)
  }

  #if os(Linux)
    @Test("The wait for the writer of a named pipe ends at a signal, once the caller stops")
    func waitForWriter() throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let path = folder.url.appendingPathComponent("pipe").path
      try #require(mkfifo(path, 0o600) == 0)
      // The handler does nothing: the signal only interrupts the wait.
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGUSR1, &action, nil)
      let reader = Mutex<pthread_t?>(nil)
      let wasStopped = Mutex<Bool?>(nil)
      let end = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        // The threads of Dispatch, of which this one inherits the mask, block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        reader.withLock { $0 = pthread_self() }
        do {
          let source = try ByteSource(path: path, shouldStop: { true })
          let result = source.wasStopped
          wasStopped.withLock { $0 = result }
        } catch {
          wasStopped.withLock { $0 = false }
        }
        // A thread that receives signals must exist.
        end.wait()
      }
      for _ in 0..<12_000 where wasStopped.withLock({ $0 }) == nil {
        if let thread = reader.withLock({ $0 }) { pthread_kill(thread, SIGUSR1) }
        usleep(10_000)
      }
      #expect(wasStopped.withLock { $0 } == true)
      end.signal()
    }
  #endif

  private final class StopFlag: Sendable {
    let isSet = Mutex(false)
  }
}
