import EncircleAuthoring
import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// Where a rule is on the stored screens: its picture, and what people read there.
struct RulePlace: Sendable {
  /// The capture that shows it: the newest with a screenshot, else the newest.
  let capture: String
  let element: Int
  /// In the coordinates of the screen.
  let frame: Frame
  /// The size of the screen.
  let width: Double
  let height: Double
  let hasScreenshot: Bool

  /// The place as the list of rules has it.
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

/// Where the rules of a file are on all stored screens.
struct RulePlaces: Sendable {
  private(set) var places: [UTF8String: RulePlace] = [:]
  /// The texts of the elements that each rule is about, in lower case, each once.
  private(set) var texts: [UTF8String: Set<String>] = [:]

  /// The most texts of a rule that are kept; a rule about a whole list may have thousands.
  private static let mostTexts = 100
  /// The longest text that is kept, in bytes.
  private static let longestText = 200

  /// Adds places and texts of rules in another style. The first place that has a screenshot counts.
  mutating func merge(_ other: RulePlaces) {
    places.merge(other.places) { own, other in own.hasScreenshot || !other.hasScreenshot ? own : other }
    texts.merge(other.texts) { own, other in Set(own.union(other).sorted().prefix(Self.mostTexts)) }
  }

  /// - Parameters:
  ///   - rules: In the order in which the search has them.
  ///   - withScreenshot: The captures that have one.
  /// - Complexity: O(elements of all captures), each for what an event costs a decider.
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
          texts[rule, default: []].count < Self.mostTexts
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
