import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The rules of a rule set that a configuration of the Sensors SDK, such as its `iOS.conf`, can express.
///
/// The SDK knows an element by `$element_path` and page, which must be equal, and by position or content where they are
/// limited; an element of a web page by path and address. A rule that tests more or less is left out; ``others`` has the reason.
public struct SDKConfiguration: Sendable {
  /// The systems that have a configuration each.
  package enum Platform: String, CaseIterable, Sendable {
    case ios, android, web

    /// The name in the configuration and of its file.
    package var os: String {
      switch self {
      case .ios: "iOS"
      case .android: "Android"
      case .web: "Web"
      }
    }
  }

  /// A rule that the configuration cannot express.
  public struct Inexpressible: Error, Hashable, Sendable {
    public let id: String
    /// The reason, in a sentence.
    public let reason: String
    /// The stable name of the reason.
    package let code: String
    /// The part of the rule that cannot be expressed; nil for the rule as a whole.
    package let part: RuleSource.Part?
  }

  /// A property that the configuration does not make the SDK read, of a rule in the configuration.
  public struct OmittedProperty: Hashable, Sendable {
    /// The id of the rule.
    public let rule: String
    /// The name of the property.
    public let name: String
    /// The reason, in a sentence.
    public let reason: String
    /// The stable name of the reason.
    package let code: String
  }

  /// The stable names of reasons, for translation by clients.
  package enum ReasonCode: String, CaseIterable, Sendable {
    case disabled
    case exclude
    case unless
    case sameKind = "same-kind"
    case timeLimits = "time-limits"
    case tooManyElements = "too-many-elements"
    case otherEvents = "other-events"
    case eventIds = "event-ids"
    case otherProperty = "other-property"
    case noPage = "no-page"
    case excludedPage = "excluded-page"
    case contradiction
    case webElements = "web-elements"
    case webAddress = "web-address"
    case noElement = "no-element"
    case notEqual = "not-equal"
    case emptyText = "empty-text"
    case selectorAndPath = "selector-and-path"
    case otherStyle = "other-style"
    case floating
    case wildcard
    case openIndex = "open-index"
    case several, texts
    // Reasons that only occur for other systems than iOS.
    case androidSelector = "android-selector"
    case webSelector = "web-selector"
    case webHost = "web-host"
    // Reasons at properties.
    case propertySource = "property-source"
    case propertyName = "property-name"
    case propertyPlace = "property-place"
    case propertyExpression = "property-expression"
    case propertyOfWebElement = "property-of-web-element"
    case propertyOfSystem = "property-of-system"
  }

  /// The ids of the rules in the configuration, in the order of the rule set.
  public private(set) var expressible: [String] = []
  /// The other rules.
  public private(set) var others: [Inexpressible] = []
  /// The properties of rules in the configuration that the SDK does not read itself. Decisions have them all the same.
  public internal(set) var omittedProperties: [OmittedProperty] = []
  var events: [Event] = []

  /// The configuration for one element.
  struct Event {
    var name: String
    /// Empty for all apps.
    var apps: [UTF8String] = []
    var path: String
    /// Nil for an element of a web page.
    var screen: String?
    var position: String?
    var content: String?
    /// `isSelector` is true if `path` is compared with the element's selector, and `isContained` if it need only be a part of
    /// the compared value.
    var isSelector = false
    var isContained = false
    /// The page of a web element, if the rule has one.
    var address: WebAddress?
    /// The properties that the SDK should read from the screen.
    var properties: [SDKProperty] = []
  }

  struct WebAddress {
    let host: String
    /// Percent-encoded, because the SDK compares it with `location.pathname`.
    let path: String

    init(host: String, path: String) {
      self.host = host
      self.path = EncircleIdentity.WebAddress.encoded(path)
    }
  }

  /// The reason why the configuration cannot express a clause.
  struct Reason: Error {
    let code: ReasonCode
    let text: String
    /// The part of the rule that cannot be expressed; nil for the rule as a whole.
    var part: RuleSource.Part?

    init(_ code: ReasonCode, _ text: String) { (self.code, self.text) = (code, text) }

