import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// The names that occur in captures, dictionaries, events, rules and the built-in tables.
struct KnownNames {
  private(set) var classes: Set<UTF8String> = []
  /// The classes that occur in captures, dictionaries and the built-in tables.
  private(set) var observedClasses: Set<UTF8String> = []
  /// The short names of Android's classes that only tests with `:` know, as no path has them.
  private(set) var kindNames: Set<UTF8String> = []
  /// The apps of captures and events.
  private(set) var apps: Set<UTF8String> = []
  private(set) var pages: Set<UTF8String> = []
  private(set) var actions: Set<UTF8String> = []
  private(set) var events: Set<UTF8String> = []
  private(set) var properties: Set<UTF8String> = []
  /// The properties that events have.
  private(set) var observedProperties: Set<UTF8String> = []
  /// The members that events have besides their properties.
  private(set) var observedMembers: Set<UTF8String> = []
  /// This is true if captures or a dictionary were given, so that a class that they do not have is unknown.
  var hasElements: Bool { isGivenElements && steps > 0 }
  private var isGivenElements = false
  // The number of views in paths that may still be read. If none is left, not all names are known.
  private var steps = 20_000_000
  /// This is true if events were given.
  private(set) var hasEvents = false
  private let style: PathStyleName

  init(_ ruleSet: RuleSet) {
    style = ruleSet.style
    for (name, superclass) in ruleSet.classes { classes.formUnion([name, superclass]) }
    ClassHierarchy.builtIn.forEachClass { observedClasses.insert(UTF8String($0)) }
    classes.formUnion(observedClasses)
    events.formUnion(Self.presetEvents.map { UTF8String($0) })
    properties.formUnion(Self.presetProperties.map { UTF8String($0) })
    for places in ruleSet.fields.references.values {
      for case .property(let name) in places { properties.insert(name) }
    }
  }

  mutating func add(_ screen: IdentifiedTree) {
    isGivenElements = true
    if let app = screen.tree.header.app { apps.insert(UTF8String(app)) }
    let pageStyles: Set<PathStyleName> = [.hubbleData, .sensors, style]
    var found: Set<UTF8String> = []
    for element in screen.tree.elements {
      found.insert(UTF8String(screen.className(of: element)))
      if let controller = screen.controller(of: element) { found.insert(UTF8String(controller)) }
      for style in pageStyles {
        guard let page = screen.page(of: element, in: style) else { continue }
        pages.insert(UTF8String(page))
      }
      if let list = screen.tree.value(.actions, of: element) {
        for action in list.utf8.split(whereSeparator: isWhiteSpace) {
          actions.insert(UTF8String(String(Substring(action))))
        }
      }
      for names in [AttributeName.superclasses, .controllerSuperclasses] {
        guard let list = screen.tree.value(names, of: element) else { continue }
        for name in list.utf8.split(whereSeparator: isWhiteSpace) {
          found.insert(UTF8String(String(Substring(name))))
        }
      }
    }
    if style != .hubbleData { addPathNames(of: screen, &found) }
    observedClasses.formUnion(found)
    classes.formUnion(found)
  }

  /// Adds the names of classes as paths of the style have them.
  ///
  /// - Complexity: O(elements × depth), within the steps that are left.
  private mutating func addPathNames(of screen: IdentifiedTree, _ found: inout Set<UTF8String>) {
    PathChains(of: screen).forEach { _, chain in
      guard steps > 0 else { return }
      steps -= chain.count
      for component in style.style.path(of: chain)?.components ?? [] {
        found.insert(UTF8String(component.className))
        guard let id = component.attributes.resourceID else { continue }
        found.insert(UTF8String(component.className + "#" + id))
      }
    }
  }

  /// Adds the short names of classes in the styles of Android.
  mutating func addShortNames(_ hierarchy: ClassHierarchy) {
    guard style.isAndroid else { return }
    var hierarchy = hierarchy
    hierarchy.insertShortNames()
    hierarchy.forEachClass { name in
      let isNew = classes.insert(UTF8String(name)).inserted
      // Paths of the other styles of Android have short names.
      if isNew, style == .sensorsAndroid, !name.utf8.contains(UInt8(ascii: ".")) { kindNames.insert(UTF8String(name)) }
    }
  }

