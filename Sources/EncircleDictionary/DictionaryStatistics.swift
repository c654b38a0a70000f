import EncircleIdentity
import EncircleText

/// Statistics of a dictionary.
public struct DictionaryStatistics: Sendable {
  /// The numbers of elements on a page.
  public struct Page: Sendable {
    /// The page, or nil for elements without one.
    public let name: String?
    /// The number of elements.
    public var elements = 0
    /// The number of trackable elements.
    public var trackable = 0
  }

  /// An event ID that belongs to several elements.
  public struct Collision: Sendable {
    public let eventID: EventID
    public let identity: String
    /// The largest number of elements with the event ID in one capture.
    public let sharing: Int
    /// The pages of the elements.
    public let pages: [String]
  }

  /// The changes from one version of an app to the next.
  public struct Version: Sendable {
    public let app: String?
    public let version: String
    /// The number of captures of the version.
    public var captures = 0
    /// The number of elements in those captures.
    public var elements = 0
    /// The event IDs that this version has and the previous one lacks, in ascending order. Only pages with captures of both
    /// versions are compared.
    public var appeared: [EventID] = []
    /// The event IDs that the previous version has and this one lacks, in ascending order. Only pages with captures of both
    /// versions are compared.
    public var disappeared: [EventID] = []
  }

  /// The number of captures.
  public var captures = 0
  /// The number of event IDs.
  public var eventIDs = 0
  /// The pages, those with the most elements first.
  public var pages: [Page] = []
  /// The event IDs that belong to several elements, in ascending order.
  public var collisions: [Collision] = []
  /// The versions of each app in ascending order, ordered by app.
  public var versions: [Version] = []

  /// Computes the statistics of a dictionary.
  ///
  /// - Throws: A ``DictionaryError``; ``DictionaryError/changed`` if the file was replaced meanwhile.
  /// - Complexity: O(*n*), *n* occurrences of an element in a version.
  public init(of reader: DictionaryReader) throws(DictionaryError) {
    let generation = reader.generation
    captures = reader.allCaptures.count
    var counter = Counter(reader.rows.captures, try reader.capturesByPage())
    try reader.forEachOccurrence { occurrence throws(DictionaryError) in try counter.add(occurrence) }
    eventIDs = counter.close()
    pages = counter.pages.sorted { a, b in
      a.elements != b.elements ? a.elements > b.elements : Self.areInOrder(a.name, b.name)
    }
    versions = counter.versions
    for (id, sharing, pages) in counter.collisions {
      let identity = try reader.elements(with: id).first?.identity ?? ""
      collisions.append(Collision(eventID: id, identity: identity, sharing: sharing, pages: pages))
    }
    // Counts from different files do not fit together.
    if reader.generation != generation { throw .changed }
  }

  /// Returns whether a text precedes another one: by bytes, no text first.
  private static func areInOrder(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return a == nil && b != nil }
    return UTF8String(a) < UTF8String(b)
  }

  /// Counts elements, which must be added in the order of their event IDs.
  private struct Counter {
    private struct Key: Hashable {
      let app: UTF8String?
      let version: UTF8String
    }

    private(set) var pages: [Page] = []
    private(set) var collisions: [(EventID, Int, [String])] = []
    private(set) var versions: [Version]
    // For each capture, the index of its version in `versions`.
    private let versionOfCapture: [Int: Int]
    // For each version, the index of the one before it of the same app.
    private let previous: [Int?]
    // For each page, the versions with captures of it.
    private let pagesSeen: [UTF8String?: Set<Int>]

    private var pageNumbers: [UTF8String?: Int] = [:]
    private var eventIDs = 0
    // The elements with the current event ID.
    private var group: [DictionaryReader.Occurrence] = []
    // The versions with one of these elements.
    private var seen: Set<Int> = []

    init(_ captures: [Int: DictionaryReader.Capture], _ capturesByPage: [UTF8String?: Set<Int>]) {
      var counts: [Key: Int] = [:]
      for (_, capture) in captures {
        guard let version = capture.appVersion else { continue }
        counts[Key(app: capture.app.map { UTF8String($0) }, version: UTF8String(version)), default: 0] += 1
      }
      var versions: [Version] = []
      var numbers: [Key: Int] = [:]
      var previous: [Int?] = []
      for app in Set(counts.keys.map(\.app)).sorted(by: { DictionaryStatistics.areInOrder($0?.text, $1?.text) }) {
        var last: Int?
        let names = counts.keys.filter { $0.app == app }.map(\.version.text)
        for name in names.sorted(by: VersionNumber.areInOrder) {
          let key = Key(app: app, version: UTF8String(name))
          numbers[key] = versions.count
          previous.append(last)
          last = versions.count
          versions.append(Version(app: app?.text, version: name, captures: counts[key] ?? 0))
        }
      }
      var versionOfCapture: [Int: Int] = [:]
      for (number, capture) in captures {
        guard let version = capture.appVersion else { continue }
        versionOfCapture[number] = numbers[Key(app: capture.app.map { UTF8String($0) }, version: UTF8String(version))]
      }
      self.versions = versions
      self.previous = previous
      self.versionOfCapture = versionOfCapture
      var pagesSeen: [UTF8String?: Set<Int>] = [:]
      for (page, captures) in capturesByPage {
        pagesSeen[page] = Set(captures.compactMap { versionOfCapture[$0] })
      }
      self.pagesSeen = pagesSeen
    }

    mutating func add(_ occurrence: DictionaryReader.Occurrence) throws(DictionaryError) {
      if let last = group.last, last.eventID != occurrence.eventID { _ = close() }
      let number: Int
      if let known = pageNumbers[occurrence.page] {
        number = known
      } else {
        number = pages.count
        pages.append(Page(name: occurrence.page?.text))
        pageNumbers[occurrence.page] = number
      }
      pages[number].elements += 1
      if occurrence.isTrackable { pages[number].trackable += 1 }
      for run in occurrence.captures.runs {
        for capture in run { if let version = versionOfCapture[capture] { seen.insert(version) } }
      }
      group.append(occurrence)
    }

    /// Counts the current event ID once for each version that has an element with it.
    ///
    /// - Returns: The number of event IDs so far.
    mutating func close() -> Int {
      guard let first = group.first else { return eventIDs }
      eventIDs += 1
      let sharing = group.map(\.sharing).max() ?? 1
      if sharing > 1 || group.contains(where: { !$0.isSameElement(as: first) }) {
        var names: [UTF8String] = []
        var known: Set<UTF8String> = []
        for page in group.compactMap(\.page) where known.insert(page).inserted { names.append(page) }
        collisions.append((first.eventID, sharing, names.map(\.text)))
      }
      let pages = Set(group.lazy.compactMap(\.page))
      // Without captures of the page in both versions, nothing is known about its elements.
      func areShown(_ a: Int, _ b: Int) -> Bool {
        pages.contains { pagesSeen[$0]?.contains(a) ?? false } && pages.contains { pagesSeen[$0]?.contains(b) ?? false }
      }
      for version in seen {
        versions[version].elements += 1
        if let previous = previous[version], !seen.contains(previous), areShown(version, previous) {
          versions[version].appeared.append(first.eventID)
        }
        // The next version of the same app.
        let next = version + 1
        if next < versions.count, previous[next] == version, !seen.contains(next), areShown(version, next) {
          versions[next].disappeared.append(first.eventID)
        }
      }
      group.removeAll(keepingCapacity: true)
      seen.removeAll(keepingCapacity: true)
      return eventIDs
    }
  }
}
