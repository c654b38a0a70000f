import EncircleEvents
import EncircleInput
import EncircleTestSupport
import Testing

@testable import EncircleRules

/// The memory of decided elements.
@Suite struct ElementCacheTests {
  @Test("an element with too much text for a digest is decided every time")
  func limit() throws {
    let matcher = try matcher(selecting: "UIButton(0)")
    var decider = Decider(matcher)
    let path = String(repeating: "UIView(0)/", count: 5_000)
    for (end, isSelected) in [("UIButton(0)", true), ("UIButton(1)", false), ("UIButton(0)", true)] {
      let event = AnalyticsEvent(name: "e", properties: ["$element_path": .string(path + end)])
      let decision = decider.decide(event)
      #expect(decision.isSelected == isSelected && decision.eventID != nil)
    }
    #expect(decider.cacheHits == 0 && decider.cacheMisses == 3)
  }

  @Test(
    "events of a stream are decided like single ones, however much is cached",
    arguments: [0, 20_000, Decider.defaultCacheLimit], TestSize.scaled([1, 2] as [UInt64]))
  func streams(cacheLimit: Int, seed: UInt64) throws {
    var world = try RandomRules(seed: 710 + seed)
    let matcher = Matcher(world.ruleSet, dictionary: world.dictionary)
    // Elements come again, near and far, in lines that are read together and in others.
    var lines: [String] = []
    for _ in 0..<250 {
      let isKnown = !lines.isEmpty && world.random.oneIn(2)
      lines.append(isKnown ? world.random.pick(lines) : AgreementTests.line(world.event().write(&world.random)))
      if world.random.oneIn(20) { lines.append("no event") }
    }
    var forgetful = Decider(matcher, cacheLimit: 0)
    let expected = try lines.map { try AgreementTests.decideRead($0, &forgetful) }
    var decider = Decider(matcher, cacheLimit: cacheLimit)
    for _ in 0..<2 {
      // Two streams in turns, one of them backwards.
      let streams = [lines, lines.reversed()].map { lines in
        Stream(EventReader(ByteSource(Array(lines.joined(separator: "\n").utf8)), projection: matcher.projection))
      }
      for place in lines.indices {
        #expect(try streams[0].decide(&decider) == expected[place], "\(lines[place])")
        let other = lines.count - 1 - place
        #expect(try streams[1].decide(&decider) == expected[other], "\(lines[other])")
      }
    }
    #expect(expected.contains { $0?.isSelected == true })
    #expect(cacheLimit == 0 ? decider.cacheHits == 0 : decider.cacheHits > 100)
  }

  private final class Stream {
    private var reader: EventReader

    init(_ reader: consuming EventReader) { self.reader = reader }

    func decide(_ decider: inout Decider) throws -> Decision? {
      guard case .event? = try reader.next() else { return nil }
      return decider.decide(eventOf: reader)
    }
  }
}
