import EncircleRules
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

@Suite struct VersionStatesTests {
  @Test("texts are recognised and ordered as versions like in rules", arguments: TestSize.scaled(0..<20))
  func agreement(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func number() -> String { random.pick(["0", "1", "2", "5", "10", "010", "00", "19", "9", ""]) }
    func tag() -> String { random.pick(["a", "b", "ab", "0", "1", "01", "10", "1a", "a1", "-", "é", "", "rc"]) }
    func version() -> String {
      var text = (0..<Int.random(in: 1...4, using: &random)).map { _ in number() }.joined(separator: ".")
      if random.oneIn(2) {
        text += "-" + (0..<Int.random(in: 1...3, using: &random)).map { _ in tag() }.joined(separator: ".")
      }
      return random.oneIn(5) ? text + "+x.-" : text
    }
    var orders: Set<Int8?> = []
    for _ in 0..<300 {
      let bound = version()
      guard let wanted = VersionNumber(bound) else { continue }
      let states = VersionStates(bound)
      for text in [version(), version(), version(), bound + ".0", bound + ".1", bound + "-a", bound + "+"] {
        let progress = text.unicodeScalars.reduce(VersionStates.Progress()) { states.after($1.value, $0) }
        let expected: Int8? = VersionNumber(text).map { $0 < wanted ? -1 : wanted < $0 ? 1 : 0 }
        orders.insert(expected)
        #expect(states.order(progress) == expected, "\(text) and \(bound)")
      }
    }
    #expect(orders.count == 4)
  }
}
