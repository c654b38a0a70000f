import EncircleTestSupport
import Synchronization

@testable import EncircleAuthoring

/// Captures in memory, which counts how often each is given.
final class StoredCaptures: ScreenStore {
  private struct State {
    var captures: [StoredCapture] = []
    var given = 0
    var edits = 0
  }

  private let state = Mutex(State())

  init(_ names: [String]) throws {
    for name in names { try add(name) }
  }

  func add(_ name: String) throws {
    let capture = StoredCapture(id: name, name: name, appVersion: nil, screen: try Screens.named(name))
    state.withLock { $0.captures.append(capture) }
  }

  /// Gives a capture the content of another one.
  func replace(_ name: String, by other: String) throws {
    let capture = StoredCapture(id: name, name: name, appVersion: nil, screen: try Screens.named(other))
    state.withLock { state in
      state.captures = state.captures.map { $0.id == name ? capture : $0 }
      state.edits += 1
    }
  }

  func remove(_ name: String) { state.withLock { $0.captures.removeAll { $0.id == name } } }

  /// The number of captures that were given since this was asked last.
  var given: Int {
    state.withLock { state in
      defer { state.given = 0 }
      return state.given
    }
  }

  var edits: Int { state.withLock(\.edits) }

  func captureIDs() throws -> [String] { state.withLock { $0.captures.map(\.id) } }

  func capture(_ id: String) throws -> StoredCapture? { state.withLock { $0.captures.first { $0.id == id } } }

  func forEachCapture(_ body: (StoredCapture) throws -> Bool) throws {
    for capture in state.withLock(\.captures) {
      state.withLock { $0.given += 1 }
      guard try body(capture) else { return }
    }
  }
}
