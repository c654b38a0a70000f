import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension SDKConfiguration {
  static func events(
    of rule: SelectionRule, in ruleSet: RuleSet, _ platform: Platform
  ) throws(Reason) -> [Event] {
    guard rule.isEnabled else { throw Reason(.disabled, "It is not enabled.") }
    guard rule.effect == .include else { throw Reason(.exclude, "The SDK cannot exclude events.") }
    guard rule.unless.isEmpty else { throw Reason(.unless, "The SDK does not support exceptions (unless).") }
    guard !rule.sameKind else { throw Reason(.sameKind, "The SDK does not support elements of the same kind.") }
    guard rule.from == nil, rule.to == nil, rule.windows.isEmpty else {
      throw Reason(.timeLimits, "The SDK does not support time limits (from, to).")
    }
    var elements: [Event] = []
    for (number, clause) in rule.clauses.enumerated() {
      elements += try Self.events(of: clause, number, in: ruleSet, platform)
      guard elements.count <= elementLimit else {
        throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
          .at(.clause(.clauses, number))
      }
    }
    return elements.flatMap { element in
      rule.names.map { name in
        var event = element
        (event.name, event.apps) = (name, rule.apps)
        return event
      }
    }
  }

  /// Returns the elements of a clause. If there are none, throws the reason at the part of the rule that causes it.
  private static func events(
    of clause: RuleClause, _ number: Int, in ruleSet: RuleSet, _ platform: Platform
  ) throws(Reason) -> [Event] {
    try at(.clause(.clauses, number)) { () throws(Reason) -> [Event] in
      let events =
        try platform == .web
        ? pageEvents(of: clause, number, in: ruleSet) : events(of: clause, in: ruleSet, number, platform)
      guard !events.isEmpty else { throw Reason(.contradiction, "It contradicts itself.") }
      return events
    }
  }

  /// Adds the place in the rule to the reason that a body throws.
  static func at<Result>(_ part: RuleSource.Part, _ body: () throws(Reason) -> Result) throws(Reason) -> Result {
    do throws(Reason) { return try body() } catch { throw error.at(part) }
  }

  static func name(of test: PropertyTest) throws(Reason) -> UTF8String {
    guard case .property(let name) = test.property else {
      throw Reason(.otherProperty, "The SDK cannot be configured to test \(test.property).")
    }
    return name
  }

  private static func events(
    of clause: RuleClause, in ruleSet: RuleSet, _ number: Int, _ platform: Platform
  ) throws(Reason) -> [Event] {
    if let event = clause.event {
      let names = texts(event)
      if platform == .ios, names == [UTF8String(PathStyleName.webTapName)] { return try webEvents(of: clause, number) }
      guard names == ["$AppClick"] else {
        throw Reason(
          .otherEvents,
          platform == .ios
            ? "The SDK can be configured for $AppClick and $WebClick only."
            : "The SDK can be configured for $AppClick only."
        )
        .at(.event(.clauses, number))
      }
    }
    guard clause.eventIDs.isEmpty else {
      throw Reason(.eventIds, "The SDK does not know event IDs and identities.")
        .at(.element(.clauses, number, 0))
    }
    var screens = try clause.page.map { page throws(Reason) in
      try at(.page(.clauses, number)) { () throws(Reason) in try self.texts(page, of: "the page") }
    }
    var element = ComparedElement()
    for (i, test) in clause.properties.enumerated() {
      try at(.property(.clauses, number, i)) { () throws(Reason) in
        switch try name(of: test) {
        case "$screen_name": screens = try both(screens, texts(test.condition, of: "the page"))
        case let name: try element.add(name, test.condition)
        }
      }
    }
    guard let screens else { throw Reason(.noPage, "It names no page, but the SDK needs one.") }
    if let excluded = screens.first(where: { screen in
      ruleSet.excludedPages.contains { $0.name == screen && $0.scope == .all }
    }) {
      throw Reason(.excludedPage, "Events on the page \(excluded) are excluded.").at(.page(.clauses, number))
    }
    if platform == .android, !clause.selectors.isEmpty {
      throw Reason(.androidSelector, "The SDK for Android takes the whole path only: where, $element_path.")
        .at(.selector(.clauses, number, 0))
    }
    let places = try places(element.paths, of: clause, number, in: ruleSet)
    guard screens.count * places.count * element.variants <= elementLimit else {
      throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
    }
    var events: [Event] = []
    for screen in screens {
      for place in places {
        for (position, content) in element.values {
          if let position, let own = place.position, position != own { continue }
          events.append(
            Event(
              name: "", path: place.path, screen: screen.text, position: position ?? place.position, content: content))
        }
      }
    }
    return events
  }

  /// Returns the events for elements of a web page. The app gives them to the page's script, which compares path, position,
  /// content and address.
  private static func webEvents(of clause: RuleClause, _ number: Int) throws(Reason) -> [Event] {
    guard clause.eventIDs.isEmpty, clause.selectors.isEmpty, clause.page == nil else {
      throw Reason(.webElements, "The SDK knows elements of web pages by $element_path and $url only.")
    }
    var element = ComparedElement()
    var address: WebAddress?
    var hosts: [UTF8String]?
    var pages: [UTF8String]?
    for (i, test) in clause.properties.enumerated() {
      try at(.property(.clauses, number, i)) { () throws(Reason) in
        switch (try name(of: test), test.condition) {
        case ("$url", .text(.prefix, let text, fold: false)) where address == nil && webAddress(text.text) != nil:
          address = webAddress(text.text)
        case ("$url", let condition):
          guard let host = Self.host(of: condition) else { throw unknownAddress }
          hosts = both(hosts, [host])
        case ("$url_path", let condition): pages = both(pages, try texts(condition, of: "the path"))
        case ("$element_position", let condition): try element.add("$element_position", withTexts(condition))
        case (let name, let condition): try element.add(name, condition)
        }
      }
    }
    guard let paths = element.paths else { throw Reason(.noElement, "It names no element.") }
    let addresses: [WebAddress?]
    switch (address, hosts, pages) {
    case (_, nil, nil): addresses = [address]
    case (nil, let hosts?, let pages?): addresses = Self.addresses(hosts, pages)
    default: throw unknownAddress
    }
    guard addresses.count * paths.count * element.variants <= elementLimit else {
      throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
    }
    return addresses.flatMap { address in
      paths.flatMap { path in
        element.values.map { position, content in
          Event(name: "", path: path.text, position: position, content: content, address: address)
        }
      }
    }
  }

  private static var unknownAddress: Reason {
    Reason(
      .webAddress,
      "The SDK can be configured with addresses up to the query: $url with the test prefix, or "
        + "$url: { matches: '^https?://HOST(:[0-9]+)?/' } and $url_path.")
  }

  /// Returns the host and path of an address; nil if the text is not an address, or has a query.
  static func webAddress(_ text: String) -> WebAddress? {
    guard let colon = text.indexOfByte(":"), text[colon...].beginsWithBytes(of: "://"), !text.containsBytes(of: "?")
    else { return nil }
    let rest = Substring(text[colon...].utf8.dropFirst("://".utf8.count))
    let slash = rest.indexOfByte("/") ?? rest.endIndex
    guard slash > rest.startIndex else { return nil }
    return WebAddress(host: String(rest[..<slash]), path: slash == rest.endIndex ? "/" : String(rest[slash...]))
  }

  /// The texts that a clause compares with the values that the SDK sends for an element; nil for values that it does not test.
  struct ComparedElement {
    var paths: [UTF8String]?
    var positions: [UTF8String]?
    var contents: [UTF8String]?

    /// The number of elements in the configuration for each path.
    var variants: Int { (positions?.count ?? 1) * (contents?.count ?? 1) }

    /// The positions, each with each content; nil for values that the clause does not test.
    var values: [(position: String?, content: String?)] {
      let contents = contents?.map { Optional($0.text) } ?? [nil]
      let positions = positions?.map { Optional($0.text) } ?? [nil]
      return positions.flatMap { position in contents.map { (position: position, content: $0) } }
    }

    /// Adds the test of a property.
    mutating func add(_ name: UTF8String, _ condition: Condition) throws(Reason) {
      switch name {
      case "$element_path": paths = try SDKConfiguration.both(paths, SDKConfiguration.texts(condition, of: "the path"))
      case "$element_position":
        positions = try SDKConfiguration.both(positions, SDKConfiguration.texts(condition, of: "the position"))
      case "$element_content":
        contents = try SDKConfiguration.both(
          contents, SDKConfiguration.texts(condition, of: "the content", mayBeEmpty: true))
      default: throw Reason(.otherProperty, "The SDK cannot be configured to test \(name).")
      }
    }
  }

  static func both(_ a: [UTF8String]?, _ b: [UTF8String]) -> [UTF8String] {
    a.map { $0.filter(b.contains) } ?? b
  }

  /// Returns the texts that a condition compares with; nil if it tests anything else.
  static func texts(_ condition: Condition) -> [UTF8String]? {
    switch condition {
    case .isOneOf(let values, fold: false):
      var texts: [UTF8String] = []
      for case .string(let text) in values { texts.append(text) }
      return texts.count == values.count && !texts.isEmpty ? texts : nil
    case .all(let conditions), .any(let conditions): return conditions.count == 1 ? texts(conditions[0]) : nil
    default: return nil
    }
  }

  /// Returns the texts that a condition compares a value with.
  ///
  /// - Parameter mayBeEmpty: True if the SDK compares with an empty text. An empty place, page or host means that none is given.
  static func texts(
    _ condition: Condition, of what: String, mayBeEmpty: Bool = false
  ) throws(Reason) -> [UTF8String] {
    guard let texts = texts(condition) else {
      throw Reason(.notEqual, "The SDK can only compare \(what) with a whole text.")
    }
    guard mayBeEmpty || !texts.contains("") else {
      throw Reason(.emptyText, "The SDK cannot compare \(what) with an empty text.")
    }
    return texts
  }
}
