import Synchronization

/// A value that is computed on first use and kept, because only a few of many screens are ever looked at.
final class LazyValue<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Returns the value; the first caller makes it, while others wait.
  func get(_ make: () -> Value) -> Value {
    value.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}
