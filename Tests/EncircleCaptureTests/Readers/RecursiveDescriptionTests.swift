import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct RecursiveDescriptionTests {
  @Test(
    "lines become views, nested by their bars",
    arguments: [
      ("<UIWindow: 0x7f8b; frame = (0 0; 375 667)>", "UIWindow (0 0 375 667)"),
      ("<UIWindow: 0x7f8b>", "UIWindow"),
      (
        """
        <A: 0x1; frame = (0 0; 1 1)>
           | <B: 0x2; frame = (0 0; 2 2)>
           |    | <C: 0x3; frame = (0 0; 3 3)>
           | <D: 0x4; frame = (0 0; 4 4)>
        <E: 0x5; frame = (0 0; 5 5)>
        """,
        "A (0 0 1 1)\n  B (0 0 2 2)\n    C (0 0 3 3)\n  D (0 0 4 4)\nE (0 0 5 5)"
      ),
      // Pointers stripped by the person who copied the text.
      (
        "<UIView; frame = (1 2; 3 4); layer = <CALayer>>\n  | <UILabel; frame = (0 0; 1 1)>",
        "UIView (1 2 3 4)\n  UILabel (0 0 1 1)"
      ),
      // Marks that copies have in front.
      (
        "// <A: 0x1; frame = (0 0; 1 1)>\n//    | <B: 0x2; frame = (0 0; 2 2)>\n//\n",
        "A (0 0 1 1)\n  B (0 0 2 2)"
      ),
      // Chats and web pages have no-break spaces in place of spaces.
      (
        "<A: 0x1>\n\u{A0}\u{A0} | <B: 0x2>\u{A0}\n\u{A0} \u{A0}|\u{A0} \u{A0} | <C: 0x3>\n\u{A0}\n",
        "A\n  B\n    C"
      ),
      (" * <A: 0x1; frame = (0 0; 1 1)>\n *  | <B: 0x2; frame = (0 0; 2 2)>", "A (0 0 1 1)\n  B (0 0 2 2)"),
      ("\"<A: 0x1; frame = (0 0; 1 1)>\n  | <B: 0x2; frame = (0 0; 2 2)>\"\n", "A (0 0 1 1)\n  B (0 0 2 2)"),
      // Layers are no views and count for nobody's depth or index.
      (
        """
        <A: 0x1; frame = (0 0; 1 1)>
           | <CALayer: 0x2> (layer)
           | <B: 0x3; frame = (0 0; 2 2)>
           |    | <CAGradientLayer: 0x4> (layer)
           | <_UILayer> (layer)
           | <C: 0x5; frame = (0 0; 3 3)>
        """,
        "A (0 0 1 1)\n  B (0 0 2 2)\n  C (0 0 3 3)"
      ),
      // Text is not escaped.
      (
        "<UILabel: 0x1; frame = (0 0; 1 1); text = 'What's new'; layer = <_UILabelLayer: 0x2>>",
        "UILabel (0 0 1 1) text='What's new'"
      ),
      // An apparent escaped line that begins like a view does not make a text escaped: its head does not end in that line.
      (
        #"<UILabel: 0x1; frame = (0 0; 1 1); text = 'a\n<b\n<c'; layer = <_UILabelLayer: 0x2>>"#,
        #"UILabel (0 0 1 1) text='a\n<b\n<c'"#
      ),
      (
        "<UILabel: 0x1; frame = (0 0; 1 1); text = 'a; b = c; frame = (9 9; 9 9)'>",
        "UILabel (0 0 1 1) text='a; b = c; frame = (9 9; 9 9)'"
      ),
      ("<UILabel: 0x1; text = ''; frame = (0 0; 1 1)>", "UILabel (0 0 1 1) text=''"),
      ("<UILabel: 0x1; text = '''>", "UILabel text='''"),
      ("<UILabel: 0x1; text = 'a>b<c'; frame = (0 0; 1 1)>", "UILabel (0 0 1 1) text='a>b<c'"),
      ("<UILabel: 0x1; text = '('; frame = (0 0; 1 1)>", "UILabel (0 0 1 1) text='('"),
      (
        "<UILabel: 0x1; text = 'one\ntwo\n\n three'; frame = (0 0; 1 1)>\n   | <B: 0x2>",
        "UILabel (0 0 1 1) text='one\ntwo\n\n three'\n  B"
      ),
      ("<UILabel: 0x1; text = '确定 👍'; tag = 7>", "UILabel text='确定 👍' tag='7'"),
      // Fields.
      (
        "<CartCell: 0x1; baseClass = UITableViewCell; frame = (0 0; 1 1)>",
        "CartCell (0 0 1 1) superclasses='UITableViewCell'"
      ),
      (
        "<V: 0x1; frame = (0 0; 1 1); hidden = YES; alpha = 0.5; opaque = NO; autoresize = W+H; userInteractionEnabled = NO; layer = <CALayer: 0x2>>",
        "V (0 0 1 1) hidden='YES' alpha='0.5'"
      ),
      (
        "<V: 0x1; gestureRecognizers = <NSArray: 0x2>; frame = (0 0; 1 1)>", "V (0 0 1 1)"
      ),
      (
        "<V: 0x1; gestureRecognizers = (<UITapGestureRecognizer: 0x2; state = Possible>, <UILongPressGestureRecognizer: 0x3>)>",
        "V gestures='tap longPress'"
      ),
      (
        "<V: 0x1; contentOffset: {0, -64}; contentSize: {375, 1000}; frame = (0 0; 1 1)>",
        "V (0 0 1 1) contentOffset='{0, -64}'"
      ),
      ("<V: 0x1; contentOffset; contentOffset:; contentOffsets: {0, 1}; frame = (0 0; 1 1)>", "V (0 0 1 1)"),
      (
        "<_TtGC7SwiftUI14_UIHostingViewVS_7AnyView_: 0x1; frame = (0 0; 1 1)>",
        "_TtGC7SwiftUI14_UIHostingViewVS_7AnyView_ (0 0 1 1)"
      ),
      ("<Shop.Box<Swift.Int>: 0x1; frame = (0 0; 1 1)>", "Shop.Box<Swift.Int> (0 0 1 1)"),
      // Numbers.
      ("<V: 0x1; frame = (-0.5 1.25; 1e3 -7.3787e+19)>", "V (-0.5 1.25 1000 -7.3787e+19)"),
      ("<V: 0x1; frame = (inf inf; 0 0)>", "V"),
      ("<V: 0x1; frame = (nan 0; -inf 1); tag = 3>", "V tag='3'"),
      // Line ends.
      ("<A: 0x1>\r\n   | <B: 0x2>\r\n", "A\n  B"), ("<A: 0x1>\r   | <B: 0x2>\r", "A\n  B"),
      ("\n\n  \n<A: 0x1>\n\n   | <B: 0x2>\n\n", "A\n  B"),
      // Descriptions that wrap others.
      (
        "<<UITextView: 0x1; frame = (0 0; 1 1); text = 'a'; clipsToBounds = YES> font: <UIFont: 0x2>; tag = 7>",
        "UITextView (0 0 1 1) text='a' tag='7'"
      ),
      ("<<<A: 0x1; frame = (0 0; 1 1)> b> c>\n   | <B: 0x2>", "A (0 0 1 1)\n  B"),
      ("<MyView: <UIView: 0x2; frame = (0 0; 1 1)>>", "MyView (0 0 1 1) superclasses='UIView'"),
      ("<MyView: <MyView: 0x2; frame = (0 0; 1 1)>; more>", "MyView (0 0 1 1)"),
      ("<A: <B: 0x1; baseClass = C; frame = (0 0; 1 1)>>", "A (0 0 1 1) superclasses='C' superclasses='B'"),
      // Addresses that somebody has made unreadable.
      ("<A: 0x…; frame = (0 0; 1 1)>\n   | <B: 0xXXXX; tag = 1>", "A (0 0 1 1)\n  B tag='1'"),
      ("<A: 0x; tag = 1>", "A tag='1'"), ("<A: (null); tag = 1>", "A tag='1'"),
      ("<A: <B: ***; frame = (0 0; 1 1)>>", "A (0 0 1 1) superclasses='B'"),
      // Properties that some classes add behind their description.
      ("<A: 0x1; frame = (0 0; 1 1)> effect=<UIBlurEffect> style=Thin\n   | <B: 0x2>", "A (0 0 1 1)\n  B"),
      ("<A: 0x1> collection view layout: <L: 0x2> delegate: <D: 0x3>\n   | <B: 0x2>", "A\n  B"),
      // Descriptions of several lines, and frames with a space behind them.
      ("<A: 0x1; b = {\n  c = 1;\n}; frame = (0 0; 1 1)>\n   | <B: 0x2>", "A (0 0 1 1)\n  B"),
      ("<A: 0x1; frame = (0 0; 1 1) >", "A (0 0 1 1)"), ("<A: 0x1; text = 'a' >", "A text='a'"),
      ("<UILabel: 0x1; text = 'a\n<b> c\n   | <d'; tag = 1>", "UILabel text='a\n<b> c\n   | <d' tag='1'"),
    ])
  func views(text: String, expected: String) {
    #expect(dump(text) == expected)
  }

  @Test(
    "other text than a dump is refused with the place",
    arguments: [
      ("<A: 0x1>\n   |    | ^<B: 0x2>", CaptureError.Kind.missingLevel),
      ("<A: 0x1>\n^hello\n   | <B: 0x2>", .unexpectedLine), ("<A: 0x1>\n^<hello>, world\n", .unexpectedLine),
      // Nothing behind a view is dropped.
      ("<A: 0x1>\n^  | x | <B: 0x2; tag = 1>", .unexpectedLine), ("<A: 0x1>\n^   |\n | <B: 0x2>", .unexpectedLine),
      ("<A: 0x1>^x", .textAfterView), ("<A: 0x1>^<B: 0x2>", .textAfterView), ("<A: 0x1> ^\\n", .textAfterView),
      ("<A: 0x1; text = 'a'> ^b'; tag = 1>", .textAfterView), ("<A: 0x1> ^(layers)", .textAfterView),
      ("<A: 0x1> ^tag = 1; text = 'a'>", .textAfterView), ("<A: 0x1; frame = (0 0; 1 1)> ^b = c", .textAfterView),
      ("<^A<B: 0x1; tag = 1>>", .unexpectedLine),
      ("<A: 0x1> next: ^<B: 0x2; frame = (0 0; 1 1)>", .textAfterView),
      ("<<A: 0x1; tag = 1> more^", .truncated("expected `>` after the view's description")),
      ("<A: 0x1; b = {\n  c;^\n   | <B: 0x2>", .truncated("expected `>` after the view's description")),
      ("<A: 0x1; text = 'a^\n   | <B: 0x2; text = 'b'>", .truncated("expected `>` after the view's description")),
      ("@\"<A: 0x1>\\n   | <B: 0x2; frame = ^(0)>\"", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1>\n\n^ x <B: 0x2>", .unexpectedLine),
      ("<A: 0x1; frame = ^(0 0; 1)>", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1>\n | <B: 0x1; frame = ^(0 0 1 1)>", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1; frame = ^(0 0; 1 1e999)>", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1; frame = ^(a b; c d)>", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1; frame = ^0 0; 1 1>", .badAttribute(name: "frame", expected: "(x y; width height)")),
      ("<A: 0x1; frame = (0 0; 1 1)^", .truncated("expected `>` after the view's description")),
      ("<A: 0x1; text = 'open^", .truncated("expected `>` after the view's description")),
      ("<A: 0x1>\n | ^<: 0x2>", .missingClass(element: "<")),
      ("<A: 0x1; text = '^\0'>", .nulByte),
    ])
  func refused(marked: String, kind: CaptureError.Kind) {
    let (text, location) = unmarked(marked)
    #expect(readingError(text) == CaptureError(kind, at: location))
  }

  @Test("invalid UTF-8 is refused with its place")
  func badUTF8() {
    let bytes = Array("<A: 0x1>\n | <B: 0x2; text = '".utf8) + [0xB6, 0xA8] + Array("'>".utf8)
    #expect(readingError(bytes) == CaptureError(.badEncoding("UTF-8"), at: SourceLocation(line: 2, column: 21)))
  }

  @Test("a text of 20,000 lines is one text")
  func manyLines() throws {
    let lines = Array(repeating: "it's a line", count: 20_000).joined(separator: "\n")
    let tree = try CaptureReader().read(Array("<A: 0x1; text = '\(lines)'; tag = 1>\n   | <B: 0x2>".utf8))
    #expect(tree.count == 2)
    #expect(tree.value(.text, of: ElementID(0))?.utf8.count == lines.utf8.count)
    #expect(tree.value(.tag, of: ElementID(0)) == "1")
  }
}