  mutating func add(_ dictionary: ElementDictionary) {
    guard dictionary.count > 0 else { return }
    isGivenElements = true
    var found: Set<UTF8String> = []
    for name in dictionary.vocabulary.added { found.insert(UTF8String(name)) }
    for page in Set(dictionary.elements.compactMap(\.page)) { pages.insert(UTF8String(dictionary.names[page])) }
    for name in style == .hubbleData ? [] : Set(dictionary.nodes.map(\.className)) {
      for form in PathComponent(dictionary.names[name]).forms(in: style) { found.insert(UTF8String(form.className)) }
    }
    dictionary.hierarchy.forEachClass { found.insert(UTF8String($0)) }
    observedClasses.formUnion(found)
    classes.formUnion(found)
  }

  mutating func add(_ event: AnalyticsEvent, _ fields: EventFields) {
    hasEvents = true
    if case .string(let name)? = event.value(of: .event, fields) { events.insert(UTF8String(name)) }
    if case .string(let app)? = event.value(of: .app, fields) { apps.insert(UTF8String(app)) }
    if let page = event.text(.page, fields) { pages.insert(UTF8String(page)) }
    for member in event.members.members { observedMembers.insert(UTF8String(member.name)) }
    for key in ["properties", "attributes"] {
      guard case .object(let object)? = event.members[key] else { continue }
      for member in object.members {
        let name = UTF8String(member.name)
        if observedProperties.insert(name).inserted { properties.insert(name) }
      }
    }
  }

  /// Returns whether some event has a property. Places elsewhere in events are not recorded, so the result is true for them.
  func hasObserved(_ place: PropertyReference) -> Bool {
    if case .property(let name) = place { observedProperties.contains(name) } else { true }
  }

  // The events and properties of Sensors Analytics, HubbleData and others, as their documentation names them.
  private static let presetEvents = [
    "$AppClick", "$AppStart", "$AppEnd", "$AppViewScreen", "$AppCrashed", "$AppInstall", "$AppStartPassively",
    "$AppPageLeave", "$AppDeeplinkLaunch", "$AppDeeplinkMatchedResult", "$AppRemoteConfigChanged", "$AppPushClick",
    "$SignUp", "$WebClick", "$pageview", "$WebStay", "$WebPageLeave", "$MPLaunch", "$MPShow", "$MPHide",
    "$MPViewScreen",
    "$MPClick", "$identify", "$autocapture", "$screen", "Application Opened", "Application Backgrounded",
    "Application Installed", "Application Updated", "da_screen", "da_u_login", "da_u_signup", "da_activate",
    "da_session_start", "da_session_close",
  ]

  private static let presetProperties = [
    "$app_id", "$app_name", "$app_state", "$app_version", "$brand", "$browser", "$browser_version", "$carrier", "$city",
    "$country", "$device_id", "$element_actions", "$element_class", "$element_content", "$element_id", "$element_name",
    "$element_path", "$element_position", "$element_selector", "$element_target_url", "$element_type", "$alert_message",
    "$alert_title", "$event_duration", "$first_channel_ad_id", "$ip", "$is_first_day", "$is_first_time", "$is_login_id",
    "$latest_referrer", "$latest_scene", "$latest_search_keyword", "$latest_traffic_source_type",
    "$latest_utm_campaign",
    "$latest_utm_content", "$latest_utm_medium", "$latest_utm_source", "$latest_utm_term", "$latitude", "$lib",
    "$lib_detail",
    "$lib_method", "$lib_version", "$longitude", "$manufacturer", "$model", "$network_type", "$os", "$os_version",
    "$province",
    "$referrer", "$referrer_title", "$resume_from_background", "$screen_height", "$screen_name", "$screenName",
    "$screenTitle",
    "$screen_orientation",
    "$screen_width", "$timezone_offset", "$title", "$url", "$url_path", "$utm_campaign", "$utm_content", "$utm_medium",
    "$utm_source", "$utm_term", "$viewport_height", "$viewport_position", "$viewport_width", "$wifi", "$page_x",
    "$page_y",
    "$app_crashed_reason", "$deeplink_url", "$elements_chain", "xcontent", "xpath", "viewPath", "$elements",
    "$event_type",
    "$session_id", "$window_id", "$user_id",
  ]
}
