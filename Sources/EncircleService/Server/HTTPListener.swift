import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Routes on an address; shared by services and collectors.
struct HTTPListener: Sendable {
  private let application: Application<RouterResponder<ServiceContext>>
  private let address: String
  private let stopSeconds: Int

  /// - Parameter onListening: Called once with the port, as soon as requests are accepted.
  init(
    _ table: RouteTable, access: any RequestAccess, metrics: ServiceMetrics, _ configuration: ServiceConfiguration,
    logger: Logger, onListening: @escaping @Sendable (_ port: Int) -> Void
  ) {
    address = "\(configuration.host):\(configuration.port)"
    let limits = configuration.limits
    stopSeconds = limits.stopSeconds
    let counts = ConnectionCounts(
      most: limits.connectionsPerAddress, unlimited: ClientAddress(configuration).trustedProxies)
    let router = table.router(access: access, metrics: metrics, memory: BodyMemory(limit: limits.bodyMemory))
    application = Application(
      responder: router.buildResponder(),
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ConnectionGuard(limits: limits, counts: counts)],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100))),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        backlog: 1_024,
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
      onServerRunning: { channel in onListening(channel.localAddress?.port ?? configuration.port) },
      logger: logger)
  }

  /// Serves requests until SIGTERM or SIGINT. It then accepts no more requests, and returns when the pending ones are answered.
  /// It waits for a limited time only, because a live stream never ends on its own.
  ///
  /// - Throws: ``ServiceStartError`` if the address cannot be listened on.
  func run() async throws {
    var group = ServiceGroupConfiguration(
      services: [.init(service: application)], gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
    group.maximumGracefulShutdownDuration = .seconds(stopSeconds)
    do {
      try await ServiceGroup(configuration: group).run()
    } catch let error as IOError {
      throw ServiceStartError.address(address, reason: Self.reason(error))
    } catch let error as SocketAddressError.UnknownHost {
      throw ServiceStartError.address(address, reason: error.errorDescription)
    } catch let error as SocketAddressError {
      throw ServiceStartError.address(address, reason: "\(error)")
    }
  }

  private static func reason(_ error: IOError) -> String {
    error.errnoCode == EADDRINUSE ? "another process listens on it" : String(cString: strerror(error.errnoCode))
  }
}
