import EncircleAuthoring
import EncircleText
import Testing

/// Edits of findings, applied to the text of a file.
@Suite struct EditedTextTests {
  private static func edit(_ line: Int, _ column: Int, _ written: String, _ replacement: String) -> Finding.Edit {
    Finding.Edit(
      location: SourceLocation(line: line, column: column), written: written, replacement: replacement)
  }

  @Test("edits change only their places, in any order, with any line ends and with a byte order mark")
  func places() {
    let text = "\u{FEFF}a: one # 一\r\nb: { c: 二, d: three }\r\n"
    let edited = EditedText(
      text, edits: [Self.edit(2, 15, "three", "3"), Self.edit(2, 9, "二", "two"), Self.edit(1, 4, "one", "1")])
    #expect(edited.text.hasSameBytes(as: "\u{FEFF}a: 1 # 一\r\nb: { c: two, d: 3 }\r\n"))
    #expect(edited.outcomes == [.applied, .applied, .applied])
    #expect(edited.changes.map(\.replacement) == ["1", "two", "3"])
  }

  @Test("the first of overlapping edits is applied, and equal edits count once")
  func overlaps() {
    let edits = [
      Self.edit(1, 1, "abc", "x"), Self.edit(1, 1, "abc", "y"), Self.edit(1, 1, "abc", "x"), Self.edit(1, 3, "cd", "z"),
      Self.edit(1, 4, "d", "w"),
    ]
    let edited = EditedText("abcd", edits: edits)
    #expect(edited.text == "xw")
    #expect(edited.outcomes == [.applied, .overlapping, .applied, .overlapping, .applied])
  }

  @Test(
    "an edit whose place has another text, or is beyond the text, changes nothing",
    arguments: [(1, 1, "xbc"), (1, 9, "a"), (9, 1, "a"), (0, 0, "a"), (1, .max, ""), (.min, 1, "abcd"), (1, 2, "bcde")]
      as [(Int, Int, String)])
  func outdated(line: Int, column: Int, written: String) {
    let edited = EditedText("abcd\n", edits: [Self.edit(line, column, written, "-")])
    #expect(edited.outcomes == [.outdated])
    #expect(edited.text == "abcd\n")
  }

  @Test("texts are compared by bytes, so another spelling of a letter is another text")
  func bytes() {
    #expect(EditedText("e\u{301}", edits: [Self.edit(1, 1, "é", "e")]).outcomes == [.outdated])
  }
}
