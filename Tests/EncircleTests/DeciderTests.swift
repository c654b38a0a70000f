import Encircle
import Foundation
import Testing

@Suite("A backend decides events with a decider")
struct DeciderTests {
  private static let rules = """
    version: 1
    rules:
      - id: cart.add
        include:
          event: $AppClick
          selector: ProductCell(section:0 row:*)/UIButton(1)
          where: { $element_content: 加入购物车 }
        emit: add_to_cart
      - { id: debug, exclude: { page: DebugViewController } }
    """

  private static func matcher() throws -> Matcher { Matcher(try RuleFiles(text: rules).ruleSet()) }

  private static func event(_ content: String, page: String = "HomeViewController", row: Int = 7) -> String {
    """
    {"event":"$AppClick","properties":{"$screen_name":"\(page)","$element_content":"\(content)",\
    "$element_path":"UIWindow(0)/UITableView(0)/ProductCell(section:0 row:\(row))/UIButton(1)"}}
    """
  }

  private static let messages = [
    event("加入购物车"), event("加入购物车", row: 8), event("加入"), event("加入购物车", page: "DebugViewController"), "{}", "  {} \n",
    event("\\u52a0\\u5165\\u8d2d\\u7269\\u8f66"), "{\n \"event\": \"$AppClick\"\n}",
  ]

  @Test("a message is decided like an event of a stream, in bytes of any kind")
  func messages() throws {
    let matcher = try Self.matcher()
    var decider = Decider(matcher)
    var selected = 0
    for message in Self.messages + Self.messages {
      var expected: Decision?
      var reader = EventReader(bytes: message.utf8.map { $0 == 10 ? 32 : $0 } + [10], projection: matcher.projection)
      if case .event? = try reader.next() {
        var fresh = Decider(matcher)
        expected = fresh.decide(eventOf: reader)
      }
      let found = [
        try decider.decide(json: Array(message.utf8)), try decider.decide(json: Data(message.utf8)),
        try decider.decide(json: message.utf8), try decider.decide(json: AnySequence(message.utf8)),
      ]
      #expect(found.allSatisfy { $0 == expected }, "\(message)")
      let isSelected = try decider.selects(json: message.utf8)
      #expect(isSelected == expected?.isSelected)
      if expected?.isSelected == true { selected += 1 }
    }
    #expect(selected == 6)
  }

  @Test(
    "a message that is not an event is rejected with its place, and the next one decided",
    arguments: [
      ("", "1:1"), ("[]", "1:1"), ("{\"event\":}", "1:10"), ("{} {}", "1:4"), ("{\n\"a\" 1}", "2:5"), ("nul", "1:4"),
    ])
  func rejections(message: String, location: String) throws {
    var decider = Decider(try Self.matcher())
    var found: String?
    do throws(Rejection) {
      _ = try decider.decide(json: message.utf8)
    } catch {
      found = error.location.description
    }
    #expect(found == location)
    let next = try decider.decide(json: Self.event("加入购物车").utf8)
    #expect(next.emit == ["add_to_cart"])
  }

  @Test("a stream of bytes gives the same records wherever it is cut", arguments: [1, 2, 7, 64, 100_000])
  func stream(chunkSize: Int) async throws {
    let matcher = try Self.matcher()
    let input = Array((Self.messages.map { $0.replacing("\n", with: " ") } + ["no event"]).joined(separator: "\n").utf8)
    let chunks = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: input.count, by: chunkSize) {
        continuation.yield(Array(input[start..<min(start + chunkSize, input.count)]))
      }
      continuation.finish()
    }
    var found: [DecisionSequence<AsyncStream<[UInt8]>>.Element] = []
    for try await record in chunks.decisions(by: matcher) { found.append(record) }
    var expected: [DecisionSequence<AsyncStream<[UInt8]>>.Element] = []
    var reader = EventReader(bytes: input, projection: matcher.projection)
    var decider = Decider(matcher)
    while let record = try reader.next() {
      switch record {
      case .event(let line): expected.append(.decision(decider.decide(eventOf: reader), line: line))
      case .rejection(let rejection): expected.append(.rejection(rejection))
      }
    }
    #expect(found == expected)
    #expect(found.count == Self.messages.count + 1)
  }

  @Test("an error of the stream ends the decisions with it")
  func failingStream() async throws {
    struct Broken: Error {}
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("{}\n{".utf8))
      continuation.finish(throwing: Broken())
    }
    var count = 0
    await #expect(throws: Broken.self) {
      for try await _ in chunks.decisions(by: try Self.matcher()) { count += 1 }
    }
    #expect(count == 1)
  }

  @Test("a decision is encoded with the members that the tool writes")
  func encoding() throws {
    var decider = Decider(try Self.matcher())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func encoded(_ message: String) throws -> String {
      String(decoding: try encoder.encode(try decider.decide(json: message.utf8)), as: UTF8.self)
    }
    let identity =
      "path(UIWindow(0)_UITableView(0)_ProductCell(section:0 row:7)_UIButton(1))&controller(HomeViewController)"
    #expect(
      try encoded(Self.event("加入购物车")) == """
        {"emit":["add_to_cart"],"event_id":"\(EventID(identity: identity))",\
        "excluded_by":[],"rules":["cart.add"],"selected":true}
        """)
    #expect(try encoded("{}") == #"{"emit":[],"excluded_by":[],"rules":[],"selected":false}"#)
    #expect(
      try encoded(Self.event("加入购物车", page: "DebugViewController")).contains(
        #""excluded_by":["debug"],"rules":["cart.add"],"selected":false"#))
  }

  @Test("a decider switches to the newest matcher on request, and once")
  func live() throws {
    let live = LiveMatcher(try Self.matcher())
    var decider = Decider(live)
    let message = Self.event("加入购物车")
    // `#expect` can only look at values that can be copied.
    var results: [Bool] = []
    results.append(decider.update(from: live))
    results.append(try decider.decide(json: message.utf8).isSelected)
    #expect(results == [false, true])
    live.update(with: [], removing: ["cart.add"])
    results = [try decider.decide(json: message.utf8).isSelected]
    results.append(decider.update(from: live))
    results.append(decider.update(from: live))
    results.append(try decider.decide(json: message.utf8).isSelected)
    #expect(results == [true, true, false, false])
  }
}
