import EncircleRuleFiles
import EncircleText

/// A text with the edits of findings applied to it. Only the places that the edits name change, so comments and layout stay.
///
/// ```swift
/// let edited = EditedText(text, edits: findings.compactMap(\.edit))
/// if edited.outcomes.contains(.applied) { write(edited.text) }
/// ```
public struct EditedText: Sendable {
  /// The result for one edit.
  public enum Outcome: Hashable, Sendable {
    /// The text has the edit.
    case applied
    /// The edit overlaps another one that was applied; a new check may find it again.
    case overlapping
    /// The place does not have the text that the edit replaces, because the text differs from the checked one.
    case outdated
  }

  /// A part of the text before the edits, and its replacement.
  public struct Change: Hashable, Sendable {
    /// The part that is replaced, in bytes of the text before.
    public let range: Range<Int>
    /// The text that stands there instead.
    public let replacement: String
  }

  /// The text with the edits.
  public let text: String
  /// The result for each edit, in the given order.
  public let outcomes: [Outcome]
  /// The changes, in the order of their places; none overlaps another one.
  public let changes: [Change]

  /// Applies edits to the text of a file.
  ///
  /// If edits overlap, the one that begins first is applied; if they begin at the same place, the first in the list. Equal
  /// edits are applied once.
  ///
  /// - Complexity: O(*n* + *e* log *e*), *n* bytes and *e* edits.
  public init(_ text: String, edits: [Finding.Edit]) {
    var splices = TextSplices(text)
    let bytes = splices.bytes
    // A byte order mark has no column: the lines are without it.
    let mark = bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0
    let before = SourceLines(String(decoding: bytes[mark...], as: UTF8.self))
    var outcomes = Array(repeating: Outcome.outdated, count: edits.count)
    var candidates: [(range: Range<Int>, edit: Int)] = []
    for (i, edit) in edits.enumerated() {
      let start = before.offset(of: edit.location)
      guard before.location(of: start) == edit.location, before.has(edit.written, at: start) else { continue }
      candidates.append((mark + start..<mark + start + edit.written.utf8.count, i))
    }
    candidates.sort { ($0.range.lowerBound, $0.edit) < ($1.range.lowerBound, $1.edit) }
    var changes: [Change] = []
    for (range, i) in candidates {
      let replacement = edits[i].replacement
      if let last = changes.last, range.lowerBound < last.range.upperBound || range.lowerBound == last.range.lowerBound
      {
        let isSame = range == last.range && replacement.hasSameBytes(as: last.replacement)
        outcomes[i] = isSame ? .applied : .overlapping
      } else {
        outcomes[i] = .applied
        changes.append(Change(range: range, replacement: replacement))
        splices.replace(range, by: replacement)
      }
    }
    // No two of them overlap.
    self.text = splices.result ?? text
    self.outcomes = outcomes
    self.changes = changes
  }
}
