import EncircleText

/// The numbers of events that wait in memory and in files, and the triggers that send them.
///
/// This simulates the counts only. Memory has two buffers: an array of waiting events, and a dictionary of the events that are
/// being sent, keyed by the random IDs of their requests. Batches may arrive out of order.
struct LedeQueue {
  /// A request that is being sent.
  struct Request {
    /// The request's `eventsID`.
    var id: String
    var count: Int
  }

  /// The number of events in memory at which they are sent.
  static let maximumInMemory = 10
  private static let interval = 30.0

  /// The maximum number of concurrent requests.
  private static let maximumRequests = 10

  /// The number of events that wait in memory.
  private(set) var memory = 0
  /// The requests that are being sent, the oldest first.
  private(set) var requests: [Request] = []
  private var requestsSoFar = 0
  /// The events in each file.
  private var files: [Int] = []
  private var firstFile = 0
  private var nextTimer = 0.0

  /// Discards the memory of an earlier process.
  mutating func beginProcess() { _ = loseMemory() }

  /// Discards memory and files. The IDs of later requests differ from those of earlier ones all the same.
  mutating func removeAll() {
    _ = loseMemory()
    (files, firstFile) = ([], 0)
  }

  mutating func insert() { memory += 1 }

  mutating func startTimer(at uptime: Double) { nextTimer = uptime + Self.interval }

  /// Returns whether the timer fires; if so, restarts it.
  mutating func isTimerDue(at uptime: Double) -> Bool {
    guard uptime >= nextTimer else { return false }
    nextTimer = uptime + Self.interval
    return true
  }

  var canBeginRequest: Bool { requests.count < Self.maximumRequests }

  /// Moves all waiting events into a new request.
  mutating func beginRequest() -> Request {
    requestsSoFar += 1
    let request = Request(id: Self.randomID(requestsSoFar), count: memory)
    memory = 0
    requests.append(request)
    return request
  }

  /// Returns the random ID of a request: 32 hexadecimal digits of the generator SplitMix64. The seed is the number of the
  /// request, so that the events of a session are the same each time.
  private static func randomID(_ number: Int) -> String {
    var state = UInt64(number)
    return Hexadecimal.text(
      (0..<2).flatMap { _ in
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return withUnsafeBytes(of: (word ^ word >> 31).bigEndian) { [UInt8]($0) }
      })
  }

  /// Ends a request. Its events wait again unless the receiver accepted them.
  mutating func end(_ request: Request, isTaken: Bool) {
    requests.removeAll { sameText($0.id, request.id) }
    if !isTaken { memory += request.count }
  }

  /// Writes all events in memory to a file, including those that are being sent.
  mutating func saveMemory() {
    let count = loseMemory()
    if count > 0 { files.append(count) }
  }

  /// Discards all events in memory, including those that are being sent; returns their number.
  mutating func loseMemory() -> Int {
    defer { (memory, requests) = (0, []) }
    return requests.reduce(memory) { $0 + $1.count }
  }

  /// The number of events in the oldest file; nil if there is none.
  var nextFile: Int? { firstFile < files.count ? files[firstFile] : nil }

  /// Removes the oldest file.
  mutating func removeFile() {
    firstFile += 1
    if firstFile == files.count { (files, firstFile) = ([], 0) }
  }
}