    /// Returns the reason with a part of the rule as its place, unless it has a place already.
    func at(_ part: RuleSource.Part) -> Reason {
      var reason = self
      reason.part = self.part ?? part
      return reason
    }
  }

  /// The maximum number of elements of one rule, each under all of its names and in all of its apps.
  static let elementLimit = 1_000

  /// The system whose SDK gets the configuration.
  package let platform: Platform

  /// Creates the configuration for apps on iOS.
  ///
  /// - Complexity: O(length of the rules).
  public init(_ ruleSet: RuleSet) { self.init(ruleSet, platform: .ios) }

  /// - Complexity: O(length of the rules).
  package init(_ ruleSet: RuleSet, platform: Platform) {
    self.platform = platform
    for rule in ruleSet.rules {
      do throws(Reason) {
        var own = try Self.events(of: rule, in: ruleSet, platform)
        addProperties(of: rule, in: ruleSet.style, to: &own)
        events += own
        expressible.append(rule.id.text)
      } catch {
        others.append(
          Inexpressible(id: rule.id.text, reason: error.text, code: error.code.rawValue, part: error.part))
      }
    }
  }

  /// Returns whether the configuration has nothing for an app.
  public func isEmpty(for appID: String) -> Bool { !events.contains { Self.isFor($0, appID) } }

  /// Returns the number of elements for an app.
  func count(for appID: String) -> Int { events.count { Self.isFor($0, appID) } }

  /// Returns the configuration as the SDK reads it, and its version: a name followed by a digest of everything else. So an app
  /// that has this version has this configuration.
  public func document(name: String, project: String, appID: String) -> (version: String, value: EventValue) {
    let content = value(version: "", project: project, appID: appID)
    let version = "\(name)-\(content.json.withUnsafeBytes { EventID(identity: $0) }.description.prefix(20))"
    return (version, value(version: version, project: project, appID: appID))
  }

  func value(version: String, project: String, appID: String) -> EventValue {
    let list = events.filter { Self.isFor($0, appID) }.map { event -> EventValue in
      if platform == .web { return Self.webValue(event) }
      var element: EventObject = [
        "element_path": .string(event.path), "limit_element_position": .bool(event.position != nil),
        "limit_element_content": .bool(event.content != nil), "h5": .bool(event.screen == nil),
      ]
      if let screen = event.screen { element["screen_name"] = .string(screen) }
      // The app passes these on to the script of the page.
      if let address = event.address {
        element["url_host"] = .string(address.host)
        element["url_path"] = .string(address.path)
      }
      if let position = event.position { element["element_position"] = .string(position) }
      if let content = event.content { element["element_content"] = .string(content) }
      var item: EventObject = [
        "event_name": .string(event.name), "event_type": "appclick", "event": .object(element),
      ]
      if let screen = event.screen, !event.properties.isEmpty {
        item["properties"] = .list(event.properties.map { $0.value(screen: screen) })
      }
      return .object(item)
    }
    return [
      "version": .string(version), "project": .string(project), "app_id": .string(appID), "os": .string(platform.os),
      "events": .list(list),
    ]
  }

  /// Returns an element as the configuration of web pages has it.
  private static func webValue(_ event: Event) -> EventValue {
    let field = event.isSelector ? "element_selector" : "element_path"
    var element: EventObject = [
      "url_host": .string(event.address?.host ?? ""), "url_path": .string(event.address?.path ?? ""),
      "element_field": .string(field), "function": event.isContained ? "contain" : "equal",
    ]
    element[field] = .string(event.path)
    if let position = event.position { element["element_position"] = .string(position) }
    if let content = event.content { element["element_content"] = .string(content) }
    element["limit_element_position"] = .bool(event.position != nil)
    element["limit_element_content"] = .bool(event.content != nil)
    return .object(["event_name": .string(event.name), "event_type": "webclick", "event": .object(element)])
  }

  private static func isFor(_ event: Event, _ appID: String) -> Bool {
    event.apps.isEmpty || event.apps.contains(UTF8String(appID))
  }
}
