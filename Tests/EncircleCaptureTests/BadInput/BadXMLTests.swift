import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@Suite struct BadXMLTests {
  private static let frame = CaptureError.Kind.badAttribute(
    name: "frame", expected: "four finite numbers, x y width height")
  private static let indexPath = CaptureError.Kind.badAttribute(
    name: "indexPath", expected: "two whole numbers, section and row or item")
  private static let bounds = CaptureError.Kind.badAttribute(
    name: "bounds", expected: "[left,top][right,bottom] in whole pixels")

  @Test(
    "data that is not a capture is refused, with a place if possible",
    arguments: [
      ("", .empty), (" \n\t\r\n ", .empty), ("\u{FEFF}", .empty), ("\u{FEFF}  ", .empty),
      ("^{\"a\":1}", .unknownFormat("JSON")), ("^[1]", .unknownFormat("JSON")),
      ("^hello", .unknownFormat("other text")), ("^\u{1}\u{0}\u{2}", .unknownFormat("binary data")),
      ("^<svg><g/></svg>", .unknownFormat("XML with root element 'svg'")),
      ("<?xml version=\"1.0\"?>\n\n  ^<S3CR3T/>", .unknownFormat("XML with another root element")),
      ("\n\n  ^<plist/>", .unknownFormat("XML with root element 'plist'")),
      ("<viewTree version=\"^2\"/>", .unknownVersion), ("<viewTree version=\"^\"/>", .unknownVersion),
      ("<viewTree version=\"1\"/>", .noElements), ("<hierarchy rotation=\"0\"/>", .noElements),
      ("<AppiumAUT/>", .noElements),
      (
        "<viewTree>\n <view class=\"A\">\n  ^<vieww class=\"B\"/></view></viewTree>",
        .unknownElement(expected: "'view'")
      ),
      ("<viewTree>^<viewTree/></viewTree>", .unknownElement(expected: "'view'")),
      ("<viewTree xmlns:a=\"u\">^<a:view class=\"B\"/></viewTree>", .unknownElement(expected: "'view'")),
      (
        "<viewTree><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"/etc/passwd\"/></viewTree>".marking(
          "<xi"), .unknownElement(expected: "'view'")
      ),
      (
        "<XCUIElementTypeOther>^<view class=\"B\"/></XCUIElementTypeOther>",
        .unknownElement(expected: "a type such as 'XCUIElementTypeButton'")
      ),
      ("<hierarchy><node class=\"a.B\"/>^<a.B/></hierarchy>", .unknownElement(expected: "'node'")),
      ("<viewTree>\n^<view frame=\"0 0 1 1\"/></viewTree>", .missingClass(element: "view")),
      ("<viewTree>\n^<view class=\"\"/></viewTree>", .missingClass(element: "view")),
      ("<hierarchy>^<node text=\"a\"/></hierarchy>", .missingClass(element: "node")),
      ("<viewTree>\n<view class=\"A\">^text</view></viewTree>", .unexpectedText),
      ("<viewTree>\n<view class=\"A\"/>\n\n  ^text\n</viewTree>", .unexpectedText),
      ("<viewTree>\n<view class=\"A\"/>\n^<![CDATA[text]]></viewTree>", .unexpectedText),
      ("<viewTree>\n^<view class=\"A\" frame=\"&#48; 0 1\"/></viewTree>", frame),
      ("<viewTree>\n^<view class=\"A\" frame=\"0 0 0 ١\"/></viewTree>", frame),
      ("<viewTree>\n^<view class=\"A\" frame=\"0\u{A0}0 0 0\"/></viewTree>", frame),
    ] as [(String, CaptureError.Kind)])
  func noCapture(marked: String, kind: CaptureError.Kind) {
    let (text, location) = unmarked(marked)
    #expect(readingError(text) == CaptureError(kind, at: location))
  }

  @Test(
    "a malformed frame is refused at its value",
    arguments: [
      "", " ", "0", "0 0 1", "0 0 1 1 1", "a b c d", "nan 0 0 0", "0 NaN 0 0", "0 inf 0 0", "0 0 -inf 0", "0 0 0 1e999",
      "0x10 0 0 0", "0,0,1,1", "1e 0 0 0", "+-1 0 0 0", ". 0 0 0", "- 0 0 0", "1_0 0 0 0",
      "0 0 0 \(String(repeating: "9", count: 600))", "(0 0; 1 1)",
    ])
  func frames(value: String) {
    let (text, location) = unmarked("<viewTree>\n <view class=\"A\" title=\"确定\" frame=\"^\(value)\"/></viewTree>")
    #expect(readingError(text) == CaptureError(Self.frame, at: location))
  }

  @Test(
    "a malformed index path is refused at its value",
    arguments: [
      "", "1", "1 2 3", "-1 0", "0 -1", "a b", "1.0 2", "99999999999999999999 0", "0x1 2", "+1 2", "1,2", "NaN NaN",
      "1e3 0", "- -", "9223372036854775808 0",
    ])
  func indexPaths(value: String) {
    let (text, location) = unmarked("<viewTree>\n <view class=\"A\" indexPath=\"^\(value)\"/></viewTree>")
    #expect(readingError(text) == CaptureError(Self.indexPath, at: location))
  }

  @Test(
    "malformed bounds are refused at their value",
    arguments: [
      "", "[0,0]", "[0,0][1,1", "[0,0][1,1]x", "x[0,0][1,1]", "[0.5,0][1,1]", "[a,b][c,d]", "[0,0] [1,1]", "[,][,]",
      "[99999999999999999999,0][1,1]", "[nan,0][1,1]", "0,0,1,1", "[0,0][1,1][2,2]",
    ])
  func bounds(value: String) {
    let (text, location) = unmarked("<hierarchy>\n <node class=\"a.B\" bounds=\"^\(value)\"/></hierarchy>")
    #expect(readingError(text) == CaptureError(Self.bounds, at: location))
  }

  @Test(
    "a malformed coordinate is refused at its value", arguments: ["x", "y", "width", "height"],
    ["", "nan", "inf", "-Infinity", "1e400", "1 2", "0x1", "one"])
  func coordinates(name: String, value: String) {
    let (text, location) = unmarked("<AppiumAUT>\n <XCUIElementTypeOther \(name)=\"^\(value)\"/></AppiumAUT>")
    #expect(readingError(text) == CaptureError(.badAttribute(name: name, expected: "a finite number"), at: location))
  }

  // The words and the columns are libxml2's, which differ between its versions; the line does not.
  @Test(
    "malformed XML is refused in its line",
    arguments: [
      ("<viewTree>\n<view class=\"A\" title=\"a\" title=\"b\"/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\" title=\"\u{1}\"/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\" title=\"&#1;\"/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\" title=\"\u{FFFE}\"/></viewTree>", 2),
      ("<viewTree>\n\n<view class=\"A\" title=\"a<b\"/></viewTree>", 3),
      ("<viewTree>\n<view class=\"A\" title=\"&nbsp;\"/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\" title=a/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\" title/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\"title=\"b\"/></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\"/>\n</viewtree>", 3),
      ("<viewTree>\n<view class=\"A\"></viewTree>", 2),
      ("<viewTree>\n<view class=\"A\"/>\n</viewTree>\n<viewTree/>", 4),
      ("<viewTree>\n<view class=\"A\"/>\n</viewTree>\ntrailing <", 4),
      ("<viewTree>\n<view class=\"A\"/>\n<!-- a -- b --></viewTree>", 3),
      ("<viewTree>\n<?xml version=\"1.0\"?></viewTree>", 2),
      ("\n<viewTree>\n<view class=\"A\" title=\"a\" title=\"b\"/></viewTree>", 3),
      ("<>", 1), ("< viewTree/>", 1), ("<viewTree", 1), ("<?xml", 1), ("<!--", 1), ("<![CDATA[x]]>", 1),
    ])
  func malformed(text: String, line: Int) throws {
    let error = try #require(readingError(Array(text.utf8)))
    #expect(error.kind.name == "malformedXML")
    #expect(error.location?.line == line)
    #expect(error.location.map { $0.column >= 1 } == true)
  }

  @Test("a NUL inside XML is refused in its line")
  func nul() throws {
    for text in ["<viewTree>\n<view class=\"A\0B\"/></viewTree>", "<viewTree>\n\0<view class=\"A\"/></viewTree>"] {
      let error = try #require(readingError(Array(text.utf8)))
      #expect(["malformedXML", "unexpectedText", "truncated"].contains(error.kind.name))
      #expect(error.location?.line == 2)
    }
  }

  @Test("invalid UTF-8, such as GB18030 declared as UTF-8, is refused in its line")
  func gb18030() throws {
    let head = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<viewTree>\n<view class=\"A\" title=\"".utf8)
    let error = try #require(readingError(head + [0xC8, 0xB7, 0xB6, 0xA8] + Array("\"/></viewTree>".utf8)))
    #expect(["malformedXML", "badEncoding"].contains(error.kind.name))
    #expect(error.location?.line == 3)
  }

  @Test(
    "a document type declaration is refused at its place, whatever it declares",
    arguments: [
      "^<!DOCTYPE viewTree>\n<viewTree><view class=\"A\"/></viewTree>",
      "<?xml version=\"1.0\"?>\n^<!DOCTYPE viewTree SYSTEM \"http://127.0.0.1:9/x.dtd\">\n<viewTree><view class=\"A\"/></viewTree>",
      "<?xml version=\"1.0\"?>\n ^<!DOCTYPE viewTree [\n<!ENTITY a \"b\">]>\n<viewTree><view class=\"&a;\"/></viewTree>",
      """
      ^<!DOCTYPE v [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
      <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;">
      <!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;"><!ENTITY i "&h;&h;&h;&h;&h;&h;&h;&h;">]>
      <viewTree><view class="A" title="&i;">&i;</view></viewTree>
      """,
    ])
  func documentType(marked: String) {
    let (text, location) = unmarked(marked)
    #expect(readingError(text) == CaptureError(.documentType, at: location))
  }

  @Test("an external entity is not opened, and its file's content shows nowhere")
  func externalEntity() throws {
    let secret = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString).txt")
    try Data("do-not-leak".utf8).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    for text in [
      "<!DOCTYPE viewTree [<!ENTITY x SYSTEM \"\(secret.absoluteString)\">]><viewTree><view class=\"A\" title=\"&x;\">&x;</view></viewTree>",
      "<!DOCTYPE viewTree [<!ENTITY % x SYSTEM \"\(secret.absoluteString)\">%x;]><viewTree><view class=\"A\"/></viewTree>",
      "<!DOCTYPE viewTree SYSTEM \"\(secret.absoluteString)\"><viewTree><view class=\"A\"/></viewTree>",
    ] {
      let error = try #require(readingError(Array(text.utf8)))
      #expect(error.kind == .documentType)
      #expect(!error.description.contains("do-not-leak"))
    }
  }

  @Test(
    "messages quote only names that belong to the formats",
    arguments: [
      "<viewTree><view class='UITextField' text=\"a\"><S3CR3T/>\"/></viewTree>",
      "<viewTree><view class='UITextField' text=\"a\"></S3CR3T>\"/></viewTree>",
      "<viewTree><view class='UITextField' text=\"a\"><?S3CR3T\"/></viewTree>",
      "<viewTree><view class='UITextField' text=\"a\"><S3CR3T:b/>\"/></viewTree>",
      "<viewTree><view class='UITextField' text=\"a\"><view S3CR3T:b=''/>\"/></viewTree>",
      "<viewTree><view class='UITextField' text=\"a\"><![S3CR3T",
      "<viewTree version='S3CR3T'><view class='A'/></viewTree>",
      "<?xml version='1.0' encoding='S3CR3T'?><viewTree><view class='A'/></viewTree>",
      "<?xml version='1.0' encoding='utf-16S3CR3T'?><viewTree><view class='A'/></viewTree>",
      "<?xml version='S3CR3T'?><viewTree><view class='A'/></viewTree>",
      "<?xml version='1.0' S3CR3T='a'?><viewTree><view class='A'/></viewTree>",
      "<S3CR3T/>", "<S3CR3T", "</S3CR3T>", "<?S3CR3T", "<?xml version='1.0'?><S3CR3T/>", "<hierarchy><S3CR3T/>",
      "<hierarchy><node class='A'><S3CR3T/></node></hierarchy>", "<UIAWindow><S3CR3T/></UIAWindow>",
      "<UIAWindow></S3CR3T></UIAWindow>", "<hierarchy><a.B><S3CR3T></a.B></hierarchy>",
      "<hierarchy><a.B class=''><x:S3CR3T class=''/></a.B></hierarchy>",
      "S3CR3T <hierarchy><S3CR3T", "S3CR3T", "{\"S3CR3T\":1}", "<A: 0x1>\nS3CR3T <", "<A: 0x1> S3CR3T",
      "<A: 0x1; S3CR3T = 'S3CR3T", "<A: 0x1; frame = (S3CR3T)>", "<A: 0x1; text = 'a'> S3CR3T'>",
    ])
  func vocabulary(text: String) throws {
    for format in [nil] + CaptureFormat.allCases.map({ $0 }) {
      guard let error = readingError(Array(text.utf8), format: format) else { continue }
      #expect(!"\(error)".contains("S3CR3T"))
      #expect(!String(describing: error.kind).contains("S3CR3T"))
    }
  }

  @Test("an element without an end tag is named if it belongs to the formats")
  func names() {
    #expect(
      readingError(Array("<viewTree>\n<view class='A'>\n</viewTree>".utf8))?.message
        == "not well-formed XML: the end tag does not match the open element 'view'")
    #expect(
      readingError(Array("<hierarchy>\n<a.B>\n</hierarchy>".utf8))?.message
        == "not well-formed XML: the end tag does not match the open element")
  }

  @Test("messages never repeat attribute values")
  func noValues() throws {
    for text in [
      "<viewTree><view class=\"A\" text=\"do-not-leak\" frame=\"do-not-leak\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"do-not-leak\" indexPath=\"do-not-leak\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"&do-not-leak;\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"my \" do-not-leak\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"my \" do-not-leak=\"\" do-not-leak=\"\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"a<do-not-leak\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"do-not-leak\u{1}\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"\"do-not-leak\"/></viewTree>",
      "<viewTree><view class=\"A\">do-not-leak</view></viewTree>",
      "<viewTree><view class=\"A\" text=\"a > <b>do-not-leak</b>\"/></viewTree>",
      "<viewTree><view class=\"A\" text=\"a\" do-not-leak:x=\"1\"/></viewTree>",
      "<hierarchy><node class=\"a.B\" text=\"do-not-leak\" bounds=\"do-not-leak\"/></hierarchy>",
      "<UIATextField value=\"do-not-leak\" x=\"do-not-leak\"/>",
      "<UITextField: 0x1; text = 'do-not-leak'; frame = (do-not-leak)>",
      "<UITextField: 0x1; text = 'do-not-leak",
      "<UITextField: 0x1>\ndo-not-leak\n",
    ] {
      guard let error = readingError(Array(text.utf8)) else { continue }
      #expect(!error.description.contains("do-not-leak"), "\(text)")
    }
  }
}

extension String {
  /// The text with the mark `^` before the first occurrence of `part`.
  fileprivate func marking(_ part: String) -> String {
    range(of: part).map { replacingCharacters(in: $0, with: "^" + part) } ?? self
  }
}
