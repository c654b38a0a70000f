import EncircleEvents
import EncircleIdentity
import EncircleText

/// Determines the style of an event among a rule set's styles, by members that only one SDK sends and by the platform that the
/// event names.
///
/// | SDK | its events have |
/// | --- | --- |
/// | PostHog | `$elements_chain`, `elements_chain` outside the properties, as in exports, or a `$lib` that begins with `posthog` |
/// | GrowingIO | the member `eventType` |
/// | Lede | the member `eventName` |
/// | HubbleData, Sensors | none of these; where rules are in styles of both, events with a member `eventId` are HubbleData's |
///
/// `$lib` shows the platform: Android or iOS if it contains that word, the web if it names a library for pages, none of these
/// if it names one for mini programs. Otherwise the field `os` decides. An event from a web view in an app is a web event,
/// whatever the app adds to it: a member that apps add to such events shows it, or the library outside the properties, which is
/// one for pages. A PostHog event whose `$lib` does not show the platform is a web event if its chain contains places among
/// siblings, as chains of pages do. An event that names no platform is in the SDK's style for iOS, if rules are in that style.
struct EventStyles: Sendable {
  let styles: [PathStyleName]
  private let chain: Int
  // The place of the chain in exports.
  private let exportedChain: Int
  private let library: Int
  private let eventType: Int
  private let eventName: Int
  private let eventID: Int
  // The member that apps add to events of their web views, and the library outside the properties, which apps do not change.
  private let isOfWebView: Int
  private let pageLibrary: Int
  private let systems: [Int]

  /// The numbers of the properties that determine the style of an event.
  var places: [Int] {
    [chain, exportedChain, library, eventType, eventName, eventID, isOfWebView, pageLibrary] + systems
  }

  private enum SDK: Sendable {
    case postHog, growingIO, lede, hubbleData, sensors

    init(_ style: PathStyleName) {
      switch style {
      case .hubbleData, .hubbleDataAndroid: self = .hubbleData
      case .lede: self = .lede
      case .sensors, .sensorsExact, .sensorsAndroid, .sensorsWeb: self = .sensors
      case .growingIO, .growingIOAndroid: self = .growingIO
      case .postHog, .postHogWeb: self = .postHog
      }
    }
  }

  fileprivate enum Platform: Sendable { case iOS, android, web, other }

  /// - Parameter fields: The fields of each style.
  init(_ styles: [PathStyleName], fields: [EventFields], _ properties: inout PropertyNumbers) {
    func number(_ name: String) -> Int {
      PropertyReference(parsing: name).map { properties.number(of: $0) } ?? 0
    }
    self.styles = styles
    chain = number("$elements_chain")
    exportedChain = number("/elements_chain")
    library = number("$lib")
    eventType = number("/eventType")
    eventName = number("/eventName")
    eventID = number("/eventId")
    isOfWebView = number("/_hybrid_h5")
    pageLibrary = number("/lib/$lib")
    var systems: [Int] = []
    for place in fields.flatMap({ $0.places(of: .os) }) {
      let number = properties.number(of: place)
      if !systems.contains(number) { systems.append(number) }
    }
    self.systems = systems
  }

  /// Returns the index of the event's style in ``styles``, or their count if the event is in none of them.
  ///
  /// - Complexity: O(styles).
  func number(of event: borrowing ProjectedEvent) -> Int {
    let sdks = sdks(of: event)
    let platform = platform(of: event)
    var best: Int?
    for (number, style) in styles.enumerated() {
      guard let rank = sdks.firstIndex(of: SDK(style)), platform ?? style.platform == style.platform else { continue }
      // The SDK takes precedence over the platform. If the platform is unknown, a style for iOS comes first.
      guard let known = best, let knownRank = sdks.firstIndex(of: SDK(styles[known])) else {
        best = number
        continue
      }
      if (rank, style.platform.rank) < (knownRank, styles[known].platform.rank) { best = number }
    }
    return best ?? styles.count
  }

  /// Returns the SDKs whose events look like this one, the likeliest first.
  private func sdks(of event: borrowing ProjectedEvent) -> [SDK] {
    if event[chain].kind == .string || event[exportedChain].kind == .string
      || Self.begins(event[library], with: "posthog")
    {
      return [.postHog]
    }
    if event[eventType].kind == .string { return [.growingIO] }
    if event[eventName].kind == .string { return [.lede] }
    return event[eventID].kind == .missing ? [.sensors, .hubbleData] : [.hubbleData, .sensors]
  }

  private func platform(of event: borrowing ProjectedEvent) -> Platform? {
    if event[isOfWebView].kind == .true { return .web }
    if event[pageLibrary].kind == .string, event[pageLibrary].bytes.elementsEqual("js".utf8) { return .web }
    if event[library].kind == .string {
      if let platform = Self.platform(named: event[library]) { return platform }
      if Self.contains(event[library], "mini") { return .other }
      for word in ["js", "web"] as [StaticString] where Self.contains(event[library], word) { return .web }
    }
    if isChainOfPage(event) { return .web }
    for number in systems where event[number].kind == .string { return Self.platform(named: event[number]) ?? .other }
    return nil
  }

  /// Returns whether the chain is from PostHog's SDK for web pages, which gives every entry its place among its siblings.
  private func isChainOfPage(_ event: borrowing ProjectedEvent) -> Bool {
    [chain, exportedChain].contains { number in
      event[number].kind == .string && event[number].bytes.offset(of: "nth-child=\"") != nil
    }
  }

  private static func platform(named value: ProjectedValue) -> Platform? {
    if contains(value, "android") { return .android }
    return contains(value, "ios") || contains(value, "iphone") || contains(value, "ipad") ? .iOS : nil
  }

  private static func begins(_ value: ProjectedValue, with word: String) -> Bool {
    value.kind == .string && lowercasedStart(of: value.bytes).starts(with: word.utf8)
  }

  private static func contains(_ value: ProjectedValue, _ word: StaticString) -> Bool {
    Array(lowercasedStart(of: value.bytes)).withUnsafeBufferPointer { $0.offset(of: word) != nil }
  }

  /// Returns the first bytes of a text, in lower case; names of libraries and systems are short.
  private static func lowercasedStart(of bytes: UnsafeBufferPointer<UInt8>) -> some Sequence<UInt8> {
    bytes.prefix(32).lazy.map { lowercased($0) }
  }
}

extension EventStyles.Platform {
  fileprivate var rank: Int {
    switch self {
    case .iOS: 0
    case .android: 1
    case .web: 2
    case .other: 3
    }
  }
}

extension PathStyleName {
  fileprivate var platform: EventStyles.Platform { isAndroid ? .android : isWeb ? .web : .iOS }
}
