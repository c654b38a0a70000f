import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggestions for people and for programs.
struct SuggestionReport {
  typealias Other = SuggestionTrial.Other

  /// The element or event that selectors are suggested for.
  enum Subject {
    case element(ElementID, of: IdentifiedTree, capture: String)
    case event(EventSubject, place: String)
  }

  var subject: Subject
  var style: PathStyleName
  var suggestions: [Suggestion]
  var others: [Other]
  var properties: [SuggestedProperty] = []

  private static let maximumListed = 100
  private static let maximumCaptures = 4

  // MARK: - Text

  /// Returns an element in one line: its number, class, text and page.
  static func line(
    _ element: ElementID, _ screen: IdentifiedTree, _ contents: ElementContents, _ style: PathStyleName
  ) -> String {
    var line = "element \(element): \(screen.className(of: element))"
    if let content = contents.content(of: element), !content.isEmpty {
      line += " '\(VisibleText.shortened(content, columns: 32))'"
    }
    if let cell = screen.cellLocator(of: element) {
      line += ", " + cell.fields.map { "\($0.name) \($0.value)" }.joined(separator: " ")
    }
    if let page = screen.page(of: element, in: style) { line += ", on \(page)" }
    return line
  }

  /// Returns an event in one line: its place, name, element and page.
  private static func line(_ event: EventSubject, _ place: String) -> String {
    var line = "\(place), \(event.name ?? "event without a name")"
    if let type = event.path?.components.last?.className ?? event.type { line += " of \(type)" }
    if let content = event.content, !content.isEmpty {
      line += " '\(VisibleText.shortened(content, columns: 32))'"
    }
    if let page = event.page { line += ", on \(page)" }
    return event.style == .hubbleData ? line : line + ", in style \(event.style.rawValue)"
  }

  private var page: String? {
    switch subject {
    case .element(let element, let screen, _): screen.page(of: element, in: style)
    case .event(let event, _): event.page
    }
  }

  private var title: String {
    switch subject {
    case .element(let element, let screen, let capture):
      "\(capture), " + Self.line(element, screen, ElementContents(of: screen), style)
    case .event(let event, let place): Self.line(event, place)
    }
  }

