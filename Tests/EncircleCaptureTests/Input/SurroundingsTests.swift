import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Captures with the additions of consoles, debuggers and tools.
@Suite struct SurroundingsTests {
  @Test(
    "XML is read among the output of adb and of shells",
    arguments: [
      "<hierarchy rotation='0'><node class='a.B'/></hierarchy>UI hierchary dumped to: /dev/tty",
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy><node class='a.B'/></hierarchy>UI hierchary dumped to: /dev/tty\r\r\n",
      "UI hierchary dumped to: /sdcard/window_dump.xml\n<?xml version='1.0'?>\n<hierarchy><node class='a.B'/></hierarchy>",
      "* daemon not running; starting now at tcp:5037\n* daemon started successfully\n<hierarchy><node class='a.B'/></hierarchy>\n",
      "WARNING: linker: /system/lib: text relocations\n$ adb shell cat /sdcard/x.xml\n<?xml version='1.0'?><hierarchy><node class='a.B'/></hierarchy>\n$ ",
      "14184\nidx -1\n=== screen 2 ===\n<node class='a.B'/>\n=== end > ===\n",
      "PS C:\\> adb exec-out\n<hierarchy><node class='a.B'/></hierarchy>\nPS C:\\> ",
      "[12:30:01] page source: <hierarchy><node class='a.B'/></hierarchy>",
      "<hierarchy><node class='a.B'/></hierarchy>\n<!-- saved -->\n",
    ])
  func xml(text: String) {
    #expect(dump(text) == "a.B")
    #expect(dump(Array(text.utf8), format: .uiautomator) == "a.B")
  }

  @Test("a dump of all windows is read as several top-level windows")
  func windows() {
    let text = """
      <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
      <displays><display id="0">
      <window index="0" id="1" title="Shop" type="TYPE_APPLICATION" layer="1" active="true" bounds="[0,0][9,9]">
      <hierarchy rotation="0"><node class="a.B" bounds="[1,1][9,9]"><node class="a.C" bounds="[2,3][4,4]"/></node></hierarchy>
      <window index="0" id="2" title="Popup"><hierarchy rotation="0"><node class="a.D" bounds="[5,5][6,6]"/></hierarchy></window>
      </window></display><display id="1"><window index="0"/></display></displays>
      """
    #expect(dump(text) == "a.B (1 1 8 8)\n  a.C (1 2 2 1)\na.D (5 5 1 1)")
  }

  @Test(
    "a recursiveDescription is read as debuggers and logs print it",
    arguments: [
      "(lldb) po [[UIWindow keyWindow] recursiveDescription]\n<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>\n\n(lldb) ",
      "(lldb) po <UIWindow: 0x1>\n<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>",
      "=== Main window ===\n<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>\n=== end ===",
      "2024-05-01 12:00:00.123456+0200 Shop[12:34] <A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>",
      "2024-05-01 12:00:00.123 Shop[12:34] <A: 0x1; tag = 1>\n2024-05-01 12:00:00.124 Shop[12:34]    | <B: 0x2; tag = 2>",
      "May  1 12:00:00 iPhone Shop(UIKitCore)[12] <Notice>: <A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>",
      #"(NSString *) $1 = 0x0000600000c1 @"<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>""#,
      #"@"<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>""#,
      #"Optional("<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>")"#,
      #"$R0: String = "<A: 0x1; tag = 1>\r\n   | <B: 0x2; tag = 2>\n""#,
      #"<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>"#,
      #""<A: 0x1; tag = 1>\n   | <B: 0x2; tag = 2>","#,
    ])
  func views(text: String) {
    #expect(dump(text) == "A tag='1'\n  B tag='2'")
    #expect(dump(Array(text.utf8), format: .recursiveDescription) == "A tag='1'\n  B tag='2'")
  }

