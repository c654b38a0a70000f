import EncircleRuleFiles
import EncircleText

/// Something about a valid rule that its author should look at.
public struct Finding: Sendable {
  /// Another text for a place in a rule file.
  public struct Edit: Hashable, Sendable {
    /// What is written there now; in one line.
    public var written: String
    /// What should be.
    public var replacement: String
  }

  /// What kind of finding it is.
  public var code: CheckCode
  /// How much it matters, after what the rules say of that.
  public var severity: Severity
  /// The id of the rule.
  public var rule: UTF8String
  /// The file of the rule.
  public var file: String
  /// The place.
  public var place: RuleSource.Place
  /// What was found, in a sentence without a full stop.
  public var message: String
  /// An element, a path or an event that shows it.
  public var example: String?
  /// What to write instead, in words.
  public var suggestion: String?
  /// What to write at the place, where that can be told exactly.
  public var edit: Edit?
  /// Other places that are involved.
  public var notes: [Diagnostic.Note] = []

  /// The order of findings: by file, place, code and message.
  static func areInOrder(_ a: Finding, _ b: Finding) -> Bool {
    if !a.file.utf8.elementsEqual(b.file.utf8) { return a.file.utf8.lexicographicallyPrecedes(b.file.utf8) }
    if a.place.location != b.place.location { return a.place.location < b.place.location }
    if a.code != b.code { return a.code < b.code }
    return a.message.utf8.lexicographicallyPrecedes(b.message.utf8)
  }
}
