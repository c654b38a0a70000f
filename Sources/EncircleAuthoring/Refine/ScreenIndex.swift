import EncircleIdentity
import EncircleRules
import Synchronization

/// The events of the elements of all stored captures, kept from question to question.
package final class ScreenIndex: Sendable {
  /// All captures as they were at one moment.
  package struct Snapshot: Sendable {
    /// The newest first.
    package let screens: [IndexedScreen]
    /// The elements by event ID, and the classes.
    package let dictionary: ElementDictionary

    /// Returns the snapshot with a capture that is not stored, as the newest.
    package func adding(_ capture: StoredCapture, _ settings: SelectionSettings) -> Snapshot {
      Snapshot(screens: [IndexedScreen(capture, settings)] + screens, dictionary: dictionary)
    }

    /// Returns the snapshot with one of its captures alone.
    package func only(_ id: String) -> Snapshot {
      Snapshot(screens: screens.filter { $0.id == id }, dictionary: dictionary)
    }
  }

  private struct Entry {
    var settings: SelectionSettings.Key
    /// The store's number of edits when the captures were read.
    let edits: Int
    var screens: [String: IndexedScreen] = [:]
    var dictionary: ElementDictionary
    /// The captures that the dictionary has.
    var known: Set<String> = []
    var byteCount = 0

    init(_ settings: SelectionSettings.Key, _ edits: Int) {
      self.settings = settings
      self.edits = edits
      dictionary = ElementDictionary(style: settings.style, knowsScreens: settings.readsScreens)
    }

    /// Forgets the captures that are no longer stored, or no longer as they were.
    mutating func drop(allBut stored: Set<String>, _ edits: Int) {
      guard edits != self.edits || !known.isSubset(of: stored) else { return }
      // A capture cannot be removed from a dictionary, so the dictionary and all that depends on it are made again.
      self = Entry(settings, edits)
    }
  }

  // The maximum number of settings to keep events for, from the rule sets that people work on.
  private static let maximumSettings = 4
  // The events of captures beyond this limit are made again for each question.
  private static let maximumBytes = 512 << 20
  // If more captures than this are missing, it is faster to read all in a row.
  private static let maximumReadOneByOne = 16

  private let store: any ScreenStore
  // The entries, the one used last at the end.
  private let entries = Mutex<[Entry]>([])

  package init(_ store: any ScreenStore) { self.store = store }

  /// Returns all stored captures, newest first.
  ///
  /// - Parameter check: Called before each capture that is read. If it throws, the work ends, but the captures read so far are
  ///   kept, so a later call gets further.
  /// - Complexity: O(captures), plus O(elements × depth) for new ones.
  package func snapshot(_ settings: SelectionSettings, check: () throws -> Void) throws -> Snapshot {
    let edits = store.edits
    let stored = try store.captureIDs()
    return try entries.withLock { entries in
      let key = settings.key
      // An entry that also knows the texts of screens answers all questions, so it replaces an entry without them.
      var readingScreens = key
      readingScreens.readsScreens = true
      var entry =
        entries.firstIndex { $0.settings == readingScreens || $0.settings == key }.map { entries.remove(at: $0) }
        ?? Entry(key, edits)
      if key.readsScreens, !entry.settings.readsScreens { entry = Entry(key, edits) }
      defer {
        entries.append(entry)
        if entries.count > Self.maximumSettings { entries.removeFirst() }
      }
      entry.drop(allBut: Set(stored), edits)
      // Beyond the limit, events are made for this question alone.
      var others: [String: IndexedScreen] = [:]
      func add(_ capture: StoredCapture) throws {
        try check()
        if entry.known.insert(capture.id).inserted, key.style.style.unmetRequirement(for: capture.screen) == nil {
          entry.dictionary.insert(settings.identified(capture.screen))
        }
        let screen = IndexedScreen(capture, settings)
        if entry.byteCount + screen.events.byteCount <= Self.maximumBytes {
          entry.byteCount += screen.events.byteCount
          entry.screens[screen.id] = screen
        } else {
          others[screen.id] = screen
        }
      }
      let missing = stored.filter { entry.screens[$0] == nil }
      if missing.count > Self.maximumReadOneByOne {
        let wanted = Set(missing)
        try store.forEachCapture { capture in
          if wanted.contains(capture.id) { try add(capture) }
          return true
        }
      } else {
        for id in missing {
          if let capture = try store.capture(id) { try add(capture) }
        }
      }
      return Snapshot(
        screens: stored.compactMap { entry.screens[$0] ?? others[$0] }, dictionary: entry.dictionary)
    }
  }
}
