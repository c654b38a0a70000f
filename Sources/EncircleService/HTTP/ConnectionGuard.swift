import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The event that the handler of a request sends when it begins to read the body.
struct BodyDemand: Sendable {}

/// Closes a connection whose client takes too long to send a request's head, to send the next request, or to receive an answer.
/// It also answers bytes that are not HTTP with the service's JSON. ``BodyParts`` limits the time of bodies.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The time for which the rest of a body is read and discarded after an answer that ends the connection. Closing with unread
  /// bytes would reset the connection, and a client that is still sending would not see the answer.
  private static let linger = TimeAmount.seconds(2)

  private let idle: TimeAmount
  private let stall: TimeAmount
  /// The number of requests that are not completely answered: a client may pipeline several.
  private var open = 0
  /// This is true if the client waits for `100 Continue` before it sends the body.
  private var expectsContinue = false
  /// This is true if a request has asked for another protocol. The connection ends with the answer to it, because the parser
  /// reads nothing that follows.
  private var isLast = false
  /// This is true if the answer that is being written is the last one.
  private var closes = false
  /// The parser's error for bytes that are not HTTP.
  private var problem: ErrorAnswer?
  private var waitsForRequest: Scheduled<Void>?
  private var waitsForReader: Scheduled<Void>?

  private let counts: ConnectionCounts?

  init(limits: ServiceLimits, counts: ConnectionCounts? = nil) {
    self.counts = counts
    idle = .seconds(Int64(limits.idleSeconds))
    stall = .seconds(Int64(limits.stallSeconds))
  }

  func handlerAdded(context: ChannelHandlerContext) {
    addOlderClients(context)
    waitForRequest(context)
    guard let counts, let address = context.channel.peerAddress else { return }
    guard counts.begin(address) else { return context.close(promise: nil) }
    context.channel.closeFuture.whenComplete { _ in counts.end(address) }
  }

  /// Adds the handler for HTTP/1.0 behind the parser. Hummingbird itself adds handlers only where versions are no longer known.
  private func addOlderClients(_ context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let parser = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
    do {
      try pipeline.addHandler(OlderClients(), position: .after(parser))
    } catch {
      // The pipeline has ended.
      context.close(promise: nil)
    }
  }

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
    var data = data
    if case .head(var head) = unwrapInboundIn(data) {
      open += 1
      expectsContinue = open == 1 && head.headerFields[.expect]?.lowercased() == "100-continue"
      if head.method == .connect || head.headerFields[.upgrade] != nil { isLast = true }
      if !closes { waitsForRequest?.cancel() }
      if let options = head.headerFields[.connection], options != "close", Self.asksToClose(options) {
        // Hummingbird recognises only this form.
        head.headerFields[.connection] = "close"
        data = wrapInboundOut(.head(head))
      }
    } else {
      // The client no longer waits.
      expectsContinue = false
    }
    context.fireChannelRead(data)
  }

  /// Returns whether one of the options in a `Connection` header is `close`, in upper or lower case.
  private static func asksToClose(_ options: String) -> Bool {
    options.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.contains("close")
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is BodyDemand else { return context.triggerUserOutboundEvent(event, promise: promise) }
    guard expectsContinue else {
      promise?.succeed(())
      return
    }
    expectsContinue = false
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: promise)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError, problem == nil { problem = ErrorAnswer(error) }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var data = data
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // A client that gets this answer instead of `100 Continue` may or may not send the body, so the next bytes could be either
      // the body or another request.
      if isLast && open == 1 || expectsContinue {
        head.headerFields[.connection] = "close"
        data = wrapOutboundOut(.head(head))
      }
      expectsContinue = false
      if head.headerFields[.connection] == "close" { closes = true }
      if let problem, head.status == .badRequest, head.headerFields[.contentLength] == "0" {
        // This is Hummingbird's answer to bytes that are not HTTP; it is replaced by the service's JSON.
        let (head, body) = problem.parts
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: promise)
        return
      }
    case .body: break
    case .end:
      open -= 1
      if closes {
        waitsForRequest?.cancel()
        waitsForRequest = close(context, in: Self.linger)
      } else if open <= 0 {
        waitForRequest(context)
      }
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

extension ErrorAnswer {
  /// Creates the answer to bytes that are not HTTP.
  init(_ error: HTTPParserError) {
    defer { headers[.connection] = "close" }
    switch error {
    case .headerOverflow:
      self.init(
        status: .requestHeaderFieldsTooLarge, code: "header-too-large",
        message: "The address or the header of the request is too long.")
    case .invalidEOFState, .closedConnection:
      self.init(.malformed("The body ended before it was complete.", code: "incomplete-body"))
    case .invalidChunkSize, .invalidContentLength, .unexpectedContentLength:
      self.init(.malformed("The length of the body is not a number, or is given in two ways.", code: "bad-length"))
    case .invalidURL:
      self.init(
        .malformed(
          "The address must begin with /, and characters beyond ASCII must be percent-encoded, such as é as %C3%A9.",
          code: "bad-http"))
    case .invalidConstant:
      self.init(
        .malformed(
          "The first line of a request must be METHOD ADDRESS HTTP/1.1; a space in the address is written %20.",
          code: "bad-http"))
    default: self.init(.malformed("This is not HTTP/1.1.", code: "bad-http"))
    }
  }
}
