import Foundation
import Testing

@testable import EncircleProbe

@Suite struct XMLTextTests {
  @Test(
    "any text is read back as it was, but for what XML cannot hold",
    arguments: [
      ("", ""), ("a<b>&\"'c", "a<b>&\"'c"), ("]]>", "]]>"), ("<!--\u{2028}-->", "<!--\u{2028}-->"),
      ("line\nline\r\n\tend ", "line\nline\r\n\tend "),
      ("a\u{0}\u{1}\u{1F}\u{FFFE}\u{FFFF}b", "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b"),
      ("e\u{301} é 👨‍👩‍👧 \u{7F}\u{85}\u{10FFFF}", "e\u{301} é 👨‍👩‍👧 \u{7F}\u{85}\u{10FFFF}"), ("&amp;&#10;", "&amp;&#10;"),
    ])
  func escaping(text: String, read: String) throws {
    var xml = XMLText()
    xml.beginTag("viewTree", depth: 0)
    xml.attribute("app", text)
    xml.endTag(isEmpty: true)
    let value = try #require(XMLNode.parse(Data(xml.text.utf8)).attributes["app"])
    #expect(Array(value.utf8) == Array(read.utf8))
  }

  @Test("half a surrogate pair, which NSString can hold, becomes a character that XML can")
  func surrogates() throws {
    var units: [UInt16] = [0x41, 0xD83D, 0x42]
    let text = NSString(characters: &units, length: 3) as String
    var xml = XMLText()
    xml.beginTag("viewTree", depth: 0)
    xml.attribute("app", text)
    xml.endTag(isEmpty: true)
    #expect(try XMLNode.parse(Data(xml.text.utf8)).attributes["app"]?.unicodeScalars.first == "A")
  }

  @Test("numbers have no fraction where they need none, and those that are not finite are no numbers")
  func numbers() {
    let doubles: [Double] = [0, -0.0, 390, -7.25, 119.667, 1e300, .nan, .infinity]
    #expect(doubles.map { XMLText.number($0) } == ["0", "0", "390", "-7.25", "119.667", "1e+300", nil, nil])
    #expect([Float(0.1), 1, .nan].map { XMLText.number($0) } == ["0.1", "1", nil])
  }

  @Test("long texts are cut between characters")
  func lengths() {
    #expect(XMLText.shortened(nil) == nil)
    #expect(XMLText.shortened("短") == "短")
    let long = XMLText.shortened(String(repeating: "文", count: 10_000)) ?? ""
    #expect(long.utf8.count == 16_383)
    #expect(long.hasSuffix("文"))
  }
}
