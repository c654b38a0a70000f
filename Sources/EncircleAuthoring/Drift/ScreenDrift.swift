import EncircleDrift
import EncircleIdentity
import EncircleText
import EncircleTree

/// The changes of a screen's elements in a new version of the app.
public struct ScreenDrift: Sendable {
  /// The differences of an element that was found again.
  public enum Kind: String, CaseIterable, Sendable {
    /// Its path has changed, and so has its event ID.
    case moved
    /// Its class has another name.
    case renamed
    /// It shows another text, or has another label, identifier, actions or page.
    case changed
  }

  /// An element that was found again, and is not as it was.
  public struct Change: Sendable {
    public let kinds: [Kind]
    public let match: ScreenMapping.Match
    /// The values in which it differs if it has changed, else none.
    package let differences: [Difference]
  }

  /// A value that differs; nil on a screen on which the element does not have it.
  package struct Difference: Sendable {
    /// A word for the value, such as `text`.
    package let name: String
    package let old: String?
    package let new: String?

    /// - Returns: Nil if the values are equal.
    fileprivate init?(_ name: String, _ old: String?, _ new: String?) {
      guard old.map({ UTF8String($0) }) != new.map({ UTF8String($0) }) else { return nil }
      (self.name, self.old, self.new) = (name, old, new)
    }
  }

  /// The reuse of an old event ID by another element, so it cannot distinguish their events. ``ReusedID`` has it with versions.
  public struct IDReuse: Sendable {
    /// The element that had the ID.
    public let old: ElementID
    /// The element that has it now.
    public let new: ElementID
    public let eventID: EventID
    /// The old element on the new screen; nil if it is gone.
    public let movedTo: ElementID?
  }

  public private(set) var old: NamedScreen
  public private(set) var new: NamedScreen
  public let mapping: ScreenMapping
  /// In the order of the old screen.
  public private(set) var changes: [Change] = []
  /// In the order of the old screen.
  public private(set) var gone: [ElementID] = []
  /// In the order of the new screen.
  public private(set) var added: [ElementID] = []
  /// In the order of the old screen.
  public private(set) var reusedIDs: [IDReuse] = []
  /// The number of elements that are as they were.
  public private(set) var unchangedCount = 0

  /// Compares two screens.
  ///
  /// - Parameter threshold: The minimum confidence with which an element counts as found again.
  /// - Complexity: As for ``ScreenMapping``.
  public init(from old: NamedScreen, to new: NamedScreen, threshold: Double = DriftThreshold.usual) {
    self.old = old
    self.new = new
    mapping = ScreenMapping(from: old.screen.tree, to: new.screen.tree)
    let before = Self.identifiers(old.screen)
    let now = Self.identifiers(new.screen)
    let webPages = (old: PageNames(old.screen.tree), new: PageNames(new.screen.tree))
    for element in old.screen.tree.elements {
      guard let match = mapping.match(for: element, threshold: threshold) else {
        gone.append(element)
        continue
      }
      let differences = differences(of: match, webPages)
      var kinds: [Kind] = before[element.index] != now[match.new.index] ? [.moved] : []
      if !old.screen.className(of: match.old).hasSameBytes(as: new.screen.className(of: match.new)) {
        kinds.append(.renamed)
      }
      if !differences.isEmpty { kinds.append(.changed) }
      if kinds.isEmpty {
        unchangedCount += 1
      } else {
        changes.append(Change(kinds: kinds, match: match, differences: differences))
      }
    }
    added = new.screen.tree.elements.filter { mapping.origin(of: $0, threshold: threshold) == nil }
    reusedIDs = Self.reusedIDs(before, now, mapping, threshold)
  }

  /// Returns the same drift with other names of the captures.
  func renamed(_ name: (String) -> String) -> ScreenDrift {
    var drift = self
    drift.old = NamedScreen(name: name(old.name), screen: old.screen)
    drift.new = NamedScreen(name: name(new.name), screen: new.screen)
    return drift
  }

  /// Paths and event IDs of all elements.
  private struct Identifier: Equatable {
    let eventID: EventID
    let path: UTF8String

    static func == (a: Identifier, b: Identifier) -> Bool { a.path == b.path }
  }

  private static func identifiers(_ screen: IdentifiedTree) -> [Identifier] {
    var result: [Identifier] = []
    result.reserveCapacity(screen.tree.count)
    screen.forEachIdentity { _, path, _, eventID in
      result.append(Identifier(eventID: eventID, path: UTF8String(String(decoding: path, as: UTF8.self))))
    }
    return result
  }

  private static let texts: [(name: String, attribute: AttributeName)] = [
    ("text", .text), ("title", .title), ("label", .label),
  ]
  private static let otherValues: [(name: String, attribute: AttributeName)] = [
    ("placeholder", .placeholder), ("identifier", .identifier), ("actions", .actions),
  ]

  /// Returns the values in which an element that was found again differs.
  private func differences(
    of match: ScreenMapping.Match, _ webPages: (old: PageNames?, new: PageNames?)
  ) -> [Difference] {
    let (a, b) = (old.screen, new.screen)
    let page = Difference("page", a.page(of: match.old), b.page(of: match.new))
    if let old = webPages.old, let new = webPages.new {
      let names = PageNames.Kind.allCases.compactMap { kind in
        Difference(kind.rawValue, old.value(kind, of: match.old), new.value(kind, of: match.new))
      }
      return names + [page].compactMap { $0 }
    }
    let isTyped = a.holdsTypedText(match.old) || b.holdsTypedText(match.new)
    // Anchors have no labels of typed fields, either.
    let values = (isTyped ? [] : Self.texts) + Self.otherValues
    let attributes = values.compactMap { name, attribute in
      Difference(name, a.tree.value(attribute, of: match.old), b.tree.value(attribute, of: match.new))
    }
    return attributes + [page].compactMap { $0 }
  }

  private static func reusedIDs(
    _ old: [Identifier], _ new: [Identifier], _ mapping: ScreenMapping, _ threshold: Double
  ) -> [IDReuse] {
    var owners: [EventID: ElementID?] = [:]
    // An ID that several elements share proves nothing.
    for (j, identifier) in new.enumerated() {
      owners[identifier.eventID] = .some(owners[identifier.eventID] == nil ? ElementID(j) : nil)
    }
    var counts: [EventID: Int] = [:]
    for identifier in old { counts[identifier.eventID, default: 0] += 1 }
    return old.enumerated().compactMap { i, identifier in
      guard counts[identifier.eventID] == 1, let owner = owners[identifier.eventID] ?? nil else { return nil }
      let match = mapping.match(for: ElementID(i), threshold: threshold)
      // If the old element was not found again and the new owner is no old element, the owner may be the old element, changed
      // beyond recognition.
      guard match?.new != owner, match != nil || mapping.origin(of: owner, threshold: threshold) != nil else {
        return nil
      }
      return IDReuse(old: ElementID(i), new: owner, eventID: identifier.eventID, movedTo: match?.new)
    }
  }
}
