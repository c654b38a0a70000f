import EncircleTestSupport
import EncircleText
import Testing

@Suite struct StringTableTests {
  @Test(
    "a string has one id, another string another",
    arguments: ["", "a", "UIView", "确定", "a b", String(repeating: "x", count: 1000)])
  func ids(text: String) {
    var table = StringTable()
    let other = table.intern("something else")
    let id = table.intern(text)
    let again = table.intern(text)
    #expect(again == id)
    #expect(id != other)
    #expect(table.count == 2)
    #expect(table[id] == text)
    #expect(table.length(of: id) == text.utf8.count)
    #expect(table.find(text) == id)
    #expect(table.find(text + "!") == nil)
  }

  @Test("é composed and decomposed are two strings")
  func canonicalEquivalence() {
    var table = StringTable()
    let composed = table.intern("caf\u{E9}")
    let decomposed = table.intern("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Array(table[decomposed].utf8) == Array("cafe\u{301}".utf8))
    #expect(table.find("cafe\u{301}") == decomposed)
    #expect(table.find("caf\u{E9}") == composed)
  }

  @Test("strings that differ in one byte, at any place and length, are different", arguments: 1...24)
  func oneByte(length: Int) {
    var table = StringTable()
    let base = [UInt8](repeating: 0x61, count: length)
    var ids: Set<StringID> = [base.withUnsafeBufferPointer { table.intern($0) }]
    for place in 0..<length {
      var changed = base
      changed[place] = 0
      ids.insert(changed.withUnsafeBufferPointer { table.intern($0) })
    }
    #expect(ids.count == length + 1)
  }

  @Test("invalid UTF-8 is kept, and repaired only for display")
  func invalidUTF8() {
    var table = StringTable()
    let broken: [UInt8] = [0x61, 0xFF, 0x62]
    let id = broken.withUnsafeBufferPointer { table.intern($0) }
    #expect(table[id] == "a\u{FFFD}b")
    let repaired = table.intern("a\u{FFFD}b")
    #expect(repaired != id)
    #expect(table.withBytes(of: id) { Array($0) } == broken)
    #expect(broken.withUnsafeBufferPointer { table.equals(id, $0) })
  }

  @Test("agrees with a set of byte arrays on random strings", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = StringTable()
    var slow: [[UInt8]: StringID] = [:]
    for _ in 0..<TestSize.scaled(20_000) {
      let length = Int.random(in: 0...6, using: &random)
      let text = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
      let id = text.withUnsafeBufferPointer { table.intern($0) }
      if let known = slow[text] {
        #expect(known == id, "seed \(seed)")
      } else {
        #expect(Int(id.rawValue) == slow.count, "ids are given in order of first interning; seed \(seed)")
        slow[text] = id
      }
    }
    #expect(table.count == slow.count)
    for (text, id) in slow { #expect(table.withBytes(of: id) { Array($0) } == text) }
  }
}
