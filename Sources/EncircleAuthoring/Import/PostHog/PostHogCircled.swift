import EncircleEvents
import EncircleIdentity
import EncircleText

/// The facts about an element in a step of an action, for a search in captures.
///
/// The step takes a tap if the text, the tag and the link each occur on some element of the chain. The search is for one
/// element with all of them.
struct PostHogCircled {
  private let step: DefinitionNode

  init(_ step: DefinitionNode) { self.step = step }

  /// Returns the facts about the circled element; nil for a step that is about no element.
  func circled(id: String) -> RecordedElement? {
    guard step["event"]?.text?.hasSameBytes(as: "$autocapture") ?? false else { return nil }
    var circled = RecordedElement(id: UTF8String(id), style: .postHogWeb)
    var tags = [step["tag_name"]?.words].compactMap { $0 }
    var selectors = [step["selector"]?.words].compactMap { $0 }
    circled.text = text(step["text"]?.words, step["text_matching"]?.words ?? "exact")
    circled.href = text(step["href"]?.words, step["href_matching"]?.words ?? "exact")
    var screen: String?
    for property in step["properties"]?.items ?? [] {
      guard let value = Self.value(of: property) else { continue }
      let operation = property["operator"]?.words ?? "exact"
      switch (property["type"]?.words ?? "event", property["key"]?.words) {
      case ("element", "tag_name"): tags.append(value)
      case ("element", "selector"): selectors.append(value)
      case ("element", "text"): circled.text = circled.text ?? text(value, operation)
      case ("element", "href"): circled.href = circled.href ?? text(value, operation)
      case ("event", "$screen_name") where operation.hasSameBytes(as: "exact"): screen = value
      default: continue
      }
    }
    let names = selectors.first.flatMap(PostHogSelector.classes)
    if screen != nil || names != nil || tags.contains(where: { PostHogSelector.isClass(Substring($0)) }) {
      circled.style = .postHog
      circled.page = screen.map { .named(UTF8String($0)) } ?? .any
      circled.classes = (names ?? tags.prefix(1).map { $0 }).map { UTF8String($0) }
      circled.isPartOfPath = true
      circled.href = nil
    } else {
      circled.page = page
      if let selector = selectors.first { circled.add(selector: selector) }
      add(tags.first, to: &circled)
    }
    return circled.isInformative ? circled : nil
  }

  private func add(_ tag: String?, to circled: inout RecordedElement) {
    guard let tag else { return }
    if circled.webElements.isEmpty { circled.webElements = [CircledWebElement(tag: tag)] }
    for i in circled.webElements.indices { circled.webElements[i].add(tag: tag) }
  }

  /// Returns the value of a filter with a single value; nil for other filters.
  private static func value(of property: DefinitionNode) -> String? {
    guard let value = property["value"] else { return nil }
    return value.isList ? value.items.count == 1 ? value.items[0].words : nil : value.words
  }

  private func text(_ text: String?, _ matching: String) -> CircledText? {
    guard let text else { return nil }
    switch matching {
    case "exact": return .exact(UTF8String(text))
    case "contains", "icontains": return CircledText(matching: "(?is)" + LikeText(text).expression())
    case "regex": return CircledText(matching: "(?s)" + text)
    default: return nil
    }
  }

  private var page: RecordedElement.Page {
    guard let url = step["url"]?.words else { return .any }
    let test: CircledText? =
      switch step["url_matching"]?.words ?? "contains" {
      case "exact": .exact(UTF8String(url))
      case "contains": CircledText(matching: "(?s)" + LikeText(url).expression())
      case "regex": CircledText(matching: "(?s)" + url)
      default: nil
      }
    return test.map { .addresses([[$0]]) } ?? .unknown
  }
}
