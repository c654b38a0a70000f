import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

/// Saving compiled rules and loading them again; that they decide alike, ``AgreementTests`` says.
@Suite struct CompiledRulesTests {
  @Test("loaded rules are saved again to the same bytes")
  func again() throws {
    let world = try RandomRules(seed: 5)
    let bytes = try Matcher(world.ruleSet, dictionary: world.dictionary).compiled()
    let loaded = try Matcher(compiled: bytes, dictionary: world.dictionary)
    #expect(try loaded.compiled() == bytes)
    #expect(loaded.ruleCount == world.ruleSet.rules.count { $0.isEnabled })
  }

  @Test("paths are read by the classes that rules name as written, not by classes that sameKind derives")
  func readings() throws {
    let rules = """
      version: 1
      rules:
        - { id: a, include: { identity: "path(UIWindow(0)_Q(section:0 row:1))" }, sameKind: true }
        - { id: b, include: { selector: "Q_B/**/B" } }
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let loaded = try Matcher(compiled: matcher.compiled())
    // Q_B and B are known; Q, which would leave the path open, only of the identity.
    let event = try AnalyticsEvent(json: #"{"properties":{"$element_path":"UIWindow(0)_Q_B(1)"}}"#)
    for decision in matcher.decide([event]) + loaded.decide([event]) { #expect(decision.resolution == .path) }
  }

  @Test("notes about rules are a line of JSON, also for compiled rules, and empty notes are nothing")
  func details() throws {
    func details(_ matcher: Matcher) -> [String] {
      (0..<matcher.ruleCount).map { String(decoding: matcher.detailBytes(ofRule: $0), as: UTF8.self) }
    }
    let rules = """
      version: 1
      rules:
        - { id: a, name: "N\\n\\"", owner: growth, tags: [x, y], include: { event: e } }
        - { id: b, description: d, include: { event: e } }
        - { id: c, tags: z, exclude: { event: e } }
        - { id: d, origin: { tool: pendo, id: 7, url: "https://a" }, include: { event: e } }
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let expected = [
      #"{"name":"N\n\"","owner":"growth","tags":["x","y"]}"#, "", #"{"tags":["z"]}"#,
      #"{"origin":{"tool":"pendo","id":"7","url":"https://a"}}"#,
    ]
    #expect(details(matcher) == expected)
    #expect(details(try Matcher(compiled: matcher.compiled())) == expected)
    let none = Matcher(try RuleFiles(text: "version: 1\nrules: [ { id: a, include: { event: e } } ]").ruleSet())
    #expect(details(none) == [""])
  }

  @Test(
    "rules with the deepest tests that a file may have, and with any number of definitions, can be loaded",
    arguments: [
      "where: { p: TEST }", "event: TEST, use: [x, x]", "page: TEST, use: [x]",
      "within: { selector: A, says: TEST }, selector: B",
      "use: [\(Array(repeating: "x", count: 200).joined(separator: ", "))]",
    ])
  func depth(clause: String) throws {
    func test(_ innermost: String) -> String {
      let levels = Condition.maximumDepth - 1
      return String(repeating: "{ glob: '*', not: ", count: levels) + "{ glob: '*', \(innermost) }"
        + String(repeating: " }", count: levels)
    }
    let deepest = test("prefix: a")
    let rules = """
      version: 1
      define: { values: { v: \(deepest) }, clauses: { x: { event: \(deepest), page: \(deepest) } } }
      rules: [ { id: a, include: { \(clause.replacing("TEST", with: test("use: v"))) } } ]
      """
    let bytes = try Matcher(try RuleFiles(text: rules).ruleSet()).compiled()
    #expect(try Matcher(compiled: bytes).compiled() == bytes)
  }

  @Test("rules that have been updated cannot be saved")
  func updated() throws {
    // Fewer would be compiled anew together with the update.
    let rules = (0..<100).map { "  - { id: r\($0), include: { event: e } }" }
    let ruleSet = try RuleFiles(text: "version: 1\nrules:\n" + rules.joined(separator: "\n")).ruleSet()
    let matcher = Matcher(ruleSet).updated(with: [ruleSet.rules[0]])
    #expect(throws: CompiledRulesError.updated) { try matcher.compiled() }
  }

  @Test("a file is read in pieces, also after bytes already read; truncated or longer files are refused")
  func files() throws {
    let bytes = try Matcher(try RandomRules(seed: 5).ruleSet).compiled()
    func read(_ bytes: [UInt8], beginning: Int = 0, limit: Int = .max) throws -> [UInt8] {
      var source = ByteSource(Array(bytes[min(beginning, bytes.count)...]), pieceSize: 1_000)
      let rules = try CompiledRules(beginning: Array(bytes.prefix(beginning)), &source, limit: limit)
      return try Matcher(compiled: rules).compiled()
    }
    for beginning in [0, 8, 64] { #expect(try read(bytes, beginning: beginning, limit: bytes.count) == bytes) }
    for length in [8, 63, 64, 1_000, bytes.count - 1] {
      #expect(throws: CompiledRulesError.damaged, "\(length)") { try read(Array(bytes.prefix(length))) }
    }
    #expect(throws: CompiledRulesError.notCompiledRules) { try read([]) }
    #expect(throws: CompiledRulesError.damaged) { try read(bytes + [0]) }
    #expect(throws: InputError.tooLarge(limit: bytes.count - 1)) { try read(bytes, limit: bytes.count - 1) }
    // A length that nothing has.
    var long = bytes
    long.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    #expect(throws: InputError.tooLarge(limit: 1 << 30)) { try read(long, limit: 1 << 30) }
  }

  @Test("bytes that are not compiled rules of this version are refused")
  func others() throws {
    let bytes = try Matcher(try RandomRules(seed: 6).ruleSet).compiled()
    #expect(throws: CompiledRulesError.notCompiledRules) { try Matcher(compiled: []) }
    #expect(throws: CompiledRulesError.notCompiledRules) {
      try Matcher(compiled: Array("version: 1\nrules: []\n".utf8))
    }
    #expect(throws: CompiledRulesError.damaged) { try Matcher(compiled: Array("encircle".utf8)) }
    for (place, value) in [(8, UInt8(99)), (12, 0x0A)] {
      var other = bytes
      other[place] = value
      #expect(throws: CompiledRulesError.otherVersion) { try Matcher(compiled: other) }
    }
  }

  @Test("a file that is cut short or changed anywhere is refused")
  func damage() throws {
    let bytes = try Matcher(try RandomRules(seed: 7).ruleSet).compiled()
    for length in stride(from: 8, to: bytes.count, by: TestSize.stride(61)) {
      #expect(throws: CompiledRulesError.self) { try Matcher(compiled: Array(bytes[..<length])) }
    }
    for place in stride(from: CompiledFormat.headerLength, to: bytes.count, by: TestSize.stride(37)) {
      var other = bytes
      other[place] ^= 0x10
      #expect(throws: CompiledRulesError.damaged) { try Matcher(compiled: other) }
    }
    #expect(throws: CompiledRulesError.damaged) { try Matcher(compiled: bytes + [0]) }
  }

  @Test(
    "forged rules with a valid checksum are refused or decide something",
    arguments: TestSize.scaled(0..<8 as Range<UInt64>))
  func malice(seed: UInt64) throws {
    var world = try RandomRules(seed: 40 + seed)
    let bytes = try Matcher(world.ruleSet, dictionary: world.dictionary).compiled()
    let events = (0..<20).map { _ in world.event().event }
    var refused = 0
    for _ in 0..<150 {
      var other = bytes
      for _ in 0..<Int.random(in: 1...3, using: &world.random) {
        let place = Int.random(in: CompiledFormat.headerLength..<bytes.count, using: &world.random)
        other[place] = world.random.oneIn(2) ? .random(in: 0...255, using: &world.random) : other[place] &+ 1
      }
      let sum = other.withUnsafeBytes {
        CompiledFormat.checksum(UnsafeRawBufferPointer(rebasing: $0[CompiledFormat.headerLength...]))
      }
      other.withUnsafeMutableBytes { $0.storeBytes(of: sum, toByteOffset: 24, as: UInt64.self) }
      do throws(CompiledRulesError) {
        _ = try Matcher(compiled: other, dictionary: world.dictionary).decide(events)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 20)
  }
}
