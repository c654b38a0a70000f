/// Decides whether the prefilter is worth its cost, and reconsiders every few thousand events.
struct PrefilterState {
  // The number of tries between checks of the rejection rate.
  private static let period = 256
  // The number of events that go without the prefilter when it rejects fewer than a third.
  private static let pause = 4096
  private var tried = 0
  private var rejected = 0
  private var paused = 0

  /// This is true if the prefilter is switched off for a while.
  var isPaused: Bool { paused > 0 }

  /// Returns whether to ask the prefilter about the next event.
  mutating func isOn() -> Bool {
    if paused == 0 { return true }
    paused &-= 1
    return false
  }

  /// Notes an answer of the prefilter.
  mutating func note(isRejected: Bool) {
    tried &+= 1
    if isRejected { rejected &+= 1 }
    guard tried == Self.period else { return }
    if rejected * 3 < Self.period { paused = Self.pause }
    (tried, rejected) = (0, 0)
  }

  /// Takes back one rejection, because the event ID of the rejected element was requested: computing an event ID takes longer than
  /// the prefilter saves, whereas the cache keeps it.
  mutating func noteVainRejection() { if rejected > 0 { rejected &-= 1 } }
}
