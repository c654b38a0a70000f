/// The numbers of events that wait in memory and in files, and what sends them.
///
/// A simulation of the counts only. On a device up to ten requests go out at once, so that batches may arrive out of order.
struct LedeQueue {
  /// So many events in memory are sent.
  static let mostInMemory = 10
  private static let interval = 30.0

  /// The number of events in memory.
  private(set) var memory = 0
  /// The events in each file.
  private var files: [Int] = []
  private var firstFile = 0
  private var nextTimer = 0.0

  /// Forgets what an earlier process had in memory.
  mutating func beginProcess() { memory = 0 }

  mutating func insert() { memory += 1 }

  mutating func startTimer(at uptime: Double) { nextTimer = uptime + Self.interval }

  /// Returns whether the timer fires, and starts it anew then.
  mutating func isTimerDue(at uptime: Double) -> Bool {
    guard uptime >= nextTimer else { return false }
    nextTimer = uptime + Self.interval
    return true
  }

  /// Writes what is in memory to a file.
  mutating func saveMemory() {
    if memory > 0 { files.append(memory) }
    memory = 0
  }

  /// Removes what is in memory; returns how many events that were.
  mutating func removeMemory() -> Int {
    defer { memory = 0 }
    return memory
  }

  /// The number of events in the oldest file; nil if there is none.
  var nextFile: Int? { firstFile < files.count ? files[firstFile] : nil }

  /// Removes the oldest file.
  mutating func removeFile() {
    firstFile += 1
    if firstFile == files.count { (files, firstFile) = ([], 0) }
  }
}
