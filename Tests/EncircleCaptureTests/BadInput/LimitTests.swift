import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct LimitTests {
  private static func nested(_ levels: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: levels) + String(repeating: close, count: levels)
  }

  private static let nests: [(name: String, capture: @Sendable (Int) -> String)] = [
    ("view tree", { "<viewTree>" + nested($0, "<view class='A'>", "</view>") + "</viewTree>" }),
    ("WebDriverAgent", { nested($0, "<XCUIElementTypeOther>", "</XCUIElementTypeOther>") }),
    (
      "Appium iOS", { "<AppiumAUT>" + nested($0, "<XCUIElementTypeOther>", "</XCUIElementTypeOther>") + "</AppiumAUT>" }
    ),
    ("uiautomator", { "<hierarchy>" + nested($0, "<node class='a.B'>", "</node>") + "</hierarchy>" }),
    (
      "recursiveDescription",
      { (0..<$0).map { String(repeating: "|", count: $0) + "<A: 0x1>" }.joined(separator: "\n") }
    ),
  ]

  @Test("1,000 levels are read, 1,001 are refused", arguments: nests.indices)
  func depth(nest: Int) throws {
    let capture = Self.nests[nest].capture
    let tree = try CaptureReader().read(Array(capture(1_000).utf8))
    #expect(tree.count == 1_000)
    #expect(tree.parent(of: ElementID(999)) == ElementID(998))
    let error = try #require(readingError(Array(capture(1_001).utf8)))
    #expect(error.kind == .tooDeep(limit: 1_000))
    #expect(error.location != nil)
  }

  @Test("100,000 levels are refused")
  func veryDeep() {
    for text in [
      Self.nested(100_000, "<view class='A'>", "</view>"), String(repeating: "<view class='A'>", count: 100_000),
    ] {
      let error = readingError(Array(("<viewTree>\n" + text).utf8))
      #expect(error?.kind == .tooDeep(limit: 1_000))
      #expect(error?.location?.line == 2)
    }
  }

  @Test("the limit on depth is exact", arguments: nests.indices)
  func lowDepth(nest: Int) {
    var limits = CaptureLimits()
    limits.depth = 3
    let capture = Self.nests[nest].capture
    #expect(readingError(Array(capture(3).utf8), limits: limits) == nil)
    #expect(readingError(Array(capture(4).utf8), limits: limits)?.kind == .tooDeep(limit: 3))
  }

  @Test(
    "the limit on elements is exact",
    arguments: [
      "<viewTree>\n<view class='A'/>\n<view class='A'/>\n^<view class='A'/></viewTree>",
      "<AppiumAUT>\n<UIAWindow><UIAButton/>\n^<UIAButton/></UIAWindow></AppiumAUT>",
      "<node class='A'><node class='B'/>\n^<node class='C'/></node>",
      "<A: 0x1>\n | <B: 0x2>\n | ^<C: 0x3>",
    ])
  func elements(marked: String) {
    let (text, location) = unmarked(marked)
    var limits = CaptureLimits()
    limits.elements = 2
    #expect(readingError(text, limits: limits) == CaptureError(.tooManyElements(limit: 2), at: location))
    limits.elements = 3
    #expect(readingError(text, limits: limits) == nil)
  }

  @Test("limits at their maximum do not limit", arguments: PackageFolder.smallCaptureNames + ["flowers.html"])
  func unlimited(name: String) throws {
    let all: [WritableKeyPath<CaptureLimits, Int>] = [
      \.bytes, \.elements, \.depth, \.attributes, \.attributeBytes, \.jsonValues, \.pathBytes, \.identityTextBytes,
      \.identityBytesPerByte,
    ]
    var limits = CaptureLimits()
    for limit in all { limits[keyPath: limit] = .max }
    #expect(readingError(try PackageFolder.bytes(PackageFolder.viewTrees.appending(path: name)), limits: limits) == nil)
  }

  @Test("any number of siblings is read")
  func siblings() throws {
    let count = TestSize.scaled(1_000_000)
    var text = Array("<viewTree>".utf8)
    let view = Array("<view class='A'/>".utf8)
    for _ in 0..<count { text += view }
    text += Array("</viewTree>".utf8)
    let tree = try CaptureReader().read(text)
    #expect(tree.count == count)
    #expect(tree.nextSibling(of: ElementID(count - 2)) == ElementID(count - 1))
    #expect(tree.nextSibling(of: ElementID(count - 1)) == nil)
  }

  @Test("256 attributes are read, more are refused at their tag", arguments: [257, 50_000])
  func attributes(count: Int) throws {
    func view(_ count: Int) -> String {
      "<view class='A'" + (1..<count).map { " a\($0)=''" }.joined() + "/></viewTree>"
    }
    #expect(try CaptureReader().read(Array(("<viewTree>" + view(256)).utf8)).attributes(of: ElementID(0)).count == 255)
    let error = readingError(Array(("<viewTree>\n  " + view(count)).utf8))
    #expect(error == CaptureError(.tooManyAttributes(limit: 256), at: SourceLocation(line: 2, column: 3)))
  }

  @Test("comments, quotes and apostrophes do not hide a tag with too many attributes")
  func hiddenAttributes() {
    let many = (0..<5_000).map { " a\($0)='>'" }.joined()
    for prefix in ["<!-- it's -->", "<!-- \" -->", "<?pi '?>", "<![CDATA['<]]>", "<view class='it\"s >'/>"] {
      let error = readingError(Array(("<viewTree>" + prefix + "<view class='A'" + many + "/></viewTree>").utf8))
      #expect([.tooManyAttributes(limit: 256), .unexpectedText].contains(error?.kind), "\(prefix)")
    }
  }

  @Test(
    "an attribute of 1 MiB, or as long as the limit is, is read, a longer one refused at its tag",
    arguments: [("\"", 1 << 20), ("'", 1 << 10)])
  func attributeLength(quote: String, limit: Int) throws {
    var limits = CaptureLimits()
    #expect(limits.attributeBytes == 1 << 20)
    limits.attributeBytes = limit
    func capture(_ length: Int) -> [UInt8] {
      let value = String(repeating: "x", count: length)
      return Array("<viewTree>\n<view class=\"A\" text=\(quote)\(value)\(quote)/></viewTree>".utf8)
    }
    var reader = CaptureReader()
    reader.limits = limits
    let tree = try reader.read(capture(limit))
    #expect(tree.value(.text, of: ElementID(0))?.utf8.count == limit)
    let expected = CaptureError(.attributeTooLong(limit: limit), at: SourceLocation(line: 2, column: 1))
    #expect(readingError(capture(limit + 1), limits: limits) == expected)
    #expect(
      readingError(Array(capture(2 * limit).dropLast(30)), limits: limits) == expected, "an attribute that never ends")
  }

  @Test("the class names down to an element may have 32 KiB together, without other names")
  func pathLength() throws {
    let name = String(repeating: "A", count: 1 << 10)
    func capture(_ depth: Int, _ more: String = "") -> [UInt8] {
      let views = (0..<depth).map { _ in "<view class='\(name)'>" }.joined(separator: "\n")
      let ends = String(repeating: "</view>", count: depth)
      return Array("<viewTree>\(views)\(more)\(ends)<view class='\(name)'/></viewTree>".utf8)
    }
    #expect(try CaptureReader().read(capture(32)).count == 33)
    let expected = CaptureError(.pathTooLong(limit: 32 << 10), at: SourceLocation(line: 33, column: 1))
    #expect(readingError(capture(33)) == expected)
    #expect(readingError(capture(32, "<view class='B'/>"))?.kind == expected.kind)
    let lines = (0..<33).map { String(repeating: "   | ", count: $0) + "<\(name): 0x1>" }.joined(separator: "\n")
    #expect(readingError(Array(lines.utf8))?.kind == expected.kind)
    var limits = CaptureLimits()
    limits.pathBytes = 3
    #expect(readingError(Array("<viewTree><view class='ABC'/></viewTree>".utf8), limits: limits) == nil)
    #expect(readingError(Array("<viewTree><view class='ABCD'/></viewTree>".utf8), limits: limits) != nil)
  }

  @Test("a capture whose identities are too long in total is refused")
  func identities() {
    let name = String(repeating: "A", count: 30_000)
    let leaves = String(repeating: "<view class='A'/>\n", count: 2_000)
    let error = readingError(Array("<viewTree><view class='\(name)'>\n\(leaves)</view></viewTree>".utf8))
    guard case .identitiesTooLong(let limit)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((20_000_000...24_000_000).contains(limit))
    #expect((600...800).contains(error?.location?.line ?? 0))
  }

  @Test("text that identities take from other elements may have 64 KiB", arguments: ["title", "message", "controller"])
  func identityText(attribute: String) throws {
    func capture(_ length: Int) -> [UInt8] {
      let text = String(repeating: "x", count: length)
      return Array("<viewTree>\n<view class='A' \(attribute)='\(text)'><view class='B'/></view></viewTree>".utf8)
    }
    #expect(try CaptureReader().read(capture(64 << 10)).count == 2)
    let expected = CaptureError(.identityTextTooLong(limit: 64 << 10), at: SourceLocation(line: 2, column: 1))
    #expect(readingError(capture(64 << 10 + 1)) == expected)
  }

  @Test("a text in a text dump longer than the limit of attributes is refused")
  func textLength() {
    let text = "<A: 0x1; text = '" + String(repeating: "x", count: 1 << 20 + 1) + "'>"
    #expect(readingError(Array(text.utf8))?.kind == .attributeTooLong(limit: 1 << 20))
  }

  @Test("more than 16 namespaces are refused, however they are spread")
  func namespaces() {
    let declarations = (0..<17).map { " xmlns:n\($0)='u'" }.joined()
    #expect(
      readingError(Array("<viewTree\(declarations)><view class='A'/></viewTree>".utf8))?.kind
        == .tooManyNamespaces(limit: 16))
    let views = (0..<17).map { "<view class='A' xmlns:n\($0)='u'>" }.joined()
    #expect(readingError(Array("<viewTree>\(views)".utf8))?.kind == .tooManyNamespaces(limit: 16))
    let few = (0..<16).map { " xmlns:n\($0)='u'" }.joined()
    #expect(readingError(Array("<viewTree\(few)><view class='A' n1:a='1'/></viewTree>".utf8)) == nil)
    // Behind an error nothing is read, so that the time for these, which grows with the square of their number, is not spent.
    let many = (0..<200_000).map { "<view class='A' xmlns:n\($0)='u'>" }.joined()
    #expect(readingError(Array("<viewTree>&x;\(many)".utf8))?.location == SourceLocation(line: 1, column: 14))
  }

  @Test("a megabyte of different names is refused, because libxml2 looks names up in time linear in their number")
  func names() {
    func capture(attributes count: Int) -> String {
      let views = stride(from: 0, to: count, by: 200).map { start in
        "<view class='A' " + (start..<start + 200).map { "a\($0)=''" }.joined(separator: " ") + "/>"
      }
      return "<viewTree>\(views.joined())</viewTree>"
    }
    let instructions = (0..<250_000).map { "<?p\($0)?>" }.joined()
    let elements = (0..<250_000).map { "<a.B\($0)/>" }.joined()
    for text in [
      capture(attributes: 250_000), "<viewTree>\(instructions)<view class='A'/></viewTree>",
      "<hierarchy>\(elements)</hierarchy>",
    ] {
      let error = readingError(Array(text.utf8))
      #expect(error?.kind == .namesTooLong(limit: 1 << 20))
      #expect(error.map { ($0.location?.column ?? 0) > 1_000_000 } ?? false)
    }
    #expect(readingError(Array(capture(attributes: 100_000).utf8)) == nil)
  }

  @Test("a capture larger than the limit is refused before it is read")
  func bytes() {
    var limits = CaptureLimits()
    limits.bytes = 100
    #expect(readingError([UInt8](repeating: 0x20, count: 100), limits: limits)?.kind == .empty)
    #expect(readingError([UInt8](repeating: 0x20, count: 101), limits: limits) == CaptureError(.tooLarge(limit: 100)))
  }

  @Test("UTF-16 that grows beyond the limit as UTF-8 is refused")
  func converted() {
    var limits = CaptureLimits()
    limits.bytes = 250
    let text = "<viewTree><view class=\"" + String(repeating: "确", count: 80) + "\"/></viewTree>"
    let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(utf16.count <= 250 && text.utf8.count > 250)
    #expect(readingError(utf16, limits: limits) == CaptureError(.tooLarge(limit: 250)))
  }
}
