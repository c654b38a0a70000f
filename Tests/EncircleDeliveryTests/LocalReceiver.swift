import EncircleEvents
import EncircleInput
import Foundation
import Synchronization

/// A receiver of HTTP on this machine that does what a test wants.
final class LocalReceiver: Sendable {
  struct Request: Sendable {
    var head: String
    var body: [UInt8]
  }

  enum Reaction: Sendable {
    case answer(Int, headers: [String] = [], body: String = "")
    /// Closes the connection without an answer.
    case close
    /// Promises more than it sends.
    case half
    /// Answers nothing and keeps the connection, until it has had enough or is stopped.
    case hang(seconds: Double = 3600)
    /// Answers without an end.
    case endless
    /// Answers what is not HTTP.
    case rubbish
  }

  let port: Int
  private let listener: Int32
  private let react: @Sendable (Request) -> Reaction
  private let isOver = Mutex(false)

  init(_ react: @escaping @Sendable (Request) -> Reaction) throws {
    self.react = react
    #if canImport(Glibc) || canImport(Musl)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    signal(SIGPIPE, SIG_IGN)
    listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) | listen(descriptor, 128) | getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0 { break }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/sa?project=default") ?? URL(fileURLWithPath: "/") }

  func stop() {
    isOver.withLock { $0 = true }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var input: [UInt8] = []
    while let request = Self.read(connection, &input) {
      switch react(request) {
      case .answer(let status, let headers, let body):
        let fields = headers.map { $0 + "\r\n" }.joined()
        Self.write(connection, "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
      case .close:
        return
      case .half:
        Self.write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        return
      case .hang(let seconds):
        for _ in 0..<Int(seconds * 50) where !isOver.withLock({ $0 }) { usleep(20_000) }
        return
      case .endless:
        Self.write(connection, "HTTP/1.1 200 OK\r\n\r\n")
        let block = String(repeating: "x", count: 1 << 16)
        // This does not write at full speed: while there is more data than libcurl reads, Foundation on Linux does nothing else for
        // any session of the process, such as cancelling a task.
        while !isOver.withLock({ $0 }), Self.write(connection, block) { usleep(2_000) }
        return
      case .rubbish:
        Self.write(connection, "\u{0}\u{1}\u{2} what?\r\n\r\n")
        return
      }
    }
  }

  /// Reads a request; nil at the end, also in the middle of one.
  private static func read(_ connection: Int32, _ input: inout [UInt8]) -> Request? {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let mark = Array("\r\n\r\n".utf8)
    var scanned = 0
    while true {
      while scanned + 4 <= input.count {
        guard input[scanned] == mark[0], Array(input[scanned..<scanned + 4]) == mark else {
          scanned += 1
          continue
        }
        let head = String(decoding: input[..<scanned], as: UTF8.self)
        let field = head.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if head.lowercased().contains("100-continue"), input.count < scanned + 4 + length {
          write(connection, "HTTP/1.1 100 Continue\r\n\r\n")
        }
        while input.count < scanned + 4 + length {
          let got = recv(connection, &block, block.count, 0)
          if got <= 0 { return nil }
          input += block[..<got]
        }
        let body = Array(input[scanned + 4..<scanned + 4 + length])
        input.removeFirst(scanned + 4 + length)
        return Request(head: head, body: body)
      }
      let got = recv(connection, &block, block.count, 0)
      if got <= 0 { return nil }
      input += block[..<got]
    }
  }

  @discardableResult private static func write(_ connection: Int32, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }
}

/// The events that a receiver reads in bodies.
enum ReceivedBody {
  /// Returns the events of a body in the SDK's form.
  static func sensorsEvents(_ body: [UInt8]) throws -> [AnalyticsEvent] {
    guard let list = fields(body)["data_list"], let data = Data(base64Encoded: list) else { return [] }
    return try events(try gunzip([UInt8](data)))
  }

  /// Returns the content of gzip data, and other bytes as they are.
  static func gunzip(_ data: [UInt8]) throws -> [UInt8] {
    var source = ByteSource(data)
    return try source.readAll(limit: 1 << 26)
  }

  /// Returns the members of an array of events.
  static func events(_ json: [UInt8]) throws -> [AnalyticsEvent] {
    let value = try json.withUnsafeBufferPointer { try EventValue(json: $0) }
    guard case .list(let elements) = value else { return [] }
    return elements.compactMap { if case .object(let members) = $0 { AnalyticsEvent(members) } else { nil } }
  }

  /// Returns the fields of a form.
  static func fields(_ body: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    for part in String(decoding: body, as: UTF8.self).components(separatedBy: "&") {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { fields[pair[0]] = pair[1].removingPercentEncoding }
    }
    return fields
  }

  /// Returns the values by which a receiver recognises an event that it already has.
  static func key(_ event: AnalyticsEvent) -> [EventValue] {
    ["_track_id", "distinct_id", "time", "event"].map { event.members[$0] ?? .null }
  }

  /// The number that these tests give to each event.
  static func number(_ event: AnalyticsEvent) -> Int? {
    guard case .object(let properties) = event.members["properties"], case .number(let number) = properties["number"]
    else { return nil }
    return Int(number.description)
  }
}
