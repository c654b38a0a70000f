import EncircleText
import Testing

@Suite("Texts compared by their bytes")
struct UTF8StringTests {
  @Test("Byte strings are made from literals and interpolated strings")
  func literals() {
    let number = 7
    let row: UTF8String = "row \(number)"
    #expect(row.text == "row 7")
    #expect(UTF8String("row \(number)") == row)
    #expect(["row \(row)", "b"] as [UTF8String] == ["row row 7", "b"])
    #expect("\(row)" == "row 7")
  }

  @Test("Composed and decomposed letters differ, and bytes are ordered")
  func comparison() {
    #expect(UTF8String("é") != UTF8String("e\u{301}"))
    #expect(Set<UTF8String>(["é", "e\u{301}", "é"]).count == 2)
    #expect(UTF8String("Z") < "a" && UTF8String("z") < "é" && UTF8String("") < "a")
  }
}
