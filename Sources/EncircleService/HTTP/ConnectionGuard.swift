import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client takes too long: for the lines of a request, for the next request, or for what it is
/// sent. Bodies are watched where they are read.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let idle: TimeAmount
  private let stall: TimeAmount
  /// Requests whose answers are not at their ends: a client may send several before it reads.
  private var open = 0
  private var waitsForRequest: Scheduled<Void>?
  private var waitsForReader: Scheduled<Void>?

  init(limits: ServiceLimits) {
    idle = .seconds(Int64(limits.idleSeconds))
    stall = .seconds(Int64(limits.stallSeconds))
  }

  func handlerAdded(context: ChannelHandlerContext) { waitForRequest(context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    waitsForRequest?.cancel()
    waitsForReader?.cancel()
  }

  func channelInactive(context: ChannelHandlerContext) {
    waitsForRequest?.cancel()
    waitsForReader?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) {
      open += 1
      waitsForRequest?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      open -= 1
      if open == 0 { waitForRequest(context) }
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    waitsForReader?.cancel()
    waitsForReader = context.channel.isWritable ? nil : close(context, in: stall)
    context.fireChannelWritabilityChanged()
  }

  private func waitForRequest(_ context: ChannelHandlerContext) {
    waitsForRequest?.cancel()
    waitsForRequest = close(context, in: idle)
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