  var text: String {
    var lines = [title]
    for property in properties {
      let text = property.text.map { ", which says '\(VisibleText.shortened($0, columns: 60))'" } ?? ""
      lines.append("property \(property.name): \(property.selector)\(text)")
    }
    for (i, suggestion) in suggestions.enumerated() {
      lines += ["", "\(i + 1)  \(suggestion.namesPlace ? suggestion.selector.description : "no selector")"]
      lines += words(suggestion, i).map { "   " + $0 }
    }
    // Each line is escaped separately, so that no name and no text can add a line.
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private func words(_ suggestion: Suggestion, _ number: Int) -> [String] {
    var lines = [uniqueness(suggestion)]
    for evidence in suggestion.evidence {
      switch evidence {
      case .content(let text): lines.append(Self.condition("$element_content", text, evidence))
      case .noContent: lines.append("where there is no $element_content")
      case .actions(let names): lines.append("where $element_actions is '\(names)'")
      case .alertTitle(let text): lines.append(Self.condition("$alert_title", text, evidence))
      case .alertMessage(let text): lines.append(Self.condition("$alert_message", text, evidence))
      case .developerID(let id):
        let ifSent = style == .sensorsAndroid ? "" : ", if the SDK sends the developer's id there"
        lines.append("where $element_id is '\(id)'" + ifSent)
      case .eventID(let id): lines.append("with the event ID \(id)")
      case .within(let selector, let text): lines.append(Self.condition("a text within \(selector)", text, evidence))
      }
    }
    if suggestion.namesPlace {
      lines.append("relies on: " + suggestion.selector.reliances.joined(separator: "; "))
    }
    lines.append("stability \(suggestion.stability.score)")
    for reason in suggestion.stability.reasons {
      let penalty = String(reason.penalty)
      lines.append(
        String(repeating: " ", count: max(0, 4 - penalty.utf8.count)) + "-\(penalty)  "
          + reason.description(of: suggestion.selector))
    }
    if !others.isEmpty { lines.append(contentsOf: elsewhere(number)) }
    return lines
  }

  private static func condition(_ property: String, _ text: UTF8String, _ evidence: Suggestion.Evidence) -> String {
    "where \(property) is '\(VisibleText.shortened(text.text.replacingBytes(of: "\n", with: " "), columns: 60))'"
      + (evidence.isLocalised ? ", which is localised" : "")
  }

  private func uniqueness(_ suggestion: Suggestion) -> String {
    if case .event(let event, _) = subject {
      let row = if case .kind = suggestion.uniqueness { " in any row" } else { "" }
      return "matches the event: this element\(row)" + (event.page.map { " on \($0)" } ?? "")
    }
    let page = suggestion.needsPage ? " on its page" : ""
    switch suggestion.uniqueness {
    case .element: return "unique\(page): selects this element alone"
    case .kind(let count):
      return count == 1
        ? "unique\(page): selects this element in any row; the capture has one such row"
        : "unique\(page): selects this element in any row, \(count) of them here"
    case .shared(let count):
      return "not unique: selects \(count) elements\(page) that no rule can distinguish"
    }
  }

  private func elsewhere(_ number: Int) -> [String] {
    let page = page
    let hits = others.filter { !$0.matches[number].isEmpty }
    let total = hits.reduce(0) { $0 + $1.matches[number].count }
    guard total > 0 else { return ["in the others: nothing in \(counted(others.count, "capture"))"] + absent(number) }
    var line =
      "in the others: \(counted(total, "element")) in \(hits.count) of \(counted(others.count, "capture"))"
    let strangers = hits.flatMap { $0.matches[number] }.filter { !sameText($0, page) }
    if !strangers.isEmpty {
      let pages = Set(strangers.map { UTF8String($0 ?? "no page") }).sorted().map(\.text)
      line += ", \(strangers.count == total ? "all" : "\(strangers.count)") on another page (\(Self.list(pages)))"
    }
    let names = hits.map { "\($0.capture) \($0.matches[number].count)" }
    return [line, "  " + Self.list(names)] + unlike(number) + absent(number)
  }

  /// Returns the captures where a suggestion, with its page and texts, selects another element or several elements.
  private func unlike(_ number: Int) -> [String] {
    let unlike = others.filter { $0.outcomes[number] == .other }.map(\.capture)
    return unlike.isEmpty
      ? [] : ["  another element, or several, in \(counted(unlike.count, "capture")): \(Self.list(unlike))"]
  }

  private func absent(_ number: Int) -> [String] {
    let absent = others.filter { $0.hasPage && $0.matches[number].isEmpty }.map(\.capture)
    return absent.isEmpty ? [] : ["  not in \(counted(absent.count, "capture")) with its page: \(Self.list(absent))"]
  }

  private static func list(_ names: [String]) -> String {
    NameList.shortened(names, atMost: maximumCaptures)
  }

  // MARK: - JSON

  var json: String {
    var json = JSONBuilder()
    json.object {
      switch subject {
      case .element(let element, let screen, let capture): append(element, screen, capture, to: &$0)
      case .event(let event, let place): append(event, place, to: &$0)
      }
      if !properties.isEmpty {
        $0.array("properties", properties) { property, json in
          json.object {
            $0.member("name", property.name)
            $0.member("element", property.selector.description)
            $0.nullable("text", property.text)
          }
        }
      }
      $0.array("suggestions", Array(suggestions.enumerated())) { item, json in
        append(item.element, item.offset, to: &json)
      }
    }
    return json.line
  }

  private func append(
    _ element: ElementID, _ screen: IdentifiedTree, _ capture: String, to json: inout JSONBuilder
  ) {
    json.member("capture", capture)
    json.member("element", element.index)
    json.member("class", screen.className(of: element))
    if style == .hubbleData {
      json.member("path", screen.path(of: element).written(.slashes))
    } else {
      json.member("style", style.rawValue)
      json.member("path", style.style.path(of: PathChains(of: screen).chain(to: element))?.written)
    }
    json.member("event_id", screen.eventID(of: element))
    json.member("page", screen.page(of: element, in: style))
    let type = ElementEvents.trackingType(of: element, in: screen, style: style)
    json.member("type", type?.sent.rawValue)
    json.member("kind", type?.rawValue)
    json.member("content", ElementContents(of: screen).content(of: element))
  }

  private func append(_ event: EventSubject, _ place: String, to json: inout JSONBuilder) {
    json.member("event", place)
    json.member("name", event.name)
    json.member("style", event.style.rawValue)
    json.member("path", event.writtenPath)
    if let id = event.eventID { json.member("event_id", id) }
    json.member("page", event.page)
    json.member("content", event.content)
  }

  private func append(_ suggestion: Suggestion, _ number: Int, to json: inout JSONBuilder) {
    json.object {
      if suggestion.namesPlace { $0.member("selector", suggestion.selector.description) }
      $0.member("page", suggestion.page)
      $0.member("needs_page", suggestion.needsPage)
      for evidence in suggestion.evidence {
        switch evidence {
        case .content(let text):
          $0.member("content", text.text)
          $0.member("localised", evidence.isLocalised)
        case .noContent: $0.member("has_content", false)
        case .actions(let names): $0.member("actions", names.text)
        case .alertTitle(let text): $0.member("alert_title", text.text)
        case .alertMessage(let text): $0.member("alert_message", text.text)
        case .developerID(let id): $0.member("developer_id", id.text)
        case .eventID(let id): $0.member("event_id", id)
        case .within(let selector, let text):
          $0.object("within") {
            $0.member("selector", selector.text)
            $0.member("says", text.text)
          }
          $0.member("localised", evidence.isLocalised)
        }
      }
      if case .element = subject { $0.member("unique", suggestion.isUnique) }
      switch suggestion.uniqueness {
      case .element: $0.member("selects", "element")
      case .kind: $0.member("selects", "kind")
      case .shared: $0.member("selects", "shared")
      }
      if case .element = subject {
        $0.member("count", suggestion.elements.count)
        $0.array("elements", Array(suggestion.elements.prefix(Self.maximumListed))) { $1.value($0.index) }
      }
      $0.member("stability", suggestion.stability.score)
      $0.member("relies_on", suggestion.namesPlace ? suggestion.selector.reliances : [])
      $0.array("reasons", suggestion.stability.reasons) { reason, json in
        json.object {
          $0.member("penalty", reason.penalty)
          $0.member("reason", reason.description(of: suggestion.selector))
        }
      }
      if !others.isEmpty {
        $0.array("against", others) { other, json in
          json.object {
            $0.member("capture", other.capture)
            $0.member("has_page", other.hasPage)
            $0.member("count", other.matches[number].count)
            $0.member("outcome", other.outcomes[number].rawValue)
            $0.member("on_other_pages", other.matches[number].count { !sameText($0, suggestion.page) })
          }
        }
      }
    }
  }
}
