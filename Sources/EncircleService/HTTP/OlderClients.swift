import NIOCore
import NIOHTTP1

/// Answers requests of HTTP/1.0 in a form that their clients can read: without chunks, and on a connection that then ends,
/// because the clients read to its end unless the answer has a `Content-Length`.
///
/// It sees the versions of requests, which the service's requests do not have.
final class OlderClients: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// This is true if the client uses HTTP/1.0. Its connection ends with the first answer.
  private var isOlder = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), head.version != .http1_1 else {
      return context.fireChannelRead(data)
    }
    isOlder = true
    head.headers.replaceOrAdd(name: "connection", value: "close")
    // There are no interim answers in HTTP/1.0.
    head.headers.remove(name: "expect")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isOlder, case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    head.version = .http1_0
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
