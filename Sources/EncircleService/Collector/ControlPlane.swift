import EncircleText
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client for the service from which collectors get their rules.
public struct ControlPlane: Sendable {
  /// The reason why there is no answer.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Answer {
    var status: Int
    var tag: String?
    var body: [UInt8] = []
  }

  private let host: String
  private let port: Int
  private let path: String
  private let token: String?

  /// The longest answer: rules may be as long as the request that publishes them.
  private static let maximumBytes = 64 << 20
  private static let connectTime = TimeAmount.seconds(2)
  private static let answerTime = TimeAmount.seconds(10)

  /// - Parameters:
  ///   - address: `http://HOST:PORT`, optionally with a path before `/v1`.
  ///   - token: A token with the role read.
  /// - Returns: Nil for any other address. TLS is not supported; a proxy on the same machine can add it.
  public init?(_ address: String, token: String? = nil) {
    guard let url = URL(string: address), url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty,
      url.query == nil, url.fragment == nil, url.user == nil
    else { return nil }
    let port = url.port ?? 80
    guard (1...65_535).contains(port) else { return nil }
    if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return nil }
    self.host = host.beginsWithBytes(of: "[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
    path = url.path.endsWithBytes(of: "/") ? String(url.path.dropLast()) : url.path
    self.token = token
  }

  /// Requests a resource.
  ///
  /// - Parameters:
  ///   - resource: Its path, such as `/v1/settings`.
  ///   - tag: The ETag of the known version; the answer is 304 if that is still current.
  func get(_ resource: String, tag: String? = nil) async throws(Failure) -> Answer {
    do {
      return try await exchange(resource, tag)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "\(host):\(port) cannot be reached: \(Self.reason(error))")
    }
  }

  /// Returns the reason why no connection was made, or why it ended.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      (error.connectionErrors.last?.error ?? error.dnsAError ?? error.dnsAAAAError).map(reason) ?? "it has no address"
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case let error as SocketAddressError.UnknownHost: error.errorDescription
    case ChannelError.connectTimeout: "it does not answer"
    case is HTTPParserError: "its answer is not HTTP"
    default: "\(error)"
    }
  }

  private func exchange(_ resource: String, _ tag: String?) async throws -> Answer {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(Self.connectTime)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    let channel = connection.channel
    let deadline = channel.eventLoop.scheduleTask(in: Self.answerTime) { channel.close(promise: nil) }
    defer { deadline.cancel() }
    var headers = HTTPHeaders([
      ("Host", host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"), ("Connection", "close"),
      ("User-Agent", "encircle/\(LibraryVersion.text)"),
    ])
    if let tag { headers.add(name: "If-None-Match", value: tag) }
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path + resource, headers: headers)
    return try await connection.executeThenClose { inbound, outbound in
      // Both parts are written at once, because the service may answer the head and close the connection before it receives the end.
      try await outbound.write(contentsOf: [.head(head), .end(nil)])
      var answer: Answer?
      for try await part in inbound {
        switch part {
        case .head(let head): answer = Answer(status: Int(head.status.code), tag: head.headers.first(name: "ETag"))
        case .body(let bytes):
          guard let count = answer?.body.count, count + bytes.readableBytes <= Self.maximumBytes else {
            throw Failure(description: "the answer of \(host):\(port) has more than \(Self.maximumBytes) bytes")
          }
          answer?.body.append(contentsOf: bytes.readableBytesView)
        case .end:
          if let answer { return answer }
        }
      }
      throw Failure(description: "\(host):\(port) closed the connection before its answer was complete")
    }
  }
}
