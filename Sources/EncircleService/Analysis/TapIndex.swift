import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Synchronization

/// The events that taps on the elements of a stored capture would send, made once, as JSON: deciding them is then as quick as
/// deciding events that arrive.
struct ScreenTaps: Sendable {
  let id: String
  let name: String
  let appVersion: String?
  /// The elements that an SDK of the style tracks, in pre-order.
  let elements: [Int32]
  /// For each of them, the number of its page.
  private let pageNumbers: [Int32]
  private let pages: [String?]
  private let bytes: [UInt8]
  /// Where the event of each element ends in the bytes; it begins where the one before ends.
  private let ends: [Int]

  /// - Complexity: O(elements × depth).
  init(_ screen: StoredScreen, _ settings: RuleSettings) {
    let identified = settings.identified(screen)
    let style = settings.ruleSet.style
    id = screen.id
    name = screen.name
    appVersion = identified.tree.header.appVersion
    var elements: [Int32] = []
    var ends: [Int] = []
    var bytes: [UInt8] = []
    var pageNumbers: [Int32] = []
    var pages: [String?] = []
    var numbers: [UTF8String?: Int32] = [:]
    // A style that cannot serve a capture has no events of it.
    if style.style.lack(of: identified) == nil {
      let events = ElementEvents(of: identified, style: style, fields: settings.ruleSet.fields)
      for element in identified.tree.elements where identified.trackingType(of: element, in: style) != nil {
        bytes += events.event(of: element).json
        elements.append(Int32(element.index))
        ends.append(bytes.count)
        let page = identified.page(of: element, in: style)
        let key = page.map { UTF8String($0) }
        if numbers[key] == nil {
          numbers[key] = Int32(pages.count)
          pages.append(page)
        }
        pageNumbers.append(numbers[key] ?? 0)
      }
    }
    self.elements = elements
    self.ends = ends
    self.bytes = bytes
    self.pageNumbers = pageNumbers
    self.pages = pages
  }

  /// The page of an entry of ``elements``.
  func page(ofEntry entry: Int) -> String? { pages[Int(pageNumbers[entry])] }

  /// Gives each entry's event to `body`.
  func forEach(_ body: (_ entry: Int, _ json: UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    try bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for (entry, end) in ends.enumerated() {
        try body(entry, UnsafeBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
  }

  var byteCount: Int { bytes.count + 16 * elements.count }
}

/// The taps of all stored captures, kept from request to request.
final class TapIndex: Sendable {
  /// All captures as they were at one moment.
  struct Snapshot: Sendable {
    /// The newest first.
    let screens: [ScreenTaps]
    /// The elements by event ID, and the classes.
    let dictionary: ElementDictionary
  }

  private struct Entry {
    var settings: RuleSettings.Key
    var taps: [String: ScreenTaps] = [:]
    var dictionary: ElementDictionary
    /// The captures that the dictionary has.
    var known: Set<String> = []
    var byteCount = 0

    /// Forgets the captures that are no longer stored.
    mutating func drop(allBut stored: Set<String>) {
      guard !known.isSubset(of: stored) else { return }
      // A dictionary only grows, so without a capture it is made anew, and what depends on it is.
      self = Entry(settings: settings, dictionary: ElementDictionary(style: settings.style))
    }
  }

  // The settings for which taps are kept: those of the rule sets that people work on.
  private static let mostSettings = 4
  // Of more captures than this, taps are made for each request again.
  private static let mostBytes = 512 << 20
  // Of more, it is better to read all in a row.
  private static let mostReadOneByOne = 16

  private let captures: CaptureLibrary
  // The one that was used last comes last.
  private let entries = Mutex<[Entry]>([])

  init(_ captures: CaptureLibrary) { self.captures = captures }

  /// All stored captures, the newest first.
  ///
  /// - Throws: ``ServiceError`` when the request has had its share of work; what was made is kept, so that a later request
  ///   gets further.
  /// - Complexity: O(captures), and O(elements × depth) of those that are new.
  func snapshot(_ settings: RuleSettings) throws -> Snapshot {
    let stored = try captures.records(CaptureTable.Filter()).records.map(\.id)
    return try entries.withLock { entries in
      let key = settings.key
      let found = entries.firstIndex { $0.settings == key }
      var entry =
        found.map { entries.remove(at: $0) }
        ?? Entry(settings: key, dictionary: ElementDictionary(style: key.style))
      defer {
        entries.append(entry)
        if entries.count > Self.mostSettings { entries.removeFirst() }
      }
      entry.drop(allBut: Set(stored))
      // Beyond the limit, taps are made for this request alone.
      var others: [String: ScreenTaps] = [:]
      func add(_ screen: StoredScreen) throws {
        try WorkBudget.check()
        if entry.known.insert(screen.id).inserted, key.style.style.lack(of: screen.identified) == nil {
          entry.dictionary.insert(settings.identified(screen))
        }
        let taps = ScreenTaps(screen, settings)
        if entry.byteCount + taps.byteCount <= Self.mostBytes {
          entry.byteCount += taps.byteCount
          entry.taps[screen.id] = taps
        } else {
          others[screen.id] = taps
        }
      }
      let missing = stored.filter { entry.taps[$0] == nil }
      if missing.count > Self.mostReadOneByOne {
        let wanted = Set(missing)
        try captures.forEachScreen { screen in
          if wanted.contains(screen.id) { try add(screen) }
          return true
        }
      } else {
        for id in missing {
          if let screen = try captures.screen(id) { try add(screen) }
        }
      }
      return Snapshot(
        screens: stored.compactMap { entry.taps[$0] ?? others[$0] }, dictionary: entry.dictionary)
    }
  }
}
