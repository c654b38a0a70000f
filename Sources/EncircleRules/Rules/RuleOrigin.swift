import EncircleText

/// The definition in another tool from which a rule was made. It has no meaning for decisions.
public struct RuleOrigin: Hashable, Sendable {
  /// The tools whose definitions are known.
  public static let knownTools = ["sensors", "posthog", "growingio", "pendo"]

  /// The tool.
  public var tool: UTF8String
  /// The id of the definition there.
  public var id: UTF8String
  /// The web address of the definition, which begins with `https://` or `http://`.
  public var url: UTF8String?

  /// Creates an origin.
  public init(tool: UTF8String, id: UTF8String, url: UTF8String? = nil) {
    self.tool = tool
    self.id = id
    self.url = url
  }
}
