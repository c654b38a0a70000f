import EncircleEvents
import EncircleText

/// The timers of sa-sdk-ios: the timers that code starts, and the timer of `$AppEnd`.
///
/// A timer is kept twice: by its ID, and by the name of its event. The last timer of a name counts.
struct SensorsTimers {
  /// The name of a timer in an event or a call.
  enum Name: Hashable {
    case name(UTF8String)
    /// A timer's ID, which stands for the name of its event, too.
    case id(Int, of: UTF8String)

    /// The event's name.
    var event: UTF8String {
      switch self {
      case .name(let name), .id(_, of: let name): name
      }
    }
  }

  private struct Timer {
    var begin: UInt64
    /// The seconds before `begin`.
    var accumulated: Float = 0
    var isPaused = false
  }

  private static let end = Name.name("$AppEnd")
  private var timers: [Name: Timer] = [:]
  private var idsSoFar = 0

  /// The number of timers.
  var count: Int { timers.count }

  /// Starts a timer; returns its ID.
  mutating func start(_ event: String, at time: UInt64) -> Name {
    idsSoFar += 1
    let id = Name.id(idsSoFar, of: UTF8String(event))
    timers[id] = Timer(begin: time)
    timers[.name(UTF8String(event))] = Timer(begin: time)
    return id
  }

  /// Ends a timer; returns its duration as the SDK sends it, or nil if no timer runs.
  mutating func stop(_ name: Name, at time: UInt64) -> EventValue? {
    guard let timer = timers.removeValue(forKey: name) else { return nil }
    var seconds: Float = timer.isPaused ? 0 : SensorsDuration.seconds(from: timer.begin, to: time)
    seconds += timer.accumulated
    return SensorsDuration.value(Double(seconds))
  }

  mutating func pause(_ name: Name, at time: UInt64) {
    guard var timer = timers[name], !timer.isPaused else { return }
    timer.isPaused = true
    timer.accumulated += SensorsDuration.seconds(from: timer.begin, to: time)
    timers[name] = timer
  }

  mutating func resume(_ name: Name, at time: UInt64) {
    guard timers[name]?.isPaused == true else { return }
    timers[name]?.isPaused = false
    timers[name]?.begin = time
  }

  mutating func remove(_ name: Name) { timers[name] = nil }

  mutating func removeAll() { timers = [:] }

  /// Adds up the time that timers ran, when the app enters the background. Only the timer by the name `$AppEnd` goes on.
  mutating func suspend(at time: UInt64) {
    for name in timers.keys where name != Self.end {
      guard var timer = timers[name], !timer.isPaused else { continue }
      timer.accumulated = SensorsDuration.seconds(from: timer.begin, to: time) + timer.accumulated
      timer.begin = time
      timers[name] = timer
    }
  }

  /// Lets the timers go on from their accumulated time when the app comes to the front.
  mutating func restart(at time: UInt64) {
    for name in timers.keys { timers[name]?.begin = time }
  }
}
