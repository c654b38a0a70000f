import Synchronization

/// A cache of recently read captures, with a memory limit.
final class ScreenCache: Sendable {
  /// The approximate memory of an element, without the texts of its capture.
  static let bytesPerElement = 256

  private struct State {
    var entries: [String: (screen: StoredScreen, cost: Int, lastUse: Int)] = [:]
    var cost = 0
    var uses = 0
    var generation = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The maximum total size of the captures, in bytes.
  init(limit: Int) { self.limit = limit }

  /// The capture with an ID, if it is cached.
  subscript(id: String) -> StoredScreen? {
    state.withLock { state in
      guard let screen = state.entries[id]?.screen else { return nil }
      state.uses += 1
      state.entries[id]?.lastUse = state.uses
      return screen
    }
  }

  /// The number of removals. It shows whether a capture may have been removed since it was read.
  var generation: Int { state.withLock(\.generation) }

  /// Adds a capture, unless a capture was removed since it was read.
  ///
  /// - Parameter evicting: True if the least recently used captures may be evicted to make room.
  /// - Complexity: O(captures) for each that is evicted.
  func insert(_ screen: StoredScreen, cost: Int, _ generation: Int, evicting: Bool) {
    state.withLock { state in
      guard generation == state.generation, cost <= limit, state.entries[screen.id] == nil else { return }
      while state.cost + cost > limit {
        guard evicting, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        state.cost -= oldest.value.cost
        state.entries[oldest.key] = nil
      }
      state.uses += 1
      state.cost += cost
      state.entries[screen.id] = (screen, cost, state.uses)
    }
  }

  func remove(_ id: String) {
    state.withLock { state in
      state.generation += 1
      guard let entry = state.entries.removeValue(forKey: id) else { return }
      state.cost -= entry.cost
    }
  }
}
