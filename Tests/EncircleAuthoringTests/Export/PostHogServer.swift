import EncircleRules
import EncircleText
import Foundation

/// The matching of an action by PostHog's queries, according to its documentation and the sources of its server: slowly, and from nothing
/// but the body that was exported.
struct PostHogServer {
  private struct Filter {
    var key: String
    var name: String
    var values: [String]
    var number: Double?
    var expression: RegularExpression?
  }

  private struct Step {
    var event: String?
    var tag: RegularExpression?
    var text: String?
    var selector: [(part: SelectorPart, isChild: Bool)] = []
    var url: (text: String, matching: String, expression: RegularExpression?)?
    var filters: [Filter] = []
  }

  /// A part of a selector: `tag[name="value"].class:nth-child(1)`.
  private struct SelectorPart {
    var tag = ""
    var attributes: [(name: String, value: String)] = []
    var classes: [String] = []
    var nthChild: String?
    var nthOfType: String?
  }

  /// An event as it is stored, with its chain taken apart once.
  struct Event {
    var name: String
    var properties: [String: Any]
    var chain: String
    var entries: [[String: String]]

    init(_ json: String) throws {
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
      name = object["event"] as? String ?? ""
      properties = object["properties"] as? [String: Any] ?? [:]
      chain = properties.removeValue(forKey: "$elements_chain") as? String ?? object["elements_chain"] as? String ?? ""
      entries = chain.isEmpty ? [] : chain.components(separatedBy: ";").map(Self.entry)
    }

    private static func entry(_ text: String) -> [String: String] {
      var entry: [String: String] = [:]
      let head = text.prefix { $0 != ":" }
      entry["classes"] = head.split(separator: ".").dropFirst().joined(separator: " ")
      entry["tag"] = String(head.prefix { $0 != "." })
      for match in text.matches(of: /([a-z_\-]+)="([^"]*)"/) { entry[String(match.1)] = String(match.2) }
      return entry
    }

