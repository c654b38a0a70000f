import EncircleIdentity
import EncircleRules
import EncircleSuggest
import EncircleText
import EncircleTree

/// Suggestions for people and for programs.
struct SuggestionReport {
  /// The matches of the suggestions in another capture.
  struct Other {
    var capture: String
    /// Whether the capture has the element's page.
    var hasPage: Bool
    /// The pages of the elements that each suggestion matches.
    var matches: [[String?]]
  }

  var capture: String
  var screen: IdentifiedTree
  var element: ElementID
  var suggestions: [Suggestion]
  var others: [Other]

  private static let mostListed = 100
  private static let mostCaptures = 4

  // MARK: - Text

  /// Returns an element in one line: its number, class, text and page.
  static func line(_ element: ElementID, _ screen: IdentifiedTree, _ contents: ElementContents) -> String {
    var line = "element \(element): \(screen.className(of: element))"
    if let content = contents.content(of: element), !content.isEmpty {
      line += " '\(VisibleText.shortened(content, columns: 32))'"
    }
    if let cell = screen.cellLocator(of: element) {
      line += ", " + cell.fields.map { "\($0.name) \($0.value)" }.joined(separator: " ")
    }
    if let page = screen.page(of: element) { line += ", on \(page)" }
    return line
  }

  var text: String {
    var lines = ["\(capture), " + Self.line(element, screen, ElementContents(of: screen))]
    for (i, suggestion) in suggestions.enumerated() {
      lines += ["", "\(i + 1)  \(suggestion.selector)"]
      lines += words(suggestion, i).map { "   " + $0 }
    }
    // Lines are escaped one by one, so that no name and no text can add a line.
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private func words(_ suggestion: Suggestion, _ number: Int) -> [String] {
    var lines = [Self.uniqueness(suggestion)]
    for evidence in suggestion.evidence {
      switch evidence {
      case .content(let text): lines.append(Self.condition("$element_content", text, evidence))
      case .noContent: lines.append("where there is no $element_content")
      case .actions(let names): lines.append("where $element_actions is '\(names)'")
      case .alertTitle(let text): lines.append(Self.condition("$alert_title", text, evidence))
      case .alertMessage(let text): lines.append(Self.condition("$alert_message", text, evidence))
      case .developerID(let id): lines.append("where $element_id is '\(id)', if the SDK sends the developer's id there")
      case .eventID(let id): lines.append("with the event ID \(id)")
      }
    }
    lines.append("relies on: " + suggestion.selector.reliances.joined(separator: "; "))
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
    "where \(property) is '\(VisibleText.shortened(text.text.replacing("\n", with: " "), columns: 60))'"
      + (evidence.isLocalised ? ", which is localised" : "")
  }

  private static func uniqueness(_ suggestion: Suggestion) -> String {
    let page = suggestion.needsPage ? " on its page" : ""
    switch suggestion.uniqueness {
    case .element: return "unique\(page): selects this element alone"
    case .kind(let count):
      return count == 1
        ? "unique\(page): selects this element in any row; the capture has one such row"
        : "unique\(page): selects this element in any row, \(count) of them here"
    case .shared(let count):
      return "not unique: selects \(count) elements\(page) that no rule can tell apart"
    }
  }

  private func elsewhere(_ number: Int) -> [String] {
    let page = screen.page(of: element)
    let hits = others.filter { !$0.matches[number].isEmpty }
    let total = hits.reduce(0) { $0 + $1.matches[number].count }
    guard total > 0 else { return ["in the others: nothing in \(Self.captures(others.count))"] + absent(number) }
    var line =
      "in the others: \(total) element\(total == 1 ? "" : "s") in \(hits.count) of \(Self.captures(others.count))"
    let strangers = hits.flatMap { $0.matches[number] }.filter { !Self.same($0, page) }
    if !strangers.isEmpty {
      let pages = Set(strangers.map { UTF8String($0 ?? "no page") }).sorted().map(\.text)
      line += ", \(strangers.count == total ? "all" : "\(strangers.count)") on another page (\(Self.list(pages)))"
    }
    let names = hits.prefix(Self.mostCaptures).map { "\($0.capture) \($0.matches[number].count)" }
    let more = hits.count > Self.mostCaptures ? ", …" : ""
    return [line, "  " + names.joined(separator: ", ") + more] + absent(number)
  }

  private func absent(_ number: Int) -> [String] {
    let absent = others.filter { $0.hasPage && $0.matches[number].isEmpty }.map(\.capture)
    return absent.isEmpty ? [] : ["  not in \(Self.captures(absent.count)) with its page: \(Self.list(absent))"]
  }

  private static func captures(_ count: Int) -> String { "\(count) capture\(count == 1 ? "" : "s")" }

  private static func list(_ names: [String]) -> String {
    names.prefix(mostCaptures).joined(separator: ", ") + (names.count > mostCaptures ? ", …" : "")
  }

  /// Returns whether two pages are the same or both nil.
  static func same(_ a: String?, _ b: String?) -> Bool { a.map { UTF8String($0) } == b.map { UTF8String($0) } }

  // MARK: - JSON

  var json: String {
    var json = JSONBuilder()
    json.object {
      $0.member("capture", capture)
      $0.member("element", element.index)
      $0.member("class", screen.className(of: element))
      $0.member("path", screen.path(of: element).written(.slashes))
      $0.member("event_id", screen.eventID(of: element))
      $0.member("page", screen.page(of: element))
      let type = screen.trackingType(of: element)
      $0.member("type", type?.sent.rawValue)
      $0.member("kind", type?.rawValue)
      $0.member("content", ElementContents(of: screen).content(of: element))
      $0.array("suggestions", Array(suggestions.enumerated())) { item, json in
        append(item.element, item.offset, to: &json)
      }
    }
    return json.line
  }

  private func append(_ suggestion: Suggestion, _ number: Int, to json: inout JSONBuilder) {
    json.object {
      $0.member("selector", suggestion.selector.description)
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
        }
      }
      $0.member("unique", suggestion.isUnique)
      switch suggestion.uniqueness {
      case .element: $0.member("selects", "element")
      case .kind: $0.member("selects", "kind")
      case .shared: $0.member("selects", "shared")
      }
      $0.member("count", suggestion.elements.count)
      $0.array("elements", Array(suggestion.elements.prefix(Self.mostListed))) { $1.value($0.index) }
      $0.member("stability", suggestion.stability.score)
      $0.member("relies_on", suggestion.selector.reliances)
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
            $0.member("on_other_pages", other.matches[number].count { !Self.same($0, suggestion.page) })
          }
        }
      }
    }
  }
}
