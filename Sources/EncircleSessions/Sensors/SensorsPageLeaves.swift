import EncircleEvents

/// The pages that are open, for `$AppPageLeave`.
struct SensorsPageLeaves {
  /// A page that is open.
  struct Page {
    /// The milliseconds since 1970 from which its duration counts.
    var begin: Int64
    var referrer: EventValue?
    /// The place in the order in which pages appeared. They are left in this order here; on a device, the order is undefined.
    var position: Int
  }

  private(set) var pages: [Int: Page] = [:]
  private var lastURL: EventValue?
  private var pagesSoFar = 0

  /// Records that a page appears. A page that is already open restarts its duration and keeps its referrer.
  ///
  /// - Parameters:
  ///   - url: The page's URL, unless its properties have one.
  ///   - properties: The properties of the page.
  mutating func enter(_ number: Int, at time: Int64, url: String, _ properties: EventObject) {
    if pages[number] != nil {
      pages[number]?.begin = time
      return
    }
    let referrer = properties["$referrer"] ?? lastURL
    lastURL = properties["$url"] ?? .string(url)
    pagesSoFar += 1
    pages[number] = Page(begin: time, referrer: referrer, position: pagesSoFar)
  }

  /// Closes a page and returns it; nil if it is not open.
  mutating func leave(_ number: Int) -> Page? { pages.removeValue(forKey: number) }

  /// All open pages, in the order in which they appeared.
  var inOrder: [(number: Int, page: Page)] {
    pages.map { (number: $0.key, page: $0.value) }.sorted { $0.page.position < $1.page.position }
  }

  /// Restarts the durations of all open pages.
  mutating func restart(at time: Int64) {
    for number in pages.keys { pages[number]?.begin = time }
  }

  mutating func removeAll() { pages = [:] }

  /// Returns the duration of a page as the SDK sends it: by the clock, so it may be negative; 0 for 24 hours and more.
  static func duration(from begin: Int64, to end: Int64) -> EventValue {
    let seconds = Double(end) / 1000 - Double(begin) / 1000
    return SensorsDuration.value(seconds < SensorsDuration.limitSeconds ? seconds : 0)
  }
}
