import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// The texts that a plan keeps for columns that Encircle does not know, with the changes that a row makes.
struct KeptTexts {
  private let columns: [PlannedEvent.Column]
  private let texts: [UTF8String: String]
  private var changes: [UTF8String: String] = [:]
  private var added: [UTF8String] = []

  init(_ columns: [PlannedEvent.Column]) {
    self.columns = columns
    texts = Dictionary(columns.map { ($0.header, $0.text) }) { first, _ in first }
  }

  /// The text below a header; empty if there is none.
  subscript(header: UTF8String) -> String { texts[header] ?? "" }

  /// This is true if a row changes something.
  var isChanged: Bool { !changes.isEmpty }

  mutating func set(_ header: UTF8String, _ text: String) {
    if changes.updateValue(text, forKey: header) == nil, texts[header] == nil { added.append(header) }
  }

  /// The mapping with the changes in it; nil if no text is left.
  ///
  /// - Complexity: O(texts).
  var value: EventValue? {
    let kept = columns.map { ($0.header, changes[$0.header] ?? $0.text) } + added.map { ($0, changes[$0] ?? "") }
    let members = kept.filter { !$0.1.isEmpty }.map { EventObject.Member(name: $0.0.text, value: .string($0.1)) }
    return members.isEmpty ? nil : .object(EventObject(members))
  }
}
