import EncircleInput
import EncircleRules
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The service: captures, rules and events in one directory, over HTTP, and the page on which one circles.
public struct ServiceApplication: ServiceLifecycle.Service {
  let state: ServiceState
  private let application: Application<RouterResponder<ServiceContext>>
  private let address: String

  /// Opens the directory; it does not listen yet.
  ///
  /// - Parameter onListening: Called once with the port as soon as requests are taken.
  /// - Throws: When the directory cannot be used.
  public init(
    _ configuration: ServiceConfiguration, logger: Logger,
    onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
  ) throws {
    let state = try ServiceState(configuration, logger: logger)
    try state.access.checkBinding(to: configuration.host)
    if !configuration.rules.isEmpty, try state.ruleSets.isNew() {
      do {
        try RuleImport(configuration.rules).publish(in: state.ruleSets)
      } catch let problem as RuleImport.Problem {
        throw ServiceStartError.rules(problem.description, isMissing: problem.isMissing)
      }
    }
    self.state = state
    do {
      try CaptureImport(library: state.captures, limits: configuration.limits, logger: logger)
        .run(configuration.importedCaptures)
    } catch let failure as CaptureImport.Failure {
      throw ServiceStartError.input("\(failure)", isMissing: failure.isMissing)
    }
    if let events = configuration.importedEvents {
      do {
        try EventImport(events: state.events, retention: configuration.retention, logger: logger).run(events)
      } catch let error as InputError {
        throw ServiceStartError.input("\(events): \(error)", isMissing: error == .noSuchFile)
      }
    }
    address = "\(configuration.host):\(configuration.port)"
    let limits = configuration.limits
    let counts = ConnectionCounts(
      most: limits.connectionsPerAddress, unlimited: Set(configuration.trustedProxies))
    let router = state.table.router(
      access: state.access, metrics: state.metrics, memory: BodyMemory(limit: limits.bodyMemory))
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

  /// Answers requests until SIGTERM or SIGINT; then it takes no more, and returns when those under way are answered, at
  /// the latest when their time is up: a live stream never ends by itself.
  public func run() async throws {
    var group = ServiceGroupConfiguration(
      services: [.init(service: application)], gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
    group.maximumGracefulShutdownDuration = .seconds(state.configuration.limits.stopSeconds)
    // The first question about selectors reads all captures: they are read before it is asked.
    let preparation = Task { [state] in
      _ = try? await state.workers.run {
        let ruleSet = try state.ruleSets.published(EventLibrary.ruleSet)?.ruleSet ?? RuleSet()
        return try state.analysis.snapshot(SelectionSettings(ruleSet)).screens.count
      }
    }
    defer { preparation.cancel() }
    let upkeep = Task { [state] in
      while !Task.isCancelled {
        state.events.deleteOld()
        _ = try? await state.workers.run { try state.store.checkpoint(.passive) }
        try await Task.sleep(for: Self.upkeepInterval)
      }
    }
    defer { upkeep.cancel() }
    do {
      try await ServiceGroup(configuration: group).run()
    } catch let error as IOError {
      throw ServiceStartError.address(address, reason: Self.reason(error))
    } catch let error as SocketAddressError {
      throw ServiceStartError.address(address, reason: "\(error)")
    }
    try await state.analysts.stop()
    try await state.collectors.stop()
    try await state.workers.stop()
    state.events.finish()
    try state.store.close()
  }

  /// The time between two looks at what is too old, and at what lies in the logs of the databases.
  private static let upkeepInterval = Duration.seconds(60)

  private static func reason(_ error: IOError) -> String {
    error.errnoCode == EADDRINUSE ? "another process listens on it" : String(cString: strerror(error.errnoCode))
  }
}
