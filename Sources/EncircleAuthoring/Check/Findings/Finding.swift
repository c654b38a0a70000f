import EncircleRuleFiles
import EncircleText

/// Something about a valid rule that its author should look at.
public struct Finding: Sendable {
  /// A replacement for a text in the file of the rule.
  public struct Edit: Hashable, Sendable {
    /// The place where the text begins.
    public var location: SourceLocation
    /// The text that is written there now, in one line.
    public var written: String
    /// The text to write instead.
    public var replacement: String
    /// This is true if the author may have meant another text and must decide.
    public var isGuess: Bool

    /// Creates an edit.
    public init(location: SourceLocation, written: String, replacement: String, isGuess: Bool = false) {
      self.location = location
      self.written = written
      self.replacement = replacement
      self.isGuess = isGuess
    }
  }

  /// The kind of finding.
  public var code: CheckCode
  /// The severity, with the settings of the rules applied.
  public var severity: Severity
  /// The id of the rule; empty if the finding is about no rule.
  public var rule: UTF8String
  /// The file of the rule.
  public var file: String
  /// The place in the file.
  public var place: RuleSource.Place
  /// The finding in a sentence without a full stop.
  public var message: String
  /// An element, a path or an event that shows it.
  public var example: String?
  /// The correction in words.
  public var suggestion: String?
  /// The correction as an edit of the file, if it is known exactly.
  public var edit: Edit?
  /// Other places that are involved.
  public var notes: [Diagnostic.Note] = []

  /// The rule and the message; only the message if the finding is not about a rule.
  public var messageWithRule: String { rule.text.isEmpty ? message : "\(rule): \(message)" }

  /// The correction if nothing else can be meant: it spells a name or a test as it must be, and changes nothing that a rule
  /// selects. Nil if its author must choose.
  public var certainEdit: Edit? {
    switch code {
    // These change what a rule selects on screens that no capture shows.
    case .exactRow, .fragileIndex, .privateWrapper: nil
    default: edit.flatMap { $0.isGuess ? nil : $0 }
    }
  }

  /// Returns whether a finding comes before another one: by file, place, code and message.
  static func areInOrder(_ a: Finding, _ b: Finding) -> Bool {
    if !a.file.hasSameBytes(as: b.file) { return a.file.utf8.lexicographicallyPrecedes(b.file.utf8) }
    if a.place.location != b.place.location { return a.place.location < b.place.location }
    if a.code != b.code { return a.code < b.code }
    return a.message.utf8.lexicographicallyPrecedes(b.message.utf8)
  }
}
