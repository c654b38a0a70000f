/// Whether a shortcut that does not always lead anywhere is worth trying, found out anew now and then.
struct PrefilterState {
  private static let period = 256
  private static let pause = 4096
  private var tried = 0
  private var taken = 0
  private var waiting = 0

  /// Whether it is left alone for a while.
  var isPausing: Bool { waiting > 0 }

  /// Whether to try it with the next event.
  var isWorthTrying: Bool {
    mutating get {
      if waiting == 0 { return true }
      waiting &-= 1
      return false
    }
  }

  /// Notes how a try ended. A shortcut that seldom leads anywhere is left alone for a while.
  mutating func note(_ hasLedAnywhere: Bool) {
    tried &+= 1
    if hasLedAnywhere { taken &+= 1 }
    guard tried == Self.period else { return }
    if taken * 3 < Self.period { waiting = Self.pause }
    (tried, taken) = (0, 0)
  }
}
