import EncircleEvents
import EncircleText

/// An action of PostHog, as its create call takes it: it takes the events that one of its steps takes.
///
/// Source: PostHog's API reference (https://posthog.com/docs/api/actions), and the models of actions in its server.
struct PostHogAction {
  /// A filter on a property of the event.
  struct Filter: Hashable {
    var key: UTF8String
    var comparison: Comparison
    var value: EventValue?

    init(_ key: UTF8String, _ comparison: Comparison, _ value: EventValue? = nil) {
      self.key = key
      self.comparison = comparison
      self.value = value
    }

    var json: EventValue {
      var object: EventObject = ["key": .string(key.text), "operator": .string(comparison.rawValue), "type": "event"]
      // The operators without a value have their own name there.
      object["value"] = value ?? .string(comparison.rawValue)
      return .object(object)
    }
  }

  /// The operators of filters that rules can be expressed with.
  enum Comparison: String, CaseIterable {
    case exact
    case isNot = "is_not"
    case icontains
    case notIContains = "not_icontains"
    case regex
    case notRegex = "not_regex"
    case less = "lt"
    case lessOrEqual = "lte"
    case greater = "gt"
    case greaterOrEqual = "gte"
    case isSet = "is_set"
    case isNotSet = "is_not_set"
  }

  /// The comparison of the page's address.
  enum Matching: String {
    case exact, contains, regex
  }

  /// The tests of the elements from the tapped one up to the root.
  struct Element: Hashable {
    /// The tag or class of some element.
    var tag: UTF8String?
    /// A selector in CSS's words.
    var selector: String?
    /// The text of some element.
    var text: UTF8String?
  }

  /// A step; all its tests must hold.
  struct Step: Hashable {
    var event: UTF8String?
    var element = Element()
    var url: UTF8String?
    var urlMatching: Matching?
    var filters: [Filter] = []

    /// This is true if the step takes every event.
    var isEmpty: Bool {
      event == nil && element == Element() && url == nil && filters.isEmpty
    }

    var json: EventValue {
      var object: EventObject = ["event": event.map { .string($0.text) } ?? .null]
      if let tag = element.tag { object["tag_name"] = .string(tag.text) }
      if let selector = element.selector { object["selector"] = .string(selector) }
      if let text = element.text {
        object["text"] = .string(text.text)
        object["text_matching"] = "exact"
      }
      if let url, let urlMatching {
        object["url"] = .string(url.text)
        object["url_matching"] = .string(urlMatching.rawValue)
      }
      object["properties"] = .list(filters.map(\.json))
      return .object(object)
    }
  }

  /// The longest name of an action.
  static let longestName = 400

  var name: UTF8String
  var summary: String?
  var tags: [String] = []
  var steps: [Step] = []

  var json: EventValue {
    var object: EventObject = ["name": .string(name.text)]
    if let summary { object["description"] = .string(summary) }
    object["tags"] = .list(tags.map { .string($0) })
    object["steps"] = .list(steps.map(\.json))
    return .object(object)
  }
}
