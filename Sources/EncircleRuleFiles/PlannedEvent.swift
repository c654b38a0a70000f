import EncircleRules
import EncircleText

/// An event in a tracking plan.
public struct PlannedEvent: Sendable {
  /// The source of an event.
  public enum Platform: String, CaseIterable, Sendable, Comparable {
    case ios, android, web
    case miniProgram = "mini-program"
    case server, other

    /// Orders platforms as they are declared.
    public static func < (a: Platform, b: Platform) -> Bool { a.ordinal < b.ordinal }

    private var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The way in which an event is tracked.
  public enum Tracking: String, CaseIterable, Sendable {
    /// A rule selects it (圈选).
    case circled
    /// A call in the app sends it (代码).
    case code
    /// The SDK sends it by itself, without a rule (全埋点).
    case autocapture
  }

  /// The state of an event that people decide; all other states follow from rules and events.
  public enum Status: String, CaseIterable, Sendable {
    /// The event need not exist yet.
    case planned
    /// The event should no longer be used.
    case deprecated
    /// The event should no longer exist.
    case archived
  }

  /// A text from a column of a table whose meaning Encircle does not know.
  public struct Column: Hashable, Sendable {
    public var header: UTF8String
    public var text: String

    public init(header: UTF8String, text: String) {
      self.header = header
      self.text = text
    }
  }

  /// The name under which it is sent.
  public var event: UTF8String
  /// The name that people use for the event, its description, and who is responsible for it. Only for events that no rule emits.
  public var name: String?
  public var summary: String?
  public var owner: String?
  public var tags: [String] = []
  /// The platforms that should send it; empty if unspecified.
  public var platforms: [Platform] = []
  /// The first version of the app that has it, and the first that no longer has it; nil means no bound.
  public var since: String?
  public var until: String?
  /// The trigger of the event, in words.
  public var trigger: String?
  public var category: String?
  public var tracking: Tracking?
  public var status: Status?
  /// The path of a picture, beside the file.
  public var picture: String?
  public var remark: String?
  public var columns: [Column] = []
  public var properties: [PlannedProperty] = []
  /// The file with the event, and its place in the file.
  public var file: String
  public var location: SourceLocation
  /// The place with its line, for findings.
  package var place: RuleSource.Place?

  /// Creates an event with nothing but a name.
  public init(_ event: UTF8String, file: String, at location: SourceLocation) {
    self.event = event
    self.file = file
    self.location = location
  }

  /// The place, `file:line:column`.
  public var origin: String { "\(file):\(location)" }

  /// This is true if the app should still send the event: it is neither deprecated nor archived.
  package var isActive: Bool { status != .deprecated && status != .archived }

  /// Returns whether a version of the app should have the event. A text that is not a version always should.
  ///
  /// A pre-release, such as 4.0-beta.1, counts as its release, unless the bound itself is a pre-release.
  public func isPlanned(in version: String?) -> Bool {
    guard let version = version.flatMap({ VersionNumber($0) }) else { return true }
    func precedes(_ bound: VersionNumber) -> Bool { (bound.isPreRelease ? version : version.release) < bound }
    if let since = since.flatMap({ VersionNumber($0) }), precedes(since) { return false }
    if let until = until.flatMap({ VersionNumber($0) }), !precedes(until) { return false }
    return true
  }
}

/// A property of an event in a tracking plan.
public struct PlannedProperty: Sendable {
  /// The type of a property's values; for a list, of each item.
  public enum ValueType: String, CaseIterable, Sendable {
    case string, number, boolean
    /// A moment: a text such as `2026-03-01T08:00:00Z`, or milliseconds since 1970.
    case datetime
    case any
  }

  /// Its key.
  public var property: UTF8String
  public var name: String?
  public var summary: String?
  /// The type of the values; nil if the plan does not say.
  public var type: ValueType?
  /// This is true if the value is a list of such values.
  public var isList = false
  /// This is true if every event must have the property.
  public var isRequired = false
  /// The values that it may have; empty if the plan does not say.
  public var values: [Scalar] = []
  /// An expression that must match somewhere in each of its texts.
  public var pattern: RegularExpression?
  public var remark: String?
  public var columns: [PlannedEvent.Column] = []
  /// The place in the file of its event.
  public var location: SourceLocation
  /// The place with its line, for findings.
  package var place: RuleSource.Place?

  /// Creates a property with only a key.
  public init(_ property: UTF8String, at location: SourceLocation) {
    self.property = property
    self.location = location
  }
}