  @Test(
    "escapes of a string literal are undone",
    arguments: [
      (#"@"<A: 0x1; text = \'it\'s \"x\"\'; tag = 1>""#, #"A text='it's "x"' tag='1'"#),
      (#"Optional("<A: 0x1; text = \'a\nb\\c\'>\n | <B: 0x2>")"#, "A text='a\nb\\c'\n  B"),
      (#"@"<A: 0x1; text = '\U786e\u5b9a \U0001F600 \u{1F600} \ud83d\ude00'>""#, "A text='确定 😀 😀 😀'"),
      (#"@"<A: 0x1; text = '\q\u{}\uD83D\u12'>""#, #"A text='\q\u{}\uD83D\u12'"#),
      // Not a literal: the text has a backslash.
      (#"<A: 0x1; text = 'a\nb'>"#, #"A text='a\nb'"#),
      ("\"<A: 0x1; text = 'a\\nb'>\n   | <B: 0x2>\"", "A text='a\\nb'\n  B"),
    ])
  func escapes(text: String, expected: String) {
    #expect(dump(text) == expected)
  }

  @Test(
    "XML and XCTest's debugDescription that are printed as string literals are read",
    arguments: [
      (
        #""<?xml version='1.0'?>\n<hierarchy rotation=\"0\">\n<node class=\"a.B\" text=\"x\\ny\u786e\"\/><\/hierarchy>\n""#
          + "\n",
        #"a.B text='x\ny确'"#
      ),
      (#"[12:30:01] result: "<node class=\"a.B\" text=\"x\"/>", 9 ms"#, "a.B text='x'"),
      // As Python's console shows a string, with and without `'` in it.
      (
        #"'<?xml version=\'1.0\'?>\n<hierarchy rotation="0">\n <node class="a.B" text="x"/></hierarchy>'"#,
        "a.B text='x'"
      ),
      (
        #"'<?xml version="1.0"?>\n<hierarchy rotation="0">\n <node class="a.B" text="x"/></hierarchy>\n'"#,
        "a.B text='x'"
      ),
      (
        "(lldb) po app.debugDescription\n"
          + #""Attributes: Application, 0x1, label: \'S\'\nElement subtree:\n →Application, 0x1, label: \'S\'\n"#
          + #"    Tab, 0x2, label: \'say \"x\"\'\nPath to element:\n →Application, 0x1, label: \'S\'\n""#,
        "XCUIElementTypeApplication label='S'\n  XCUIElementTypeTab label='say \"x\"'"
      ),
      // Not a literal: the attribute has a backslash.
      (#"<hierarchy rotation='0'><node class='a.B' text='=\"'/></hierarchy>"#, #"a.B text='=\"'"#),
    ])
  func literals(text: String, expected: String) {
    #expect(dump(text) == expected)
  }

  @Test("errors in XML that is printed as a string literal have their place in the literal")
  func literalError() throws {
    let (text, location) = unmarked(
      #"$ "<viewTree version=\"1\">\n<view class=\"A\" text=\"é\" frame=\"^1\"/></viewTree>""#)
    #expect(try #require(readingError(text)).location == location)
  }

  private static let prefixes = [
    "2026-11-30 10:11:12.123456+0800 MyAppUITests-Runner[123:456] ", "    t =     1.23s ", "11:02:33.123 ",
    "2026-11-30T10:11:12.1234567Z ", "[11:02:33]: ▸ ", "Test\tRun\t2026-11-30T10:11:12.1234567Z ", "à\t",
  ]

  /// Puts a prefix before each line, whose numbers and spaces differ from line to line.
  private static func prefixed(_ lines: [String], with prefix: String) -> String {
    lines.enumerated().map { number, line in
      prefix.replacing("1", with: String(number * 7)).replacing("=  ", with: number == 2 ? "= " : "=  ") + line
    }.joined(separator: "\n")
  }

  @Test("what a log writes before each line of a recursiveDescription is left out", arguments: prefixes)
  func viewPrefixes(prefix: String) {
    let lines = [
      "heading", "<Home 0x7>, state: appeared, view: <A: 0x1>", "", "<A: 0x1; tag = 1>", "   | <B: 0x2; text = 'a",
      "b'>",
      "   |    | <L: 0x3> (layer)", "   |    | <C>", "", "end",
    ]
    #expect(dump(Self.prefixed(lines, with: prefix)) == "A controller='Home' tag='1'\n  B text='a\nb'\n    C")
  }

  @Test("what a log writes before each line of a debugDescription is left out", arguments: prefixes)
  func elementPrefixes(prefix: String) {
    let lines = [
      "Attributes: Application, 0x1, pid: 9, label: 'S'", "Element subtree:", " →Application, 0x1, pid: 9, label: 'S'",
      "    Window (Main), 0x2, label: 'a", "b'", "      TextView, 0x3, value: c", "d", "", "      Tab, 0x4",
      "Path to element:", " →Application, 0x1, pid: 9, label: 'S'",
    ]
    let expected = """
      XCUIElementTypeApplication label='S'
        XCUIElementTypeWindow label='a\nb'
          XCUIElementTypeTextView value='c'
          XCUIElementTypeTab
      """
    for separator in ["\n", "\r\n"] {
      let text = Self.prefixed(lines, with: prefix).replacing("\n", with: separator)
      let tree = expected.replacing("a\nb", with: "a\(separator)b")
      #expect(dump(text) == tree)
      #expect(dump(text, format: .xcuiDescription) == tree)
    }
  }

  @Test("what a log writes before each line of XML is left out", arguments: prefixes)
  func xmlPrefixes(prefix: String) {
    let lines = [
      "page source:", "<?xml version='1.0'?>", "<hierarchy rotation='0'>", "  <node class='a.B' text='x'>",
      "    <node class='a.C'/>", "  </node>", "</hierarchy>", "", "end",
    ]
    #expect(dump(Self.prefixed(lines, with: prefix)) == "a.B text='x'\n  a.C")
  }

  @Test(
    "errors behind the prefix of a log have their place in the whole line",
    arguments: [
      "11:02:33 à <A: 0x1; tag = 1>\n11:02:34 à    | <B: 0x2; tag = 2>\n11:02:35 à    |    |    | ^<C: 0x3; tag = 3>",
      "11:02:33 à <viewTree>\n11:02:34 à <view class='A' frame='^1'/>\n11:02:35 à </viewTree>",
    ])
  func prefixedError(marked: String) throws {
    let (text, location) = unmarked(marked)
    #expect(try #require(readingError(text)).location == location)
  }

  @Test("several windows are read, with headings between them")
  func headings() {
    let text = "Window 1\n<A: 0x1>\n   | <B: 0x2>\n\nWindow 2:\n<A: 0x3>\n   | <B: 0x4>\n"
    #expect(dump(text) == "A\n  B\nA\n  B")
  }

  @Test("a text that begins inside a window keeps views separate that are not siblings")
  func fragment() throws {
    let text = "   |    | <A: 0x1>\n   |    | <A: 0x2>\n   | <A: 0x3>\n   |    | <A: 0x4>\n   | <A: 0x5>\n<A: 0x6>"
    let tree = try CaptureReader().read(Array(text.utf8))
    #expect(tree.dump == "A\nA\nA\n  A\nA\nA")
    let groups = tree.elements.map { tree.siblingGroup(of: $0) }
    #expect(groups == [-1, -1, -2, 2, -2, -3])
  }

  @Test(
    "surrogate pairs as character references are the character that they mean",
    arguments: [
      ("&#xD83D;&#xDE00;", "😀"), ("&#55357;&#56832;", "😀"), ("a&#xd83d;&#56832;b", "a😀b"), ("&#x1F600;", "😀"),
      ("&#xDBFF;&#xDFFF;", "\u{10FFFF}"),
    ])
  func surrogates(value: String, expected: String) throws {
    let tree = try CaptureReader().read(
      Array("<viewTree>\n<view class='A' text='\(value)' title='t'/></viewTree>".utf8))
    #expect(tree.value(.text, of: ElementID(0)) == expected)
    #expect(tree.value(.title, of: ElementID(0)) == "t")
  }

  @Test("half a pair is an error", arguments: ["&#xD83D;", "&#xDE00;", "&#xDE00;&#xD83D;", "&#xD83D;x&#xDE00;"])
  func halves(value: String) throws {
    let error = try #require(readingError(Array("<viewTree>\n<view class='A' text='\(value)'/></viewTree>".utf8)))
    #expect(error.kind.name == "malformedXML" && error.location?.line == 2)
  }

  @Test("a surrogate pair does not shift places after it")
  func place() {
    let (text, location) = unmarked("<viewTree>\n<view class='A' text='&#xD83D;&#xDE00;' frame='^1'/></viewTree>")
    #expect(readingError(text)?.location == location)
  }

  @Test("one node without a class does not refuse a capture, and shows no text")
  func emptyClass() throws {
    let text =
      "<hierarchy><node class='' text='S3CR3T' content-desc='d'><node class='a.B' text='b'/></node></hierarchy>"
    #expect(dump(text) == "node label='d'\n  a.B text='b'")
  }

  @Test(
    "an unreadable capture says in which line a tree begins",
    arguments: [
      ("<testsuite>\n<system-out><![CDATA[\n<hierarchy rotation='0'>\n</hierarchy>]]></system-out></testsuite>", 3),
      ("{\"a\":\n1}\n<?xml version='1.0'?>\n<hierarchy/>", 3), ("\n[1]\n\n<UIWindow: 0x1; frame = (0 0; 1 1)>", 4),
      ("a\nb\n<hierarchy>\n<node class='a'>", 3), ("a\nb\n<UIWindow: 0x1; frame = (0)>", 3),
      ("<plist>\n text <UIView; frame = (0 0; 1 1)>", 2),
    ])
  func hint(text: String, line: Int) throws {
    let error = try #require(readingError(Array(text.utf8)))
    #expect(error.treeLine == line)
    #expect(error.message.hasSuffix(" (what looks like a view tree begins in line \(line))"))
  }

  @Test(
    "no line is named if no tree begins",
    arguments: ["<plist><dict/></plist>", "hello", "{}", "<hierarchy>", "<A: 0x1"])
  func noHint(text: String) throws {
    #expect(try #require(readingError(Array(text.utf8))).treeLine == nil)
  }

  @Test(
    "no line is named if the text is a tree itself, of another format than the wanted one",
    arguments: [
      "<UIWindow: 0x1; frame = (0 0; 1 1)>\n   | <UIView: 0x2; frame = (0 0; 1 1)>",
      "<AppiumAUT>\n<XCUIElementTypeApplication/></AppiumAUT>", "<hierarchy>\n<node class='a.B'/></hierarchy>",
    ])
  func otherFormat(text: String) throws {
    let error = try #require(readingError(Array(text.utf8), format: .viewTree))
    #expect(error.kind.name == "wrongFormat" && error.treeLine == nil)
  }
}
