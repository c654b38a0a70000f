import EncircleTestSupport
import EncircleText
import Testing

/// The lines in which texts differ.
@Suite struct LineDifferenceTests {
  /// Returns the new text, made of the old one and the changes; nil if these are out of order or touch each other.
  private static func applied(_ difference: LineDifference) -> [UInt8]? {
    var result: [UInt8] = []
    var old = 0
    var new = 0
    for change in difference.changes {
      guard change.old.lowerBound >= old, change.old.lowerBound - old == change.new.lowerBound - new else { return nil }
      if old > 0 || new > 0, change.old.lowerBound == old { return nil }
      result += difference.oldLines[old..<change.old.lowerBound].joined()
      result += difference.newLines[change.new].joined()
      old = change.old.upperBound
      new = change.new.upperBound
    }
    return result + difference.oldLines[old...].joined()
  }

  @Test("the difference turns any text into any other", arguments: 0..<200)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func text() -> [UInt8] {
      let lines = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        String("abc".randomElement(using: &generator) ?? "a")
      }
      return Array((lines.joined(separator: "\n") + (Bool.random(using: &generator) ? "\n" : "")).utf8)
    }
    let (old, new) = (text(), text())
    #expect(Self.applied(LineDifference(from: old, to: new)) == new, "seed \(seed)")
  }

  @Test("one changed line among many is one change, and so is an insertion or a deletion")
  func small() {
    let lines = (0..<1_000).map { "line \($0)\n" }
    func changes(_ edit: (inout [String]) -> Void) -> [LineDifference.Change] {
      var new = lines
      edit(&new)
      return LineDifference(from: Array(lines.joined().utf8), to: Array(new.joined().utf8)).changes
    }
    #expect(changes { _ in }.isEmpty)
    #expect(changes { $0[500] = "x\n" } == [.init(old: 500..<501, new: 500..<501)])
    #expect(changes { $0.insert("x\n", at: 3) } == [.init(old: 3..<3, new: 3..<4)])
    #expect(changes { $0.removeLast() } == [.init(old: 999..<1_000, new: 999..<999)])
    #expect(
      changes {
        $0[10] = "x\n"
        $0.remove(at: 900)
      } == [.init(old: 10..<11, new: 10..<11), .init(old: 900..<901, new: 900..<900)])
  }

  @Test("long texts with nothing in common, or in another order, are turned into each other")
  func bounded() {
    let lines = 0..<TestSize.scaled(20_000)
    let old = Array(lines.map { "a\($0)\n" }.joined().utf8)
    let new = Array(lines.map { "b\($0)\n" }.joined().utf8)
    let reversed = Array(lines.reversed().map { "a\($0)\n" }.joined().utf8)
    #expect(Self.applied(LineDifference(from: old, to: new)) == new)
    #expect(Self.applied(LineDifference(from: old, to: reversed)) == reversed)
    #expect(Self.applied(LineDifference(from: [], to: new)) == new)
  }
}
