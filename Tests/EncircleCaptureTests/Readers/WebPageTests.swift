import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct WebPageTests {
  private static func tree(_ text: String, _ limits: CaptureLimits = CaptureLimits()) throws(CaptureError) -> ViewTree {
    var reader = CaptureReader()
    reader.limits = limits
    return try reader.read(Array(text.utf8))
  }

  /// Tags with attributes and texts, one element a line.
  private static func dump(_ tree: ViewTree) -> String {
    var lines: [String] = []
    for element in tree.elements {
      var depth = 0
      var parent = tree.webParent(of: element)
      while let view = parent {
        depth += 1
        parent = tree.webParent(of: view)
      }
      let attributes = tree.attributes(of: element).map { " \($0.name)=\($0.value)" }.joined()
      let texts = (tree.web?.texts ?? []).filter { $0.parent == element }.map { " '\(tree.strings[$0.text])'" }.joined()
      lines.append(String(repeating: " ", count: depth) + tree.className(of: element) + attributes + texts)
    }
    return lines.joined(separator: "\n")
  }

  @Test("HTML is known by its document type or first tag, in any case and behind comments")
  func detection() throws {
    for start in [
      "<!DOCTYPE html>", "<html lang=zh>", " <!-- saved --><HTML>", "<?xml version='1.0'?><!doctype HTML>", "<body>",
    ] {
      let tree = try Self.tree(start + "<p>x")
      #expect(tree.format == .html, "\(start)")
      #expect(tree.web != nil)
    }
    #expect(throws: CaptureError.self) { try Self.tree("<htmlx><p/></htmlx>") }
  }

  @Test("the tree is a browser's: implied tags, contents of noscript as text, none of templates, names of SVG")
  func parsing() throws {
    let tree = try Self.tree(
      """
      <html><head><noscript><link></noscript></head><body><template><b>no</b>no</template><p>a&amp;b<p>c<!-- -->d
      <noscript><img></noscript><script>'<noscript>'</script><svg><lineargradient xlink:href=#a /></svg></body></html>
      """)
    #expect(
      Self.dump(tree) == """
        html
         head
          noscript '<link>'
         body
          template
          p 'a&b'
          p 'c' 'd
        '
           noscript '<img>'
           script ''<noscript>''
           svg
            linearGradient xlink:href=#a
        """)
  }

  @Test("text that may have been typed into a field is not kept")
  func typed() throws {
    let html = #"<body><input value=typed><input type=password value=typed><input type=SUBMIT value=Pay>"#
    let json = #"{"root":["body",{},[["input",{"value":"typed"},[]],["input",{"type":"submit","value":"Pay"},[]]]]}"#
    for text in [html, json] {
      let written = Self.dump(try Self.tree(text))
      #expect(!written.contains("typed"))
      #expect(written.contains("value=Pay"))
    }
  }

  @Test("text of text areas and editable elements is kept, as the Sensors SDK sends it as content")
  func editable() throws {
    let html = "<body>a<textarea>b</textarea><div contenteditable>c<p>d</p></div>e"
    let json = """
      {"root":["body",{},["a",["textarea",{},["b"]],["div",{"contenteditable":""},["c",["p",{},["d"]]]],"e"]]}
      """
    for text in [html, json] {
      let tree = try Self.tree(text)
      #expect((tree.web?.texts ?? []).map { tree.strings[$0.text] } == ["a", "b", "c", "d", "e"])
    }
  }

  @Test(
    "a snapshot has nesting that no parser makes, single text nodes, shadow trees behind all others, and rectangles")
  func snapshot() throws {
    let tree = try Self.tree(
      #"""
      {"url":"https://a.example/b","title":"T","size":[400,800],"root":["html",{},[["body",{},[
        ["x-card",{"id":"c"},["a","b"],{"rect":[10,20,30,40],"shadow":[["button",{},["in"],{"pointer":true}]]}],
        ["a",{},[["a",{},[null]]],{"rect":[5,5,1,1]}]]]]]}
      """#)
    #expect(
      Self.dump(tree) == """
        html
         body
          x-card id=c 'a' 'b'
          a
           a
           button 'in'
        """)
    #expect(tree.web?.url == "https://a.example/b")
    #expect(tree.header.screen == "400 800")
    #expect(tree.webParent(of: ElementID(5)) == ElementID(2))
  }

  @Test("invalid UTF-8 and zeros in a tag's name become U+FFFD, as in a browser")
  func nameThatIsNoText() throws {
    for name in [[0xFF], [0x00], [0xE8, 0x8A], [0x96]] as [[UInt8]] {
      let tree = try CaptureReader().read(
        Array("<html><body><b".utf8) + name + Array("x y=1>t<svg><c".utf8) + name + Array(">".utf8))
      #expect(Self.dump(tree).hasSuffix("b\u{FFFD}x y=1 't'\n   svg\n    c\u{FFFD}"))
      for element in tree.elements {
        tree.strings.withBytes(of: tree.classID(of: element)) { #expect($0.firstInvalidUTF8 == nil) }
      }
    }
  }

  @Test(
    "the encoding of a page is that of its first meta element that names one",
    arguments: [
      "<meta charset=gbk>", "<META CHARSET='GBK'>", "<meta charset = \"gbk\">",
      "<meta http-equiv='Content-Type' content='text/html; charset=gbk'>",
      "<meta http-equiv='Content-Type' content='text/html; charset = gbk'>",
      "<!-- <meta charset=big5> --><meta charset=gbk>",
      "<meta name=a><script charset=utf-8></script><meta charset=gbk>",
      "<meta name=charset><meta charset=gbk>",
    ])
  func declaredEncoding(head: String) throws {
    let page = Array("<html><head>\(head)<title>".utf8) + [0xC9, 0xCC, 0xB3, 0xC7] + Array("</title>".utf8)
    #expect(Self.dump(try CaptureReader().read(page)).contains("'商城'"))
  }

  @Test(
    "a page is read in the encoding in which browsers read pages that name that one",
    arguments: [
      ("iso-8859-1", [0x80, 0x93, 0xE9, 0x94], "€“é”"), ("latin1", [0x9D, 0x92], "\u{FFFD}’"),
      ("us-ascii", [0x85], "…"), ("windows-1252", [0x8D, 0x9F], "\u{FFFD}Ÿ"),
      ("Shift_JIS", [0x87, 0x40, 0x81, 0x60, 0x7E], "①～~"), ("euc-kr", [0x8C, 0x63], "똠"),
    ] as [(String, [UInt8], String)])
  func browserEncoding(name: String, value: [UInt8], expected: String) throws {
    let page = Array("<html><head><meta charset=\(name)><title>".utf8) + value + Array("</title>".utf8)
    #expect(Self.dump(try CaptureReader().read(page)).contains("'\(expected)'"))
  }

  @Test("a page in another encoding names it; a saved page names its address")
  func encoding() throws {
    let page = Array("<html><head><meta charset=gbk><title>".utf8) + [0xC9, 0xCC, 0xB3, 0xC7] + Array("</title>".utf8)
    #expect(Self.dump(try CaptureReader().read(page)).contains("'商城'"))
    let saved = try Self.tree("<!DOCTYPE html>\n<!-- saved from url=(0021)https://a.example/b -->\n<html><p>x")
    #expect(saved.web?.url == "https://a.example/b")
  }

  @Test(
    "hostile pages are refused with a place, or read, in little time",
    arguments: [
      ("<html>" + String(repeating: "<div>", count: 200_000), true),
      ("<html>" + String(repeating: "<p><b id=1>", count: 100_000), true),
      ("<html>" + String(repeating: "<table><tr><td>", count: 100_000), true),
      ("<html><svg>" + String(repeating: "<g a=x/>", count: 100_000), true),
      ("<html><p " + (0..<300).map { "a\($0) " }.joined(), true),
      ("<html>" + String(repeating: "<p>x", count: 5_000), false),
      ("<html>" + String(repeating: "<li>&amp;&bogus;", count: 5_000), false),
      ("<html><!--", false), ("<html><script>", false), ("<html><p a='", false), ("<html></p></html></", false),
    ])
  func hostile(_ text: String, isRefused: Bool) {
    do throws(CaptureError) {
      let tree = try Self.tree(text)
      #expect(!isRefused && tree.count >= 3)
    } catch {
      #expect(isRefused && error.location != nil, "\(error)")
    }
  }

  @Test(
    "errors of snapshots say where they are",
    arguments: [
      (#"{"root":["html",{},[["p",{}]]]}"#, "1:21"), (#"{"root":["html",{},[7]]}"#, "1:21"),
      (#"{"root":["html",{},[],{"rect":[1,2]}]}"#, "1:31"),
    ])
  func places(_ text: String, _ place: String) {
    let error = #expect(throws: CaptureError.self) { try Self.tree(text) }
    #expect(error?.location?.description == place)
  }
}
