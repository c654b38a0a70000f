import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// An event ID that identifies one element in captures of a version and another element in a later version, so it
/// cannot distinguish their events.
public struct ReusedID: Sendable {
  /// An element in a capture.
  public struct Owner: Sendable {
    /// The name of the capture.
    public let capture: String
    /// The version of the app.
    public let version: String
    public let element: ElementID
    /// The class and the text of the element.
    public let title: String

    init(_ element: ElementID, of screen: NamedScreen) {
      capture = screen.name
      version = screen.screen.tree.header.appVersion ?? ""
      self.element = element
      title = screen.title(of: element)
    }

    /// `UIButton Pay  order-v5.1.xml element 41 (5.1.0)`
    public var description: String { "\(title)  \(capture) element \(element) (\(version))" }
  }

  public let eventID: EventID
  public let before: Owner
  public let now: Owner
  /// The old element in the later version; nil if it is gone.
  public let movedTo: ElementID?

  // Captures beyond this number are not compared.
  private static let maximumScreens = 2_000

  /// Finds reused IDs by comparing the captures of each version with the latest earlier ones of their page.
  ///
  /// - Parameters:
  ///   - screens: Captures. Without a version of the app, a capture cannot be put in order and is left out.
  ///   - ids: The event IDs to look for; nil for all.
  /// - Returns: In the order of the versions and captures.
  /// - Complexity: As for ``ScreenDrift``, once for each capture.
  public static func find(in screens: [NamedScreen], ids: Set<EventID>? = nil) -> [ReusedID] {
    var versions: [VersionNumber: [NamedScreen]] = [:]
    for screen in screens.prefix(maximumScreens) {
      guard let version = screen.screen.tree.header.appVersion.flatMap({ VersionNumber(parsing: Array($0.utf8)) })
      else {
        continue
      }
      versions[version, default: []].append(screen)
    }
    let ordered = versions.sorted { $0.key < $1.key }.map(\.value)
    var found: [ReusedID] = []
    var latest = LatestScreens<NamedScreen>()
    for screens in ordered {
      latest.add(screens) { number, before in
        let now = screens[number]
        guard let before, ids.map({ before.hasElement(withAny: $0) }) ?? true else { return now }
        for reuse in ScreenDrift(from: before, to: now).reusedIDs where ids?.contains(reuse.eventID) ?? true {
          found.append(
            ReusedID(
              eventID: reuse.eventID, before: Owner(reuse.old, of: before), now: Owner(reuse.new, of: now),
              movedTo: reuse.movedTo))
        }
        return now
      }
    }
    return found
  }
}

extension NamedScreen {
  /// Returns whether the screen has an element with one of some event IDs.
  ///
  /// - Complexity: O(elements).
  func hasElement(withAny ids: Set<EventID>) -> Bool {
    var isFound = false
    screen.forEachIdentity { _, _, _, eventID in
      if ids.contains(eventID) { isFound = true }
    }
    return isFound
  }
}
