import EncircleEvents
import EncircleText

/// A tool whose definitions of events can be imported.
public enum ImportTool: String, CaseIterable, Sendable {
  /// The configuration of visual events of Sensors Analytics (神策可视化全埋点).
  case sensors
  /// Actions of PostHog.
  case posthog
  /// Circled elements and pages of GrowingIO, of product generations 2 and 3.
  case growingio
  /// Pages and features of Pendo.
  case pendo

  /// The name of the product.
  public var title: String {
    switch self {
    case .sensors: "Sensors"
    case .posthog: "PostHog"
    case .growingio: "GrowingIO"
    case .pendo: "Pendo"
    }
  }

  /// Returns the tool that writes files like this; nil if unknown.
  ///
  /// - Complexity: O(*m*), *m* members of the file and of its first definition.
  static func detected(in value: EventValue) -> ImportTool? {
    let root = DefinitionNode(value)
    if let events = root["events"] {
      return events.items.first.map { $0["event_name"] != nil } ?? (root["os"] != nil) ? .sensors : nil
    }
    guard let first = definitions(of: root).items.first else { return nil }
    if first["steps"] != nil { return .posthog }
    if first["filter"] != nil, first["eventType"] != nil { return .growingio }
    switch first["kind"]?.text {
    case "Page", "Feature": return .pendo
    default: return first["elementPathRules"] != nil || first["rules"]?.items.first?["rule"] != nil ? .pendo : nil
    }
  }

  /// Returns, in words, what a file of the tool has and this file lacks; nil if the file may have definitions.
  func expectation(of root: DefinitionNode) -> String? {
    switch self {
    case .sensors: root["events"]?.isList ?? false ? nil : "an object with a list 'events'"
    case .posthog, .growingio, .pendo: root.isList || root.isObject ? nil : "a list of definitions"
    }
  }

  /// Returns the list of definitions in a file, which may be the file itself, the results in a page of an API answer, or a
  /// single definition.
  static func definitions(of root: DefinitionNode) -> DefinitionNode {
    for name in ["results", "data", "items"] {
      if let list = root[name], list.isList { return list }
    }
    return root.isList ? root : DefinitionNode(.list([root.value]), pointer: "", isOnlyOne: true)
  }
}