    /// The text by which a value is compared; nil for one that is missing or null.
    func text(_ key: String) -> String? {
      guard let value = properties[key], !(value is NSNull) else { return nil }
      if let text = value as? String { return text }
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])
      return data.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private var steps: [Step] = []

  /// - Parameter body: The exported file.
  init(_ body: [UInt8]) throws {
    let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    for step in object["steps"] as? [[String: Any]] ?? [] { steps.append(try Self.step(step)) }
  }

  private static func step(_ object: [String: Any]) throws -> Step {
    var step = Step()
    step.event = object["event"] as? String
    if let tag = object["tag_name"] as? String { step.tag = try RegularExpression("(?s)(^|;)\(tag)(\\.|$|;|:)") }
    step.text = object["text"] as? String
    if let selector = object["selector"] as? String { step.selector = parts(selector) }
    if let url = object["url"] as? String {
      let matching = object["url_matching"] as? String ?? "contains"
      step.url = (url, matching, matching == "regex" ? try RegularExpression("(?s)" + url) : nil)
    }
    for filter in object["properties"] as? [[String: Any]] ?? [] {
      let name = filter["operator"] as? String ?? "exact"
      let value = filter["value"]
      var own = Filter(key: filter["key"] as? String ?? "", name: name, values: [])
      own.values = (value as? [String]) ?? [value as? String].compactMap { $0 }
      own.number = (value as? NSNumber)?.doubleValue
      if name.hasSuffix("regex") { own.expression = try RegularExpression("(?s)" + own.values[0]) }
      step.filters.append(own)
    }
    return step
  }

  private static func parts(_ selector: String) -> [(part: SelectorPart, isChild: Bool)] {
    var result: [(part: SelectorPart, isChild: Bool)] = []
    var isChild = false
    for word in selector.split(separator: " ") {
      if word == ">" {
        isChild = true
        continue
      }
      var part = SelectorPart()
      part.tag = String(word.prefix { !".[:".contains($0) })
      for match in word.matches(of: /\[([a-z\-]+)="([^"]*)"\]/) {
        part.attributes.append((String(match.1), String(match.2)))
      }
      for match in word.matches(of: /\.([A-Za-z0-9_\-]+)/) { part.classes.append(String(match.1)) }
      part.nthChild = word.firstMatch(of: /:nth-child\((\d+)\)/).map { String($0.1) }
      part.nthOfType = word.firstMatch(of: /:nth-of-type\((\d+)\)/).map { String($0.1) }
      result.append((part, isChild))
      isChild = false
    }
    return result
  }

  /// Returns whether the action takes an event.
  func takes(_ event: Event) -> Bool { steps.contains { takes(event, $0) } }

  private func takes(_ event: Event, _ step: Step) -> Bool {
    if let name = step.event, name != event.name { return false }
    if event.name == "$autocapture" {
      if let tag = step.tag, !tag.matches(event.chain) { return false }
      if let text = step.text, !event.entries.contains(where: { $0["text"] == text }) { return false }
      if !step.selector.isEmpty, !isFound(step.selector, event.entries) { return false }
    }
    if let url = step.url {
      guard let current = event.text("$current_url") else { return false }
      switch url.matching {
      case "exact": if current != url.text { return false }
      case "regex": if url.expression?.matches(current) != true { return false }
      default: if !current.contains(url.text) { return false }
      }
    }
    return step.filters.allSatisfy { holds($0, event) }
  }

  /// Returns whether the parts fit elements of the chain in their order, the last one at any element. A tag fits those that begin so.
  private func isFound(_ parts: [(part: SelectorPart, isChild: Bool)], _ entries: [[String: String]]) -> Bool {
    func fits(_ part: SelectorPart, _ entry: [String: String]) -> Bool {
      let classes = (entry["classes"] ?? "").split(separator: " ").map(String.init)
      return (entry["tag"] ?? "").hasPrefix(part.tag)
        && part.attributes.allSatisfy { entry[$0.name == "id" ? "attr_id" : "attr__" + $0.name] == $0.value }
        && part.classes.allSatisfy { classes.contains($0) }
        && (part.nthChild == nil || entry["nth-child"] == part.nthChild)
        && (part.nthOfType == nil || entry["nth-of-type"] == part.nthOfType)
    }
    func isFound(_ last: Int, at index: Int) -> Bool {
      guard fits(parts[last].part, entries[index]) else { return false }
      guard last > 0 else { return true }
      let outer =
        parts[last].isChild ? Array((index + 1)..<min(index + 2, entries.count)) : Array((index + 1)..<entries.count)
      return outer.contains { isFound(last - 1, at: $0) }
    }
    return entries.indices.contains { isFound(parts.count - 1, at: $0) }
  }

  private func holds(_ filter: Filter, _ event: Event) -> Bool {
    let text = event.text(filter.key)
    switch filter.name {
    case "exact": return text.map { filter.values.contains($0) } ?? false
    case "is_not": return text.map { !filter.values.contains($0) } ?? true
    case "icontains": return text?.lowercased().contains(filter.values[0].lowercased()) ?? false
    case "not_icontains": return !(text?.lowercased().contains(filter.values[0].lowercased()) ?? false)
    case "regex": return text.map { filter.expression?.matches($0) ?? false } ?? false
    case "not_regex": return !(text.map { filter.expression?.matches($0) ?? false } ?? false)
    case "is_set": return text != nil
    case "is_not_set": return text == nil
    default: break
    }
    guard let number = text.flatMap(Double.init), let bound = filter.number else { return false }
    switch filter.name {
    case "lt": return number < bound
    case "lte": return number <= bound
    case "gt": return number > bound
    case "gte": return number >= bound
    default: return false
    }
  }
}

extension RegularExpression {
  /// Returns whether the expression matches anywhere in a text.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }
}
