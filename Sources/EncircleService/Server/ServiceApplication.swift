import EncircleInput
import EncircleRules
import Foundation
import Logging
import ServiceLifecycle

/// The service: captures, rules and events in one directory, over HTTP, and the page on which one circles.
public struct ServiceApplication: ServiceLifecycle.Service {
  let state: ServiceState
  private let listener: HTTPListener

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
    } else if !configuration.rules.isEmpty {
      // Otherwise somebody who has changed a file would wait for it to come into force.
      logger.info(
        "rules not published: there are rules already; PUT /v1/rulesets/NAME or the page changes them",
        metadata: ["rules": "\(configuration.rules.joined(separator: ", "))"])
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
    listener = HTTPListener(
      state.table, access: state.access, metrics: state.metrics, configuration, logger: logger, onListening: onListening
    )
  }

  /// Answers requests until SIGTERM or SIGINT; then it takes no more, and returns when those under way are answered, at
  /// the latest when their time is up: a live stream never ends by itself.
  public func run() async throws {
    // The first request about selectors would have to read all captures, so they are read in advance.
    let preparation = Task { [state] in
      _ = try? await state.workers.run {
        let ruleSet = try state.ruleSets.published(EventLibrary.ruleSet)?.ruleSet ?? RuleSet()
        var settings = SelectionSettings(ruleSet)
        // Suggestions need the texts around elements.
        settings.readsScreens = true
        return try state.analysis.snapshot(settings).screens.count
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
    try await listener.run()
    try await state.analysts.stop()
    try await state.collectors.stop()
    try await state.workers.stop()
    state.events.finish()
    try state.store.close()
  }

  /// The time between two rounds of deleting old events and moving the write-ahead logs into the databases.
  private static let upkeepInterval = Duration.seconds(60)
}
