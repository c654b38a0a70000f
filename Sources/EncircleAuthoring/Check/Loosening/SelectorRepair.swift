import EncircleRules

/// The reason why a selector matches nothing, and the selector that may have been meant.
package struct SelectorRepair: Sendable {
  /// The reasons, as sentences without a full stop; empty if no reason was found.
  package var reasons: [String]
  /// A selector that matches something; nil if none was found.
  package var selector: ElementSelector?
  /// This is true if the selector has another number, or none, in place of one that no capture shows. An element that no capture
  /// shows may be meant.
  package var changesNumber = false
  /// The number of elements that it matches.
  package var count = 0
  /// One of them, in words.
  package var example: String?
  /// The longest end of the selector that matches an element; nil if not even the last step does.
  package var matchingEnd: ElementSelector?
  /// An element that it matches, in words.
  package var endExample: String?

  /// The reasons in one sentence; nil if there are none.
  package var sentence: String? { reasons.isEmpty ? nil : reasons.joined(separator: "; ") }
}
