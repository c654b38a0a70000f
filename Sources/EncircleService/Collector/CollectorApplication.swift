import EncircleLog
import Foundation
import Logging

/// A collector: it takes the events of SDKs, decides them, and writes them to a log. Its only state is the last good rules, so
/// any number of collectors can run behind a load balancer.
public struct CollectorApplication: Sendable {
  private let listener: HTTPListener
  private let rules: PolledRules
  private let pool: WorkPool
  private let log: any EventLog
  private let pollInterval: Duration

  /// Activates the rules that are stored on disk, but does not listen yet.
  ///
  /// - Parameter onListening: Called once with the port, as soon as requests are accepted.
  public init(
    _ configuration: CollectorConfiguration, log: any EventLog, logger: Logger,
    onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
  ) throws {
    let access = CollectorAccess(configuration.tokens, configuration.service)
    try access.checkBinding(to: configuration.service.host)
    let metrics = ServiceMetrics(counters: ServiceMetrics.Counter.ofEvents + ServiceMetrics.Counter.ofRules)
    let limits = configuration.service.limits
    let rules = try PolledRules(configuration, metrics: metrics, logger: logger)
    rules.load()
    self.rules = rules
    self.log = log
    pollInterval = configuration.pollInterval
    pool = WorkPool.ofService(limits)
    var table = RouteTable()
    table.add(
      SystemRoutes(metrics: metrics) {
        do throws(LogError) { try log.checkWritable() } catch {
          throw ServiceError.unavailable("Events cannot be logged now: \(error).", code: "storage")
        }
        return "ready \(try rules.rules(of: nil).versionText)\n"
      })
    table.add(
      CollectRoutes(
        events: LoggedEvents(
          log: log, polled: rules, eventsPerRequest: limits.collectEvents, logsRaw: configuration.logsRaw),
        access: access, collectors: pool, limits: limits, metrics: metrics))
    table.add(PostHogRoutes(limits: limits))
    listener = HTTPListener(
      table, access: access, metrics: metrics, configuration.service, logger: logger, onListening: onListening)
  }

  /// Takes events until SIGTERM or SIGINT; it then answers the pending requests, and closes the log.
  public func run() async throws {
    await rules.poll()
    let polling = Task { [rules, pollInterval] in await rules.run(every: pollInterval) }
    defer { polling.cancel() }
    do {
      try await listener.run()
    } catch {
      await log.close()
      throw error
    }
    try await pool.stop()
    await log.close()
  }
}
