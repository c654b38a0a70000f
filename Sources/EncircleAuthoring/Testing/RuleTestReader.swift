import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleSessions
import EncircleText
import EncircleTree

/// Reads one test file, and goes on after each problem, so that all are reported at once.
struct RuleTestReader {
  let name: String
  let ruleSet: RuleSet
  /// This is true if the rules that tests expect must exist; false if the expectations are about to be replaced.
  let checksRules: Bool
  var nodes: NodeReader
  var tests: [RuleTest] = []
  var dictionary: ElementDictionary
  // The rules by id.
  let rules: [UTF8String: SelectionRule]

  /// Reads a file; returns it with its problems.
  static func read(
    _ text: String, name: String, _ ruleSet: RuleSet, checksRules: Bool, _ resources: inout TestResources
  ) -> (file: RuleTestFile, diagnostics: DiagnosticList) {
    var reader = RuleTestReader(
      name: name, ruleSet: ruleSet, checksRules: checksRules, nodes: NodeReader(text, name: name),
      dictionary: ElementDictionary(
        style: ruleSet.style, knowsScreens: ruleSet.readsScreens, otherStyles: ruleSet.otherStyles),
      rules: Dictionary(ruleSet.rules.lazy.map { ($0.id, $0) }) { first, _ in first })
    if let root = reader.nodes.root() {
      reader.readFile(root, &resources)
    } else if reader.nodes.diagnostics.isEmpty {
      reader.nodes.report("the file is empty: expected at least 'version: 1' and 'tests'")
    }
    let file = RuleTestFile(name: name, text: text, tests: reader.tests, dictionary: reader.dictionary)
    return (file, reader.nodes.diagnostics)
  }

  private mutating func readFile(_ root: Node, _ resources: inout TestResources) {
    guard let members = nodes.members(of: root, "a test file", allowed: RuleTestKeys.file) else { return }
    nodes.checkVersion(members, of: root)
    if let captures = members["captures"] {
      for node in nodes.oneOrMore(captures, "captures") {
        guard let path = nodes.name(node, "the path of a capture or of a directory with captures")?.text else {
          continue
        }
        for capture in resources.captures(path, from: name) {
          switch capture {
          case .success(let screen): dictionary.insert(screen)
          case .failure(let failure): nodes.report(failure.message, at: node)
          }
        }
      }
    }
    guard let tests = members["tests"], !nodes.isNull(tests) else { return }
    guard let sequence = tests.sequence else { return nodes.report("expected a list of tests", at: tests) }
    var places: [UTF8String: SourceLocation] = [:]
    for (i, node) in sequence.enumerated() { readTest(node, i, &places, &resources) }
  }

  private mutating func readTest(
    _ node: Node, _ number: Int, _ places: inout [UTF8String: SourceLocation], _ resources: inout TestResources
  ) {
    guard let members = nodes.members(of: node, "a test", allowed: RuleTestKeys.test) else { return }
    var testName: UTF8String?
    if let node = members["name"] {
      testName = nodes.name(node, "a name")
      if let testName {
        if let other = places[testName] {
          nodes.report("there are two tests with this name, the first at \(other)", at: node)
        }
        places[testName] = nodes.location(of: node)
      }
    } else {
      nodes.report("the test has no 'name'", at: node)
    }
    if let description = members["description"] { _ = nodes.name(description, "a text") }
    let subject = readSubject(members, node, &resources)
    var expectation: Expectation?
    if let expect = members["expect"], !nodes.isNull(expect) {
      var isSelector = false
      if case .selector = subject { isSelector = true }
      expectation = readExpectation(expect, isSelector: members["selector"] != nil || isSelector, members, &resources)
    }
    guard let testName, let subject else { return }
    tests.append(
      RuleTest(
        name: testName.text, file: name, location: nodes.location(of: members["name"] ?? node), number: number,
        subject: subject, expectation: expectation))
  }

  // MARK: - Subject

