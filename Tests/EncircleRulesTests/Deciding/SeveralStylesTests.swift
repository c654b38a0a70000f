import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

/// Rule sets with rules in several styles: each event is decided by the rules of its own style.
@Suite struct SeveralStylesTests {
  private static let join = """
    rules:
      - id: join
        include:
          - style: sensors
            selector: UITableViewCell(section:0 row:*)/UIButton(0)
          - style: sensors-android
            selector: android.widget.ListView(0)/android.widget.Button(0)
          - style: growingio
            selector: UITableView/UIButton
          - style: any
            event: $WebClick
            where: { $element_selector: "#join" }
        unless: { where: { $user_group: testers } }
        emit: join
      - id: common
        include: { event: shared }
    """

  private static let iOSPath = "UIWindow[0]/UITableView[0]/UITableViewCell[0][3]/UIButton[0]"
  private static let androidPath = "android.widget.LinearLayout[0]/android.widget.ListView[0]/android.widget.Button[0]"

  private static func event(_ properties: String, _ root: String = #""event":"$AppClick""#) -> String {
    "{\(root),\"properties\":{\(properties)}}"
  }

  @Test(
    "one definition selects the element on all platforms, each event by its own style",
    arguments: [
      (event("\"$os\":\"iOS\",\"$element_path\":\"\(iOSPath)\""), "selected as join by join; path"),
      (event("\"$os\":\"Android\",\"$element_path\":\"\(androidPath)\""), "selected as join by join; path"),
      (event("\"$lib\":\"Android\",\"$element_path\":\"\(androidPath)\""), "selected as join by join; path"),
      // The library says more than the system: a page in a browser on a phone.
      (event("\"$lib\":\"js\",\"$os\":\"iOS\",\"$element_path\":\"\(iOSPath)\""), "not selected; path"),
      (
        event("\"$lib\":\"js\",\"$os\":\"Android\",\"$element_selector\":\"#join\"", #""event":"$WebClick""#),
        "selected as join by join"
      ),
      // Without a platform an event is one of iOS.
      (event("\"$element_path\":\"\(iOSPath)\""), "selected as join by join; path"),
      // Paths of one platform are not read in the style of the other.
      (event("\"$os\":\"Android\",\"$element_path\":\"\(iOSPath)\""), "not selected; path"),
      (event("\"$os\":\"iOS\",\"$element_path\":\"\(androidPath)\""), "not selected; path"),
      (
        #"{"eventType":"VIEW_CLICK","platform":"iOS","xpath":"/UIView/UITableView/UIButton & /0/0/0"}"#,
        "selected as join by join; path"
      ),
      // An SDK without its own rules: only rules for any style apply.
      (#"{"eventName":"shared","viewInfo":{"viewPath":"UIButton & 0"}}"#, "not selected"),
      (event("\"$lib\":\"posthog-ios\"", #""event":"shared""#), "selected as common by common"),
      (event("\"$os\":\"iOS\"", #""event":"shared""#), "selected as common by common"),
      (event("\"$os\":\"iOS\",\"$user_group\":\"testers\",\"$element_path\":\"\(iOSPath)\""), "not selected; path"),
    ])
  func platforms(event: String, expected: String) throws {
    #expect(try decide(Self.join, event).summary == expected)
  }

  private static let postHog = """
    fields: { path: [$elements_chain, /elements_chain] }
    rules:
      - id: app
        include: { style: posthog, event: $autocapture, selector: UIButton/** }
      - id: page
        include: { style: posthog-web, event: $autocapture, selector: button.buy }
    """

  private static let appChain = #"UIButton:text=\"Pay\"attr_id=\"pay\";UIView;UIWindow"#
  private static let pageChain =
    #"button.buy:attr__class=\"buy\"nth-child=\"1\"nth-of-type=\"1\";body:nth-child=\"2\"nth-of-type=\"1\""#

  @Test(
    "an event of PostHog without a library is of the style of its chain, as it is sent and as it is exported",
    arguments: [
      ("", appChain, "app"), ("", pageChain, "page"),
      // What the library says counts before the chain, and the chain of a page before the system on which the browser runs.
      (#""$lib":"posthog-ios","#, appChain, "app"), (#""$lib":"web","#, pageChain, "page"),
      (#""$lib":"web","#, appChain, ""), (#""$lib":"posthog-ios","#, pageChain, ""),
      (#""$os":"iOS","#, pageChain, "page"), (#""$os":"Mac OS X","#, pageChain, "page"),
      (#""$os":"iOS","#, appChain, "app"), (#""$os":"Windows","#, appChain, ""),
    ] as [(String, String, String)])
  func postHogChains(properties: String, chain: String, rule: String) throws {
    let matcher = Matcher(try RuleFiles(text: "version: 1\n" + Self.postHog).ruleSet())
    let explainer = Explainer(try RuleFiles(text: "version: 1\n" + Self.postHog).ruleSet())
    for json in [
      #"{"event":"$autocapture","properties":{\#(properties)"$elements_chain":"\#(chain)"}}"#,
      #"{"event":"$autocapture","properties":{\#(properties)"a":1},"elements_chain":"\#(chain)"}"#,
    ] {
      let event = try AnalyticsEvent(json: json)
      let decision = matcher.decide([event])[0]
      #expect(decision.rules.map { "\($0)" } == (rule.isEmpty ? [] : [rule]), "\(json)")
      #expect(explainer.explain(event).decision == decision)
      #expect(try Matcher(compiled: try matcher.compiled()).decide([event])[0] == decision)
    }
  }

  @Test(
    "compiled rules for several styles have an excluded page as it is written", arguments: ["/%E5%95%86", "/%2525"])
  func excludedPage(page: String) throws {
    let matcher = Matcher(
      try RuleFiles(text: "version: 1\npages: { exclude: [\"\(page)\"] }\n" + Self.postHog).ruleSet())
    let event = try AnalyticsEvent(
      json: #"{"event":"$autocapture","properties":{"$pathname":"\#(page)","$elements_chain":"\#(Self.pageChain)"}}"#)
    let loaded = try Matcher(compiled: try matcher.compiled())
    for decision in matcher.decide([event]) + loaded.decide([event]) {
      #expect(!decision.isSelected && decision.pages.map(\.text) == [page])
    }
  }

  @Test("compiled rules, updated rules and explanations use the style of the event like rules")
  func otherWays() throws {
    let ruleSet = try RuleFiles(text: "version: 1\n" + Self.join).ruleSet()
    #expect(ruleSet.styles == [.sensors, .growingIO, .sensorsAndroid])
    let matcher = Matcher(ruleSet)
    #expect(matcher.ruleCount == 2)
    var other = ruleSet
    other.rules = other.rules.map { rule in
      var rule = rule
      rule.emit = "old"
      return rule
    }
    let explainer = Explainer(ruleSet)
    let events = try [
      Self.event("\"$os\":\"iOS\",\"$element_path\":\"\(Self.iOSPath)\""),
      Self.event("\"$os\":\"Android\",\"$element_path\":\"\(Self.androidPath)\""),
      Self.event("\"$lib\":\"js\",\"$element_selector\":\"#join\"", #""event":"$WebClick""#),
    ].map { try AnalyticsEvent(json: $0) }
    let decisions = matcher.decide(events)
    #expect(decisions.allSatisfy { $0.emit == ["join"] })
    #expect(try Matcher(compiled: try matcher.compiled()).decide(events) == decisions)
    #expect(Matcher(other).updated(with: ruleSet.rules).decide(events) == decisions)
    #expect(Matcher(other).updated(with: [], removing: ["join"]).decide(events).allSatisfy { !$0.isSelected })
    #expect(events.map { explainer.explain($0).decision } == decisions)
    for event in events {
      let join = try #require(explainer.explain(event).rules.first { $0.rule.id == "join" })
      #expect(join.matches)
      #expect(join.clauses.count { $0.tests.contains { $0.subject == "style of the event" } } >= 2)
    }
  }

  @Test(
    "a tap on an element of a capture is an event of the first style for the platform of the capture",
    arguments: [
      ([.hubbleData, .sensorsAndroid, .sensorsWeb], "cart.xml", 21, .hubbleData),
      ([.hubbleData, .sensorsAndroid, .sensorsWeb], "android-shop.xml", 20, .sensorsAndroid),
      ([.hubbleData, .sensorsAndroid, .sensorsWeb], "flowers.html", 8, .sensorsWeb),
      // Dumps of Android screens do not name the system.
      ([.sensors, .sensorsAndroid], "login.uiautomator.xml", 5, .sensorsAndroid),
      // The events of these differ in a member alone.
      ([.hubbleData, .sensors], "cart.xml", 21, .hubbleData),
      ([.hubbleDataAndroid, .sensorsAndroid], "android-shop.xml", 20, .hubbleDataAndroid),
    ] as [([PathStyleName], String, Int, PathStyleName)])
  func captures(styles: [PathStyleName], name: String, element: Int, expected: PathStyleName) throws {
    let clauses = styles.map { "{ style: \($0.rawValue), event: [$AppClick, $WebClick] }" }
    let rules = "version: 1\nrules: [{ id: a, include: [\(clauses.joined(separator: ", "))] }]"
    let ruleSet = try RuleFiles(text: rules).ruleSet()
    let screen = try Screens.named(name)
    let part = ruleSet.part(for: screen)
    #expect(part.style == expected)
    let event = ElementEvents(of: screen, style: part.style, fields: part.fields).event(of: ElementID(element))
    #expect(StyleOfEvents(ruleSet).style(of: event) == expected, "\(event)")
    #expect(Matcher(ruleSet).decide([event])[0].isSelected)
  }

  @Test("a capture that lacks what the style for its platform needs is not one of another platform")
  func unmet() throws {
    let rules = """
      version: 1
      rules: [{ id: a, include: [{ style: hubbledata, event: e }, { style: sensors-android, event: e }] }]
      """
    let capture = #"<viewTree version="1" os="Android"><view class="android.widget.Button"/></viewTree>"#
    let screen = IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
    let style = try RuleFiles(text: rules).ruleSet().part(for: screen).style
    #expect(style == .sensorsAndroid && style.style.unmetRequirement(for: screen) == .activity)
  }

  @Test("files of one rule set may be in several styles, and files without a style belong to each")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (file, text) in [
      ("ios.yaml", "version: 1\nstyle: sensors\nrules: [{ id: a, include: { selector: UIButton } }]\n"),
      (
        "android.yaml",
        "version: 1\nstyle: sensors-android\nrules: [{ id: b, include: { selector: android.widget.Button } }]\n"
      ),
      ("all.yaml", "version: 1\nrules: [{ id: c, exclude: { where: { p: 1 } } }]\n"),
    ] {
      try text.write(to: folder.appendingPathComponent(file), atomically: true, encoding: .utf8)
    }
    let matcher = Matcher(try RuleFiles([folder.path]).ruleSet())
    let summaries = try [
      Self.event("\"$os\":\"iOS\",\"$element_path\":\"UIView[0]/UIButton[0]\""),
      Self.event("\"$os\":\"Android\",\"$element_path\":\"a.V[0]/android.widget.Button[0]\""),
      Self.event("\"$os\":\"Android\",\"p\":1,\"$element_path\":\"a.V[0]/android.widget.Button[0]\""),
    ].map { matcher.decide([try AnalyticsEvent(json: $0)])[0].summary }
    #expect(
      summaries == [
        "selected as a by a; path", "selected as b by b; path", "not selected by b; excluded by c; path",
      ])
  }

  /// The deciding rules, found without the matcher: the style by the platform alone, and the rules by their clauses.
  private static func part(of ruleSet: RuleSet, _ style: PathStyleName?) -> RuleSet {
    var part = ruleSet
    part.otherStyles = []
    part.style = style ?? .hubbleData
    let own = part.fields
    part.fields = EventFields(style: part.style)
    for field in [EventFields.Field.path, .page, .event] where own.places(of: field) != EventFields().places(of: field)
    {
      part.fields.set(field, own.places(of: field))
    }
    part.rules = []
    for var rule in ruleSet.rules {
      func isFor(_ clause: RuleClause) -> Bool {
        clause.style == .any || style.map { clause.style == .only($0) } ?? false
      }
      rule.clauses = rule.clauses.filter(isFor)
      rule.unless = rule.unless.filter(isFor)
      if !rule.clauses.isEmpty { part.rules.append(rule) }
    }
    return part
  }

  @Test(
    "random rules in two styles decide as the rules of the event's style alone",
    arguments: TestSize.scaled(0..<6 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var counts: [String: Int] = [:]
    for number in 0..<6 {
      var world = try RandomRules(seed: 700_000 + seed * 100 + UInt64(number))
      var ruleSet = world.ruleSet
      ruleSet.otherStyles = [.growingIO]
      for i in ruleSet.rules.indices {
        for j in ruleSet.rules[i].clauses.indices {
          ruleSet.rules[i].clauses[j].style = world.random.pick([.any, .only(.hubbleData), .only(.growingIO)])
        }
        for j in ruleSet.rules[i].unless.indices {
          ruleSet.rules[i].unless[j].style = world.random.pick([.any, .only(.hubbleData)])
        }
      }
      var matcher = Matcher(ruleSet, dictionary: world.dictionary)
      if number % 2 == 1 { matcher = try Matcher(compiled: try matcher.compiled(), dictionary: world.dictionary) }
      var decider = Decider(matcher)
      let reference = ReferenceMatcher(
        Self.part(of: ruleSet, .hubbleData), dictionary: world.entries, captureClasses: world.captureClasses,
        superclasses: RandomRules.superclasses, screenTexts: world.screenTexts)
      let other = Matcher(
        Self.part(of: ruleSet, .growingIO),
        dictionary: ElementDictionary(hierarchy: world.dictionary.hierarchy, style: .growingIO))
      var others = Decider(other)
      for i in 0..<100 {
        var event = world.event()
        let isOther = world.random.oneIn(3)
        if isOther, case .object(let members) = event {
          event = .object(
            members.filter { $0.name != "eventType" } + [
              .init("eventType", .string(world.random.pick(["$AppClick", "pay", "VIEW_CLICK"])))
            ])
        }
        let text = event.write(&world.random)
        let expected = isOther ? others.decide(event.event) : reference.decide(event)
        let decision = decider.decide(event.event)
        let read = try AgreementTests.decideRead(text, &decider)
        guard decision == expected, read == expected else {
          Issue.record(
            "seed \(seed) \(number), event \(i): \(text)\nexpected \(expected)\nfound \(decision)\n\(String(describing: read))"
          )
          return
        }
        counts[isOther ? "other" : "first", default: 0] += expected.rules.isEmpty && expected.excludedBy.isEmpty ? 0 : 1
      }
    }
    for kind in ["first", "other"] { #expect(counts[kind, default: 0] > 0, "\(counts)") }
  }
}
