import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Rules that a release has broken, by the events alone.
@Suite struct StreamDriftTests {
  @Test(
    "Fisher's exact test gives the sums of hypergeometric probabilities",
    arguments: [
      // Twice the smaller tail, computed by hand from binomial coefficients.
      ((3, 4), (1, 4), 2.0 * (16 + 1) / 70), ((5, 5), (0, 5), 2.0 / 252), ((0, 7), (0, 9), 1), ((2, 2), (2, 2), 1),
      ((1, 10), (1, 10), 1), ((10, 1_000_000), (10, 1_000_000), 1),
      // So unlikely that the probability is 0 in binary64.
      ((0, 100_000_000), (100_000_000, 100_000_000), 0), ((20_000_000, 100_000_000), (0, 90_000_000), 0),
    ] as [((Int, Int), (Int, Int), Double)])
  func fisher(first: (Int, Int), second: (Int, Int), expected: Double) {
    let p = FisherTest.probability(first: (first.0, first.1), second: (second.0, second.1))
    #expect(abs(p - expected) < 1e-9, "\(p)")
    let swapped = FisherTest.probability(first: (second.0, second.1), second: (first.0, first.1))
    #expect(abs(p - swapped) < 1e-9)
  }

  @Test("the test holds for any counts", arguments: TestSize.scaled(0..<2_000))
  func anyCounts(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let most = [5, 50, 100_000_000].randomElement(using: &random)!
    func group() -> (Int, Int) {
      let size = Int.random(in: 0...most, using: &random)
      return (Int.random(in: 0...size, using: &random), size)
    }
    let (a, b) = (group(), group())
    let p = FisherTest.probability(first: (a.0, a.1), second: (b.0, b.1))
    #expect((0...1).contains(p), "\(a) \(b)")
    if most <= 50 { #expect(abs(p - Self.sum(a, b)) < 1e-9, "\(a) \(b)") }
  }

  /// Twice the smaller tail, by adding up all terms of each.
  private static func sum(_ first: (Int, Int), _ second: (Int, Int)) -> Double {
    func choose(_ n: Int, _ k: Int) -> Double {
      k < 0 || k > n ? 0 : (0..<k).reduce(1) { $0 * Double(n - $1) / Double($1 + 1) }
    }
    let hits = first.0 + second.0
    let terms = (0...hits).map { choose(second.1, $0) * choose(first.1, hits - $0) / choose(first.1 + second.1, hits) }
    return min(1, 2 * min(terms[...second.0].reduce(0, +), terms[second.0...].reduce(0, +)))
  }

  private static let rules = """
    version: 1
    rules:
      - id: pay
        include: { event: $AppClick, page: OrderController, selector: OrderBar/UIButton(0) }
      - id: help
        include: { event: $AppClick, page: OrderController, selector: UIButton(9) }
    """

  private static func event(
    _ user: Int, _ version: String?, _ path: String, _ text: String, lib: String? = nil
  ) throws -> AnalyticsEvent {
    let version =
      (version.map { ",\"$app_version\":\"\($0)\"" } ?? "") + (lib.map { ",\"$lib\":\"\($0)\"" } ?? "")
    return try AnalyticsEvent(
      json: """
        {"event":"$AppClick","distinct_id":"u\(user)","properties":{"$screen_name":"OrderController","$element_path":"\(path)",
        "$element_content":"\(text)","$element_type":"buttonEvent"\(version)}}
        """)
  }

  private static func report(_ events: [AnalyticsEvent], _ limits: StreamDrift.Limits = .init()) throws
    -> StreamDrift.Report
  {
    let matcher = Matcher(try RuleFiles(text: rules, name: "rules.yaml").ruleSet())
    var drift = StreamDrift(matcher, limits: limits)
    for event in events { drift.add(event) }
    return drift.finish()
  }

  private static func release() throws -> [AnalyticsEvent] {
    var events: [AnalyticsEvent] = []
    for user in 0..<60 {
      let (old, new) = ("5.9", "5.10")
      events.append(try event(user, old, "UIWindow(0)/UIView(0)/UIButton(9)", "Help"))
      events.append(try event(user, new, "UIWindow(0)/UIView(0)/UIButton(9)", "Help"))
      if user % 3 == 0 {
        events.append(try event(user, old, "UIWindow(0)/OrderBar(0)/UIButton(0)", "Pay"))
        events.append(try event(user, new, "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(1)", "Pay"))
        events.append(try event(user, new, "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(0)", "Coupons"))
      }
    }
    return events
  }

  @Test("with rules in several styles, versions and users are read where each event's SDK writes them")
  func severalStyles() throws {
    let rules = """
      version: 1
      rules:
        - id: pay
          include: [{ style: sensors, selector: UIView/UIButton }, { style: growingio, selector: UIView/UIButton }]
      """
    var drift = StreamDrift(Matcher(try RuleFiles(text: rules, name: "rules.yaml").ruleSet()))
    for user in 0..<3 {
      drift.add(
        try AnalyticsEvent(
          json: """
            {"event":"$AppClick","distinct_id":"s\(user)","properties":{"$element_path":"UIView/UIButton[0]","$app_version":"1.0"}}
            """))
      for _ in 0..<2 {
        drift.add(
          try AnalyticsEvent(
            json: """
              {"eventType":"VIEW_CLICK","deviceId":"g\(user)","appVersion":"1.0","xpath":"/Home/UIView/UIButton",
              "xcontent":"/0/0/0"}
              """))
      }
    }
    let report = drift.finish()
    let rate = try #require(report.rates.first?.rates.first)
    #expect(report.unknown == 0 && rate.events == 9 && rate.share == StreamDrift.Share(users: 6, of: 6))
  }

  @Test("an element whose path differs only in separate indexes is another element")
  func pathIndexes() throws {
    let rules = "version: 1\nstyle: growingio\nrules: [{ id: help, include: { selector: UIButton(1) } }]\n"
    var drift = StreamDrift(Matcher(try RuleFiles(text: rules, name: "rules.yaml").ruleSet()))
    for user in 0..<60 {
      for (version, index) in [("5.1", 1), ("5.2", 2)] {
        drift.add(
          try AnalyticsEvent(
            json: """
              {"eventType":"VIEW_CLICK","deviceId":"d\(user)","appVersion":"\(version)","xpath":"/Home/UIView/UIButton",
              "xcontent":"/0/0/\(index)","textValue":"Help"}
              """))
      }
    }
    let change = try #require(drift.finish().changes.first)
    #expect(change.isZero && change.successors.map(\.pathIndexes) == ["/0/0/2"])
  }

  @Test("only a rule that fell to zero is named, with the element that took its text")
  func zero() throws {
    let report = try Self.report(Self.release())
    #expect(report.changes.map(\.rule) == ["pay"])
    let change = try #require(report.changes.first)
    #expect(change.isZero && change.before.version == "5.9" && change.now.version == "5.10", "5.10 comes after 5.9")
    #expect(change.before.share == StreamDrift.Share(users: 20, of: 60) && change.now.share.users == 0)
    #expect(change.probability < 0.001)
    #expect(change.successors.first?.content == "Pay")
    #expect(change.successors.first?.evidence == ["page", "text", "type", "share of users"])
    #expect(change.successors.first?.path == "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(1)")
    #expect(report.rates.map(\.rule) == ["help", "pay"])
    #expect(report.rates.last?.rates.map(\.events) == [20, 0])
  }

  @Test("a trial build with a few users hides no rule that the release after it breaks")
  func trialBuild() throws {
    var events = try Self.release()
    for user in 0..<3 {
      events.append(try Self.event(user, "5.10-beta.1", "UIWindow(0)/UIView(0)/UIButton(9)", "Help"))
    }
    let report = try Self.report(events)
    let change = try #require(report.changes.first)
    #expect(report.changes.count == 1 && change.rule == "pay" && change.isZero)
    #expect(change.before.version == "5.9" && change.now.version == "5.10")
    #expect(change.successors.first?.content == "Pay")
    #expect(report.rates.last?.rates.map(\.version) == ["5.9", "5.10-beta.1", "5.10"])
  }

  @Test("versions of each platform are compared by themselves")
  func platforms() throws {
    var events: [AnalyticsEvent] = []
    let moved = "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(0)"
    for user in 0..<60 {
      for (lib, version, path) in [
        ("iOS", "5.1", "UIWindow(0)/OrderBar(0)/UIButton(0)"), ("iOS", "5.2", moved),
        ("Android", "4.9", "UIWindow(0)/OrderBar(0)/UIButton(0)"),
        ("Android", "5.2", "UIWindow(0)/OrderBar(0)/UIButton(0)"),
      ] {
        events.append(try Self.event(user, version, path, "Pay", lib: lib))
      }
    }
    let report = try Self.report(events)
    let change = try #require(report.changes.first)
    #expect(report.changes.count == 1 && change.isZero && change.now.platform == .ios)
    #expect(change.before.version == "5.1" && change.now.version == "5.2")
    #expect(change.successors.first?.path == moved)
    let rates = try #require(report.rates.last?.rates)
    let releases = rates.map { "\($0.platform?.rawValue ?? "") \($0.version) \($0.events)" }
    #expect(releases == ["ios 5.1 60", "ios 5.2 0", "android 4.9 60", "android 5.2 60"])
  }

  @Test("the nearest of many elements is the one found by comparing all of them", arguments: TestSize.scaled(0..<200))
  func nearest(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func text() -> UTF8String? { [nil, "a", "b", "c"].randomElement(using: &random)!.map { UTF8String($0) } }
    func element() -> StreamDrift.Element {
      StreamDrift.Element(
        path: nil, eventID: nil, page: text(), content: text(), type: text(), position: text())
    }
    let lost = (0..<Int.random(in: 0...20, using: &random)).map { _ in element() }
    let nearest = StreamDrift.NearestElements(lost)
    for new in (0..<20).map({ _ in element() }) {
      var best: (element: StreamDrift.Element, evidence: [StreamDrift.Evidence], weight: Int)?
      for other in lost where other.page == new.page {
        var evidence: [StreamDrift.Evidence] = []
        if new.content != nil, new.content == other.content { evidence.append(.text) }
        if new.type != nil, new.type == other.type { evidence.append(.type) }
        if new.position != nil, new.position == other.position { evidence.append(.position) }
        let weight = evidence.reduce(0) { $0 + $1.weight }
        if weight > best?.weight ?? 0 { best = (other, evidence, weight) }
      }
      let found = nearest.nearest(to: new)
      #expect(found?.element == best?.element)
      #expect(found?.evidence == best?.evidence)
    }
  }

  @Test("few users are chance, and many taps of one user are one")
  func chance() throws {
    var events: [AnalyticsEvent] = []
    for _ in 0..<500 { events.append(try Self.event(1, "1.0", "UIWindow(0)/OrderBar(0)/UIButton(0)", "Pay")) }
    for user in 0..<5 { events.append(try Self.event(user, "1.1", "UIWindow(0)/UIView(0)/UIButton(9)", "Help")) }
    let report = try Self.report(events)
    #expect(report.changes.isEmpty)
    #expect(
      report.rates.last?.rates.first == StreamDrift.Rate(version: "1.0", events: 500, share: .init(users: 1, of: 1)))
  }

  @Test("events without a version are counted apart, and beyond the limits nothing is kept")
  func limits() throws {
    #expect(try Self.report([Self.event(1, nil, "UIWindow(0)/UIView(0)", "x")]).unknown == 1)
    var limits = StreamDrift.Limits()
    limits.versions = 1
    let versions = try Self.report(
      ["1.0", "1.1", "1.2", "beta"].map { try Self.event(1, $0, "UIWindow(0)/UIView(0)", "x") }, limits)
    #expect(versions.beyondLimits == 2 && versions.unknown == 1)
    limits = StreamDrift.Limits()
    limits.users = 10
    limits.elements = 1
    let report = try Self.report(Self.release(), limits)
    #expect(report.beyondLimits > 0)
    #expect(report.rates.allSatisfy { $0.rates.allSatisfy { $0.share.of <= 10 } })
  }
}
