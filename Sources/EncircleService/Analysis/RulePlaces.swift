import EncircleAuthoring
import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// The place of a rule on the stored screens: its picture and its text.
struct RulePlace: Sendable {
  /// The capture that shows the place: the newest one with a screenshot, or else the newest.
  let capture: String
  let element: Int
  /// The frame in the coordinates of the screen.
  let frame: Frame
  /// The size of the screen.
  let width: Double
  let height: Double
  let hasScreenshot: Bool

  /// The place in the form of the list of rules.
  var value: EventValue {
    func number(_ value: Double) -> EventValue {
      var json = JSONBuilder()
      json.value(value)
      return DecimalNumber(String(decoding: json.bytes, as: UTF8.self)).map { .number($0) } ?? .null
    }
    return [
      "capture": .string(capture), "element": .number(DecimalNumber(element)),
      "frame": .list([frame.x, frame.y, frame.width, frame.height].map(number)), "width": number(width),
      "height": number(height), "has_screenshot": .bool(hasScreenshot),
    ]
  }
}

/// The places of a file's rules on all stored screens.
struct RulePlaces: Sendable {
  private(set) var places: [UTF8String: RulePlace] = [:]
  /// The texts of the elements of each rule, in lower case and without repeats.
  private(set) var texts: [UTF8String: Set<String>] = [:]

  /// The maximum number of texts of a rule that are kept; a rule for a whole list may have thousands.
  private static let maximumTexts = 100
  /// The longest text that is kept, in bytes.
  private static let longestText = 200

  /// Adds places and texts of rules in another style. The first place with a screenshot counts.
  mutating func merge(_ other: RulePlaces) {
    places.merge(other.places) { own, other in own.hasScreenshot || !other.hasScreenshot ? own : other }
    texts.merge(other.texts) { own, other in Set(own.union(other).sorted().prefix(Self.maximumTexts)) }
  }

  /// - Parameters:
  ///   - rules: The rules in the order of the search.
  ///   - withScreenshot: The captures that have a screenshot.
  /// - Complexity: O(elements of all captures), each at a decider's cost for one event.
  init(
    _ rules: [SelectionRule], _ search: RuleSearch, _ snapshot: ScreenIndex.Snapshot, _ captures: CaptureLibrary,
    withScreenshot: Set<String>
  ) throws {
    guard !search.isEmpty else { return }
    var finder = search.finder()
    for indexed in snapshot.screens {
      try WorkBudget.check()
      var found: [(element: ElementID, rule: UTF8String)] = []
      try finder.forEachMatch(in: indexed.events, check: WorkBudget.check) { entry, rule in
        found.append((indexed.events.elements[entry], rules[rule].id))
      }
      guard !found.isEmpty, let screen = try captures.screen(indexed.id) else { continue }
      let elements = ScreenElements(of: screen.identified)
      let size = ScreenSize(of: screen.identified.tree)
      let hasScreenshot = withScreenshot.contains(indexed.id)
      for (element, rule) in found where !elements.hidden[element.index] {
        if let text = elements.content(of: element), !text.isEmpty, text.utf8.count <= Self.longestText,
          texts[rule, default: []].count < Self.maximumTexts
        {
          texts[rule, default: []].insert(text.lowercased())
        }
        guard let size, let frame = elements.frames[element], frame.width > 0, frame.height > 0,
          frame.x < size.width, frame.y < size.height, frame.x + frame.width > 0, frame.y + frame.height > 0
        else { continue }
        let known = places[rule]
        if known == nil || (hasScreenshot && known?.hasScreenshot == false) {
          places[rule] = RulePlace(
            capture: indexed.id, element: element.index, frame: frame, width: size.width, height: size.height,
            hasScreenshot: hasScreenshot)
        }
      }
    }
  }
}
