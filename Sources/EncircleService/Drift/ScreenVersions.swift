import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import Foundation

/// The stored captures to compare: the latest one of each page of each app, with earlier ones.
struct ScreenVersions: Sendable {
  /// A pair of captures, by their IDs.
  struct Pair: Sendable, Hashable {
    let old: String
    let new: String
  }

  /// The app of the newest capture; nil if it does not name one.
  let app: String?
  /// Pairs of captures: first the latest captures with the previous ones, then with the ones before those, and so on. A rule is
  /// judged by the latest capture on which it selected something.
  private(set) var steps: [[Pair]] = []
  /// The time at which the next capture of the same page arrived, by the ID of the capture before it.
  private(set) var replacedAt: [String: Date] = [:]
  /// The captures of the newest version of each app whose pages no earlier capture shows.
  private(set) var onlyNew: [String] = []
  /// The newest version of this app; nil if no capture has one.
  private(set) var version: String?
  /// This is true if all captures were examined.
  private(set) var isComplete = true

  /// The number of captures that are examined; the oldest ones beyond it are ignored.
  static let maximumCaptures = 1_000
  private static let maximumSteps = 5

  /// The ID of a capture with those of the earlier ones of its page, latest first.
  private struct Chain {
    let id: String
    let earlier: [String]
  }

  /// Pairs captures, those of each app by themselves.
  ///
  /// - Parameters:
  ///   - apps: The apps; nil for all.
  ///   - from: The version of the old captures; nil for the latest one of each page.
  ///   - to: The newest version to examine; nil for any.
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  /// - Complexity: O(captures × elements).
  init(_ captures: CaptureLibrary, apps wanted: Set<UTF8String>?, from: VersionNumber?, to: VersionNumber?) throws {
    let all = try captures.records(CaptureTable.Filter(), limit: Self.maximumCaptures)
    isComplete = all.records.count == all.total
    let dated = all.records.compactMap { record in
      record.appVersion.flatMap { VersionNumber($0) }.map { (record: record, version: $0) }
    }
    let byApp = Dictionary(grouping: dated) { $0.record.app.map { UTF8String($0) } }
    let newest = dated.first { item in
      wanted.map { apps in item.record.app.map { apps.contains(UTF8String($0)) } ?? false } ?? true
    }?.record
    app = newest?.app ?? (wanted?.count == 1 ? wanted?.first?.text : nil)
    let first = app.map { UTF8String($0) }
    let none = UTF8String("")
    let names: [UTF8String?] = wanted.map { $0.sorted() } ?? byApp.keys.sorted { ($0 ?? none) < ($1 ?? none) }
    for name in names {
      var versions: [VersionNumber: [CaptureRecord]] = [:]
      for (record, version) in byApp[name] ?? [] {
        if let to, version > to { continue }
        if let from, version < from { continue }
        versions[version, default: []].append(record)
      }
      if name == first, let last = versions.keys.max() { version = versions[last]?.first?.appVersion }
      try pair(versions, captures, isOldKnown: from != nil)
    }
  }

  /// Adds the pairs of the captures of an app.
  ///
  /// - Parameter isOldKnown: True if the version of the old captures is given.
  private mutating func pair(
    _ versions: [VersionNumber: [CaptureRecord]], _ captures: CaptureLibrary, isOldKnown: Bool
  ) throws {
    guard let newest = versions.keys.max() else { return }
    var latest = LatestScreens<Chain>()
    var replacedAt: [String: Date] = [:]
    for (_, records) in versions.sorted(by: { $0.key < $1.key }) {
      let (stored, screens) = try Self.screens(records, captures)
      latest.add(screens) { number, earlier in
        if let earlier { replacedAt[earlier.id] = stored[number].uploadedAt }
        let before = earlier.map { [$0.id] + $0.earlier } ?? []
        return Chain(id: screens[number].name, earlier: Array(before.prefix(Self.maximumSteps)))
      }
    }
    self.replacedAt.merge(replacedAt) { first, _ in first }
    let chains = latest.values
    for step in 0..<Self.maximumSteps {
      let pairs = chains.compactMap { chain in
        step < chain.earlier.count ? Pair(old: chain.earlier[step], new: chain.id) : nil
      }
      if pairs.isEmpty { break }
      if step < steps.count { steps[step] += pairs } else { steps.append(pairs) }
    }
    let ids = Set(versions[newest]?.map(\.id) ?? [])
    if versions.count > 1 || !isOldKnown {
      onlyNew += chains.filter { $0.earlier.isEmpty && ids.contains($0.id) }.map(\.id)
    }
  }

  /// Returns the captures that are still stored, named by their IDs, with their records.
  private static func screens(
    _ records: [CaptureRecord], _ captures: CaptureLibrary
  ) throws -> (records: [CaptureRecord], screens: [NamedScreen]) {
    var found: (records: [CaptureRecord], screens: [NamedScreen]) = ([], [])
    for record in records {
      try WorkBudget.check()
      guard let screen = try captures.screen(record.id) else { continue }
      found.records.append(record)
      found.screens.append(NamedScreen(name: record.id, screen: screen.identified))
    }
    return found
  }
}