  private mutating func readSubject(
    _ members: NodeMembers, _ node: Node, _ resources: inout TestResources
  ) -> RuleTest.Subject? {
    let subjects = ["elements", "selector", "event", "events", "session"].filter { members[$0] != nil }
    guard subjects.count == 1, let subject = subjects.first, let value = members[subject] else {
      nodes.report(
        subjects.isEmpty
          ? "the test has nothing to try the rules on: expected 'capture' with 'elements' or 'selector', 'event', 'events' or 'session'"
          : "a test has one of \(NodeReader.list(subjects)), not several",
        at: subjects.first.flatMap { members[$0] } ?? node)
      return nil
    }
    let needsCapture = subject == "elements" || subject == "selector"
    if !needsCapture, let capture = members["capture"] {
      nodes.report("'capture' goes with 'elements' or 'selector'", at: capture)
    }
    if members["capture"] == nil, let page = members["page"] { nodes.report("'page' goes with 'capture'", at: page) }
    if subject != "events", subject != "session", let lines = members["lines"] {
      nodes.report("'lines' goes with 'events' or 'session'", at: lines)
    }
    if subject != "session", let sdk = members["sdk"] { nodes.report("'sdk' goes with 'session'", at: sdk) }
    if subject == "selector", let with = members["with"] {
      nodes.report("'with' goes with events and elements", at: with)
    }
    let with = members["with"].flatMap { readChanges($0) }
    if needsCapture {
      guard let node = members["capture"] else {
        nodes.report("'\(subject)' needs a 'capture'", at: value)
        return nil
      }
      guard let capture = readCapture(node, page: members["page"], &resources) else { return nil }
      if subject == "selector" { return readSelector(value, on: capture).map { .selector($0, capture) } }
      let elements = readElements(value, capture)
      let events = elements.map { element in
        TestEvent(
          label: "element \(element) of \(capture.name)",
          event: resources.event(of: element, in: capture, from: name).with(with))
      }
      return events.isEmpty ? nil : .events(events)
    }
    if subject == "event" {
      return readObject(value, "an event").map {
        .events([TestEvent(label: "the event", event: AnalyticsEvent($0).with(with))])
      }
    }
    if subject == "session" { return readSession(value, members, with, &resources) }
    return readEvents(value, members["lines"], with, &resources)
  }

  private mutating func readCapture(
    _ node: Node, page: Node?, _ resources: inout TestResources
  ) -> TestCapture? {
    guard let path = nodes.name(node, "the path of a capture")?.text else { return nil }
    let pageName = page.flatMap { nodes.name($0, "an activity, or the address of a web page") }
    do throws(TestResources.Failure) {
      return try resources.capture(path, page: pageName, from: name)
    } catch {
      nodes.report(error.message, at: node)
      return nil
    }
  }

  private mutating func readSelector(_ node: Node, on capture: TestCapture) -> ElementSelector? {
    guard let text = nodes.name(node, "a selector")?.text else { return nil }
    do throws(SelectorError) {
      let selectors = try ElementSelector.parsing(text, in: capture.settings(of: ruleSet).style)
      if selectors.count > 1 { nodes.report("expected one selector: write several as a list", at: node) }
      return selectors[0]
    } catch {
      nodes.report("in the selector: \(error.message)", at: node, offset: error.offset, suggestion: error.suggestion)
      return nil
    }
  }

  /// Reads elements given by pre-order number, event ID or its first digits, or selector; returns them in pre-order, each once.
  mutating func readElements(_ node: Node, _ capture: TestCapture) -> [ElementID] {
    let screen = capture.screen
    var elements: Set<ElementID> = []
    for node in nodes.oneOrMore(node, "elements") {
      guard let text = nodes.name(node, "the number of an element, an event ID or a selector")?.text else { continue }
      if text.utf8.allSatisfy(isDigit), text.utf8.count < 64 {
        guard let number = Int(text), number < screen.tree.count else {
          nodes.report("there is no element \(text): the capture has 0 to \(screen.tree.count - 1)", at: node)
          continue
        }
        elements.insert(ElementID(number))
      } else if let id = ElementQuery.eventID(text) {
        let found = id.elements(of: screen)
        if found.isEmpty { nodes.report("no element of the capture has this event ID", at: node) }
        elements.formUnion(found)
      } else if let selector = readSelector(node, on: capture) {
        let found = capture.settings(of: ruleSet).elements(matching: selector, in: screen)
        if found.isEmpty { nodes.report("the selector matches no element of the capture", at: node) }
        elements.formUnion(found)
      }
    }
    return elements.sorted()
  }

