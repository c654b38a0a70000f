/// A setting in `checks`: the author's decision about one kind of finding.
public struct CheckSetting: Hashable, Sendable {
  /// The level of a finding.
  public enum Level: Hashable, Sendable {
    /// The finding is not reported.
    case off
    case severity(Severity)
  }

  /// A tool that receives events and accepts only certain names.
  public enum Destination: String, CaseIterable, Hashable, Sendable {
    case sensors, growingio, segment
  }

  /// The level in this setting; nil if the setting does not change it.
  public var level: Level?
  /// The reason for the setting.
  public var reason: String?
  /// The maximum number of elements of one capture that ``CheckCode/matchesMany`` lets pass.
  public var limit: Int?
  /// The tools whose restrictions on names ``CheckCode/refusedName`` checks.
  public var destinations: [Destination] = []
}
