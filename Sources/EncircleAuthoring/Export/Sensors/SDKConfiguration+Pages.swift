import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

// The configuration for web pages: host and path of the address must be equal, and the path or the selector of the element be equal or
// contain a text.
extension SDKConfiguration {
  /// The comparisons of a clause with an element of a page.
  private struct PageElement {
    var hosts: [UTF8String]?
    var pages: [UTF8String]?
    var paths: [UTF8String]?
    var isSelector = false
    var isContained = false
    var rest = ComparedElement()

    mutating func add(_ name: UTF8String, _ condition: Condition) throws(Reason) {
      switch name {
      case "$url_host": hosts = SDKConfiguration.both(hosts, try SDKConfiguration.texts(condition, of: "the host"))
      case "$url":
        guard let host = SDKConfiguration.host(of: condition) else {
          throw Reason(.notEqual, "The SDK can only compare the host of the address with a whole text.")
        }
        hosts = SDKConfiguration.both(hosts, [host])
      case "$url_path": pages = SDKConfiguration.both(pages, try SDKConfiguration.texts(condition, of: "the page"))
      case "$element_path", "$element_selector":
        guard paths == nil else { throw Reason(.selectorAndPath, "The SDK compares a path or a selector, not both.") }
        isSelector = name == "$element_selector"
        if case .text(.contains, let text, fold: false) = condition {
          isContained = true
          paths = [text]
        } else {
          paths = try SDKConfiguration.texts(condition, of: "the path")
        }
      case "$element_position": try rest.add(name, SDKConfiguration.withTexts(condition))
      default: try rest.add(name, condition)
      }
    }
  }

  static func pageEvents(
    of clause: RuleClause, _ number: Int, in ruleSet: RuleSet
  ) throws(Reason) -> [Event] {
    guard let event = clause.event, texts(event) == [UTF8String(PathStyleName.webTapName)] else {
      throw Reason(.otherEvents, "The SDK for web pages can be configured for $WebClick only.")
        .at(.event(.clauses, number))
    }
    guard clause.eventIDs.isEmpty else { throw Reason(.eventIds, "The SDK does not know event IDs and identities.") }
    var element = PageElement()
    if let page = clause.page {
      element.pages = try at(.page(.clauses, number)) { () throws(Reason) in try texts(page, of: "the page") }
    }
    for (i, test) in clause.properties.enumerated() {
      try at(.property(.clauses, number, i)) { () throws(Reason) in
        try element.add(try name(of: test), test.condition)
      }
    }
    if !clause.selectors.isEmpty { try add(clause.selectors, number, ruleSet.style, to: &element) }
    guard let hosts = element.hosts, let pages = element.pages else {
      throw Reason(
        .webHost,
        "The SDK compares the host, $url: { matches: '^https?://HOST(:[0-9]+)?/' }, and the path, page or $url_path.")
    }
    guard let paths = element.paths else { throw Reason(.noElement, "It names no element.") }
    let addresses = Self.addresses(hosts, pages)
    let count = addresses.count * paths.count * element.rest.variants
    guard count <= elementLimit else {
      throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
    }
    var events: [Event] = []
    for address in addresses {
      for path in paths {
        for (position, content) in element.rest.values {
          var event = Event(name: "", path: path.text, position: position, content: content, address: address)
          (event.isSelector, event.isContained) = (element.isSelector, element.isContained)
          events.append(event)
        }
      }
    }
    return events
  }

  /// Returns each path on each host.
  static func addresses(_ hosts: [UTF8String], _ paths: [UTF8String]) -> [WebAddress] {
    let paths = EncircleIdentity.WebAddress.withoutEncodedForms(paths)
    return hosts.flatMap { host in paths.map { WebAddress(host: host.text, path: $0.text) } }
  }

  /// Returns the host that a test of addresses asks for, such as `matches: '^https?://shop\.example(:[0-9]+)?/'`, as imports write
  /// it; nil for any other test.
  static func host(of condition: Condition) -> UTF8String? {
    guard case .matches(let expression) = condition, !expression.foldsCase else { return nil }
    let text = expression.description
    let (start, end) = ("^https?://", "(:[0-9]+)?/")
    guard text.beginsWithBytes(of: start), text.endsWithBytes(of: end) else { return nil }
    let quoted = String(Substring(text.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)))
    let host = quoted.replacingBytes(of: "\\", with: "")
    guard !host.isEmpty, !host.containsBytes(of: "/"), RegularExpression.quoting(host).hasSameBytes(as: quoted) else {
      return nil
    }
    return UTF8String(host)
  }

  /// Adds selectors that the SDK itself writes: for one element, an id and the places of the elements in it; for similar ones, a
  /// path of tags.
  private static func add(
    _ selectors: [ElementSelector], _ number: Int, _ style: PathStyleName, to element: inout PageElement
  ) throws(Reason) {
    guard element.paths == nil else {
      throw Reason(.selectorAndPath, "It has a selector and a path.").at(.selector(.clauses, number, 0))
    }
    var paths: [UTF8String] = []
    var isSelector: Bool?
    for (i, selector) in selectors.enumerated() {
      for read in selector.read(in: style) {
        let whole = wholeSelector(read)
        // The SDK compares either selectors or paths.
        guard style == .sensorsWeb, let text = whole ?? wholePath(read), isSelector != (whole == nil) else {
          throw Reason(
            .webSelector,
            "The SDK for web pages compares the whole $element_selector, such as #list > li:nth-of-type(2)."
          )
          .at(.selector(.clauses, number, i))
        }
        isSelector = whole != nil
        paths.append(text)
      }
    }
    (element.paths, element.isSelector) = (paths, isSelector ?? true)
  }

  /// Returns a path in the SDK's form for elements; nil if the selector has another form.
  private static func wholePath(_ selector: ElementSelector) -> UTF8String? {
    var parts: [String] = []
    for (i, step) in selector.steps.enumerated() {
      switch step {
      case .component(.name(let tag), nil) where i > 0 || tag == "body": parts.append(tag.text)
      case .component(.name(let tag), .conditions(let tests)?) where i == 0 && tests.count == 1:
        guard case .id(let id) = tests[0] else { return nil }
        parts.append("\(tag)#\(id)")
      default: return nil
      }
    }
    return UTF8String(parts.joined(separator: " > "))
  }

  /// Returns a selector in the SDK's form for an element; nil if it has another form. The SDK escapes nothing in an id.
  private static func wholeSelector(_ selector: ElementSelector) -> UTF8String? {
    var parts: [String] = []
    for (i, step) in selector.steps.enumerated() {
      if i == 0, case .component(.name("body"), nil) = step {
        parts.append("body")
        continue
      }
      guard case .component(let name, .conditions(let tests)?) = step, tests.count == 1 else { return nil }
      switch (i, name, tests[0]) {
      case (0, .any, .id(let id)): parts.append("#\(id)")
      case (1..., .name(let tag), .nthOfType(let number)): parts.append("\(tag):nth-of-type(\(number))")
      default: return nil
      }
    }
    return UTF8String(parts.joined(separator: " > "))
  }

  /// Returns a test of a position with texts in place of numbers: the SDK sends a number, and compares it with a text.
  static func withTexts(_ condition: Condition) -> Condition {
    guard case .isOneOf(let values, fold: false) = condition else { return condition }
    var texts: [Scalar] = []
    for value in values {
      let text: Scalar = if case .number(let number) = value { .string(UTF8String(number.description)) } else { value }
      if !texts.contains(text) { texts.append(text) }
    }
    return .isOneOf(texts, fold: false)
  }
}
