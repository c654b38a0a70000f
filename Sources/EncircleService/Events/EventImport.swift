import EncircleEvents
import EncircleInput
import EncircleRules
import EncircleSDK
import Foundation
import Logging

/// Stores the events of a file when a service without events starts.
///
/// The events count as received when they happened, so that reports show them in their hours. Events that would be too old to
/// be kept count as received when the service starts.
struct EventImport {
  let events: EventLibrary
  let retention: EventLimits
  let logger: Logger

  private static let batchSize = 5_000

  /// - Parameter path: A file of lines or of JSON documents, compressed or not.
  /// - Throws: `InputError` if the file cannot be read, or the error of the store.
  func run(_ path: String) throws {
    guard try events.store.isEmpty() else {
      logger.info("events not imported: there are events already", metadata: ["file": "\(path)"])
      return
    }
    let rules = try events.matchers.all()
    let plan = events.plan(rules)
    let checker = CollectReader(plan)
    let observer = events.planObserver(for: rules)
    let now = EventLibrary.now
    let oldest = now - Int64(retention.days) * 86_400_000
    var reader = try EventReader(path: path, lengthLimit: plan.lengthLimit)
    var batch = EventRowBatch()
    var (stored, rejected) = (0, 0)
    // Times of arrival must ascend with ids, so an event never arrives before the previous one.
    var arrival = Int64.min
    func flush() throws {
      stored += try events.store.write([batch]).joined().count { $0 != nil }
      batch = EventRowBatch()
    }
    try rules.withWorkers { workers in
      while let record = try reader.next() {
        // Times are not corrected, because a file does not say when it was sent.
        guard case .event = record,
          let row = checker.read(
            eventOf: reader, now: now,
            { event, text, tape in
              arrival = max(arrival, (oldest...now).contains(event.time) ? event.time : now)
              return EventRow(event, text, tape, by: workers, observer, receivedAt: arrival)
            })
        else {
          rejected += 1
          continue
        }
        batch.events.append(row)
        if batch.events.count >= Self.batchSize { try flush() }
      }
    }
    try flush()
    logger.info("events imported", metadata: ["stored": "\(stored)", "rejected": "\(rejected)"])
  }
}
