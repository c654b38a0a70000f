import EncircleStore

/// The events of the last days.
final class EventLibrary: Sendable {
  init(store: Store) {}

  /// Gives the JSON of each stored event that was received in the last `days`, newest first, to `body` until that
  /// returns false.
  func forEach(days: Int, _ body: (_ id: Int64, _ json: [UInt8]) throws -> Bool) throws {}
}