  private mutating func readEvents(
    _ node: Node, _ lines: Node?, _ with: EventObject?, _ resources: inout TestResources
  ) -> RuleTest.Subject? {
    if let sequence = node.sequence {
      if let lines { nodes.report("'lines' goes with a file of events", at: lines) }
      if sequence.isEmpty { nodes.report("the list of events is empty", at: node) }
      let events = sequence.enumerated().compactMap { i, node in
        readObject(node, "an event").map { TestEvent(label: "event \(i + 1)", event: AnalyticsEvent($0).with(with)) }
      }
      return events.isEmpty ? nil : .events(events)
    }
    guard let path = nodes.name(node, "a list of events or the path of a file with events")?.text else { return nil }
    let file: TestResources.EventFile
    do throws(TestResources.Failure) {
      file = try resources.events(path, from: name)
    } catch {
      nodes.report(error.message, at: node)
      return nil
    }
    // A test of some lines does not depend on the others.
    if lines == nil, let problem = file.problem {
      nodes.report(problem, at: node)
    } else if file.events.isEmpty {
      nodes.report("the file has no events", at: node)
    }
    return pick(file.events, lines, path, with) { line in "no event begins in line \(line) of \(path)" }
  }

  /// Reads a session; its events are the events that an SDK would have sent.
  private mutating func readSession(
    _ node: Node, _ members: NodeMembers, _ with: EventObject?, _ resources: inout TestResources
  ) -> RuleTest.Subject? {
    var sdk = SessionSDK.sensors
    if let node = members["sdk"] {
      let names = SessionSDK.allCases.map(\.rawValue)
      guard let name = nodes.name(node, "the name of an SDK")?.text else { return nil }
      guard let known = SessionSDK.allCases.first(where: { UTF8String($0.rawValue) == UTF8String(name) }) else {
        nodes.report(
          "unknown SDK '\(VisibleText.shortened(name))': expected \(names.joined(separator: ", "))", at: node,
          suggestion: Diagnostic.nearest(to: name, among: names))
        return nil
      }
      sdk = known
    }
    guard let path = nodes.name(node, "the path of a session")?.text else { return nil }
    let all: [(line: Int, event: AnalyticsEvent)]
    do throws(TestResources.Failure) {
      all = try resources.events(ofSession: path, sdk, from: name)
    } catch {
      nodes.report(error.message, at: node)
      return nil
    }
    if all.isEmpty { nodes.report("the session has no events", at: node) }
    return pick(all, members["lines"], path, with) { line in "the signal in line \(line) of \(path) makes no event" }
  }

  /// Returns the events of some lines; without `lines`, all events.
  private mutating func pick(
    _ all: [(line: Int, event: AnalyticsEvent)], _ lines: Node?, _ path: String, _ with: EventObject?,
    problem: (Int) -> String
  ) -> RuleTest.Subject? {
    guard let lines else {
      return all.isEmpty
        ? nil
        : .events(all.map { TestEvent(label: "line \($0.line) of \(path)", event: $0.event.with(with)) })
    }
    let byLine = Dictionary(grouping: all) { $0.line }
    var events: [TestEvent] = []
    for node in nodes.oneOrMore(lines, "lines") {
      guard let text = node.scalar?.string, let line = Int(text), line > 0 else {
        nodes.report("expected the number of a line", at: node)
        continue
      }
      let found = byLine[line] ?? []
      if found.isEmpty { nodes.report(problem(line), at: node) }
      events += found.map { TestEvent(label: "line \($0.line) of \(path)", event: $0.event.with(with)) }
    }
    return events.isEmpty ? nil : .events(events)
  }
}

extension AnalyticsEvent {
  /// Returns the event with values set: a name is a key of `properties`, or a pointer from the event's root.
  func with(_ changes: EventObject?) -> AnalyticsEvent {
    guard let changes else { return self }
    var event = self
    for member in changes.members {
      if let place = PropertyReference(parsing: member.name), case .pointer = place {
        event.set(member.value, at: place)
        continue
      }
      let key = event.members["attributes"] != nil && event.members["properties"] == nil ? "attributes" : "properties"
      var properties = EventObject()
      if case .object(let object)? = event.members[key] { properties = object }
      properties[member.name] = member.value
      event.members[key] = .object(properties)
    }
    return event
  }
}
