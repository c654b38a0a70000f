import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
  private let (sendBytes, connectSocket) = (Darwin.send, Darwin.connect)
  private let streamKind = SOCK_STREAM
  private let noSignal: Int32 = 0
#elseif canImport(Glibc)
  import Glibc
  private let (sendBytes, connectSocket) = (Glibc.send, Glibc.connect)
  private let streamKind = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// A client that sends any bytes, right or wrong, over one connection for each request.
struct HTTPAnswer: Sendable {
  var status: Int
  /// The header fields, by name in lower case; the last one of equal names.
  var headers: [String: String]
  var body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON: objects are `[String: Any]`.
  var json: Any { (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) ?? NSNull() }

  var object: [String: Any] { json as? [String: Any] ?? [:] }

  /// The code of an error; empty for another answer.
  var errorCode: String { (object["error"] as? [String: Any])?["code"] as? String ?? "" }
}

/// The service has sent nothing for half an hour, or for minutes not what a test waits for.
struct NoAnswer: Error {
  /// The bytes that it has sent before.
  var bytes: Data
}

extension RunningService {
  /// Asks again and again until a status is the expected one; false if it never is within half a minute.
  func waitsFor(_ expected: Int, _ status: () async throws -> Int) async throws -> Bool {
    for _ in 0..<600 {
      if try await status() == expected { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> HTTPAnswer {
    try await send("GET", path, headers: headers)
  }

  func post(_ path: String, json: Any, headers: [String: String] = [:]) async throws -> HTTPAnswer {
    try await send("POST", path, json: json, headers: headers)
  }

  func put(_ path: String, json: Any, headers: [String: String] = [:]) async throws -> HTTPAnswer {
    try await send("PUT", path, json: json, headers: headers)
  }

  func delete(_ path: String, headers: [String: String] = [:]) async throws -> HTTPAnswer {
    try await send("DELETE", path, headers: headers)
  }

  private func send(
    _ method: String, _ path: String, json: Any, headers: [String: String]
  ) async throws -> HTTPAnswer {
    let body = try JSONSerialization.data(withJSONObject: json, options: [.fragmentsAllowed, .sortedKeys])
    return try await send(
      method, path, headers: headers.merging(["Content-Type": "application/json"]) { old, _ in old }, body: body)
  }

  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: Data = Data()
  ) async throws -> HTTPAnswer {
    try await exchange(request(method, path, headers, body))
  }

  /// Opens a stream, and returns when the service has begun to send it.
  func open(_ path: String, headers: [String: String] = [:]) async throws -> OpenStream {
    let stream = OpenStream(request("GET", path, headers, Data()), port: port)
    try await stream.begin()
    return stream
  }

  private func request(_ method: String, _ path: String, _ headers: [String: String], _ body: Data) -> Data {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
      head += "Content-Length: \(body.count)\r\n"
    }
    return Data((head + "\r\n").utf8) + body
  }

  /// Sends bytes as they are, and reads until the service closes the connection.
  func exchange(_ bytes: Data) async throws -> HTTPAnswer { try await Self.exchange(bytes, port: port) }

  /// - Parameter receive: Is called with each part of the answer when it arrives.
  static func exchange(
    _ bytes: Data, port: Int, receive: @escaping @Sendable (Data) -> Void = { _ in }
  ) async throws -> HTTPAnswer {
    // A separate thread, as it waits.
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try HTTPAnswer(read(from: port, after: bytes, receive)) })
      }
    }
  }

  private static func read(from port: Int, after bytes: Data, _ receive: (Data) -> Void) throws -> Data {
    let connection = try connect(to: port)
    defer { close(connection) }
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes(connection, $0.baseAddress!, $0.count, noSignal) }
      // It may have answered, and closed its side, before it has read everything.
      if count <= 0 { break }
      rest = rest.dropFirst(count)
    }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN { throw NoAnswer(bytes: answer) }
      if count <= 0 { return answer }
      answer.append(contentsOf: buffer[..<count])
      receive(Data(buffer[..<count]))
    }
  }

  /// A connected socket, which waits for the service for a limited time.
  static func connect(to port: Int) throws -> Int32 {
    let connection = socket(AF_INET, streamKind, 0)
    // A service in this process may wait for minutes until other tests leave it a thread.
    var limit = timeval(tv_sec: 1_800, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connectSocket(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(connection)
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return connection
  }
}

/// A stream of server-sent events that stays open.
final class OpenStream: Sendable {
  private final class Arrived: Sendable {
    let bytes = Mutex(Data())
    let isOver = Mutex(false)
  }

  private let arrived = Arrived()
  private let end: Task<HTTPAnswer, any Error>

  fileprivate init(_ request: Data, port: Int) {
    end = Task { [arrived] in
      defer { arrived.isOver.withLock { $0 = true } }
      return try await RunningService.exchange(request, port: port) { part in arrived.bytes.withLock { $0 += part } }
    }
  }

  /// Waits for the first bytes after the head, which the service sends once it watches for events, or for the end.
  fileprivate func begin() async throws {
    try await wait { bytes in
      bytes.range(of: Data("\r\n\r\n".utf8)).map { $0.upperBound < bytes.endIndex } ?? false
    }
  }

  /// Waits until a text has come, or for the end.
  func wait(for text: String) async throws { try await wait { $0.range(of: Data(text.utf8)) != nil } }

  private func wait(until isReached: (Data) -> Bool) async throws {
    for _ in 0..<300_000 {
      if arrived.bytes.withLock({ isReached($0) }) || arrived.isOver.withLock({ $0 }) { return }
      try await Task.sleep(for: .milliseconds(2))
    }
    throw NoAnswer(bytes: arrived.bytes.withLock { $0 })
  }

  /// The whole answer, once the service has ended it.
  var answer: HTTPAnswer {
    get async throws {
      try await wait { _ in false }
      return try await end.value
    }
  }
}

extension HTTPAnswer {
  struct Incomplete: Error { var bytes: Data }

  /// Reads an answer that ends with the connection.
  init(_ bytes: Data) throws {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { throw Incomplete(bytes: bytes) }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Incomplete(bytes: bytes)
    }
    self.status = status
    headers = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    body = Data(bytes[end.upperBound...])
    if headers["transfer-encoding"] == "chunked" { body = try Self.joined(body) }
  }

  private static func joined(_ chunks: Data) throws -> Data {
    var body = Data()
    var rest = chunks[...]
    while let line = rest.range(of: Data("\r\n".utf8)) {
      guard let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) else { break }
      if count == 0 { return body }
      let end = line.upperBound + count
      guard end + 2 <= rest.endIndex else { break }
      body += rest[line.upperBound..<end]
      rest = rest[(end + 2)...]
    }
    throw Incomplete(bytes: chunks)
  }
}
