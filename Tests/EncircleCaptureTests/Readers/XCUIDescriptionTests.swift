import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct XCUIDescriptionTests {
  @Test(
    "one element a line, frames on the screen made relative, in old and new versions",
    arguments: [
      (
        """
        Attributes: Application, 0x7fb5, pid: 41491, label: 'Shop'
        Element subtree:
         →Application, 0x7fb5, pid: 41491, label: 'Shop'
            Window (Main), 0x7fb6, {{10.0, 20.0}, {393.0, 852.0}}
              Button, 0x7fb7, {{15.5, 30.0}, {55.0, 40.0}}, identifier: 'menu', label: 'What's, new', Selected
                Image, 0x7fb8, {{inf, inf}, {0.0, 0.0}}
              TextField, 0x7fb9, {{10.0, 20.0}, {1.0, 1.0}}, placeholderValue: 'Name', value: typed, in, Disabled
        Path to element:
         →Application, 0x7fb5, pid: 41491, label: 'Shop'
        Query chain:
         →Find: Target Application 'a.b'
          Output: {
            Application, 0x7fb5, pid: 41491, label: 'Shop'
          }
        """,
        """
        XCUIElementTypeApplication label='Shop'
          XCUIElementTypeWindow (10 20 393 852)
            XCUIElementTypeButton (5.5 10 55 40) identifier='menu' label='What's, new' selected='true'
              XCUIElementTypeImage
            XCUIElementTypeTextField (0 0 1 1) placeholder='Name' value='typed, in' enabled='false'
        """
      ),
      (
        """
         →Application 0x604000163fc0: {{0.0, 0.0}, {375.0, 667.0}}, label: 'A'
            Window 0x604000164140: Main Window, traits: 8589934592, {{0.0, 0.0}, {375.0, 667.0}}
              Other 0x604000164200: traits: 8589934592, {{0.0, 20.0}, {375.0, 1.0}}
        """,
        """
        XCUIElementTypeApplication (0 0 375 667) label='A'
          XCUIElementTypeWindow (0 0 375 667)
            XCUIElementTypeOther (0 20 375 1)
        """
      ),
      (
        "Button, 0x1, label: 'a\nb', value: 'c'\nButton, 0x2, value: d\ne",
        "XCUIElementTypeButton label='a\nb' value='c'\nXCUIElementTypeButton value='d'"
      ),
      // Chats and web pages have no-break spaces in place of spaces.
      (
        " →Application, 0x1, label: 'A'\n\u{A0} \u{A0} Window, 0x2, label: 'B'\n\u{A0} \u{A0} \u{A0} Tab, 0x3, label: 'C'",
        "XCUIElementTypeApplication label='A'\n  XCUIElementTypeWindow label='B'\n    XCUIElementTypeTab label='C'"
      ),
    ])
  func elements(capture: String, expected: String) {
    #expect(dump(capture) == expected)
  }

  @Test("values whose quotes do not end are read up to the next field, and do not change those of the next line")
  func unendedQuotes() {
    let unended = String(repeating: ", value: 'x", count: 250) + String(repeating: "a", count: 200_000)
    let expected = "XCUIElementTypeButton value=''x'\nXCUIElementTypeButton value='c'"
    #expect(dump("Button, 0x1\(unended)\nButton, 0x2, value: 'c', value: 'd") == expected)
  }

  @Test("an alert's label is its title, the second text in it its message")
  func alerts() {
    let text = """
      Alert, 0x1, {{0, 0}, {9, 9}}, label: '退群'
        StaticText, 0x2, label: '退群'
        TextField, 0x3, label: 'typed'
          StaticText, 0x4, label: 'typed'
        StaticText, 0x5, label: '确认?'
      """
    #expect(dump(text).hasPrefix("XCUIElementTypeAlert (0 0 9 9) label='退群' +title='退群' +message='确认?'\n"))
  }

  @Test(
    "lost or broken parts are errors at their places, without texts",
    arguments: [
      ("Button, 0x1\n  Image, 0x2\n^     Image, 0x3", CaptureError.Kind.missingLevel),
      ("Button, 0x1\n  Image, 0x2\n^noise S3CR3T\n    Image, 0x3", .notOneElement),
      ("Button, 0x1\n\t\t^Image, 0x2", .notOneElement),
      // Chats remove spaces in front of lines.
      ("→Application, 0x1, label: 'S'\n^Window (Main), 0x2\nOther, 0x3, label: 'S3CR3T'", .lostIndentation),
      ("Button, 0x1, label: ^'S3CR3T\nButton, 0x2", .truncated("expected `'` after a text")),
      ("Button, 0x1, label: 'a'    ^TextField, 0x2, label: 'S3CR3T'", .notOneElement),
      ("Button, 0x1, value: a    ^TextField, 0x2, value: S3CR3T", .notOneElement),
      (
        "Button, 0x1, ^{{S3CR3T}}",
        .badAttribute(name: "frame", expected: "{{x, y}, {width, height}}")
      ),
      ("Button, 0x1, ^{{0, 0}, {1, 1", .badAttribute(name: "frame", expected: "{{x, y}, {width, height}}")),
    ])
  func broken(marked: String, kind: CaptureError.Kind) {
    let (text, location) = unmarked(marked)
    let error = readingError(text)
    #expect(error == CaptureError(kind, at: location))
    #expect(!(error?.description.contains("S3CR3T") ?? false))
    // The message is about elements, not about the views of UIKit's description.
    #expect(!(error?.message.contains("<Class") ?? false))
  }

  @Test("a thousand levels are read, and one more is an error")
  func depth() {
    func capture(_ depth: Int) -> String {
      (0..<depth).map { String(repeating: " ", count: 2 * $0) + "Other, 0x1" }.joined(separator: "\n")
    }
    #expect(!dump(capture(1_000)).hasPrefix("error"))
    #expect(readingError(Array(capture(1_001).utf8))?.kind == .tooDeep(limit: 1_000))
  }
}
