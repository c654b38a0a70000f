import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct EncodingTests {
  private static let text = #"<viewTree><view class="A" text="确定 é 👍"/></viewTree>"#
  private static let expected = "A text='确定 é 👍'"

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func utf32(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  @Test(
    "Unicode is read in each of its encodings, with and without byte order mark",
    arguments: [
      ("UTF-8", Array(text.utf8)), ("UTF-8 with mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
      ("UTF-8 declared", Array(("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + text).utf8)),
      (
        "UTF-8 with mark and declaration",
        [0xEF, 0xBB, 0xBF] + Array(("<?xml version='1.0' encoding='UTF-8'?>" + text).utf8)
      ),
      ("UTF-16 LE with mark", [0xFF, 0xFE] + utf16(text, bigEndian: false)),
      ("UTF-16 BE with mark", [0xFE, 0xFF] + utf16(text, bigEndian: true)),
      ("UTF-16 LE", utf16(text, bigEndian: false)), ("UTF-16 BE", utf16(text, bigEndian: true)),
      (
        "UTF-16 LE declared",
        [0xFF, 0xFE] + utf16("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + text, bigEndian: false)
      ),
      ("UTF-16 BE declared, no mark", utf16("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + text, bigEndian: true)),
      ("UTF-32 LE with mark", [0xFF, 0xFE, 0, 0] + utf32(text, bigEndian: false)),
      ("UTF-32 BE with mark", [0, 0, 0xFE, 0xFF] + utf32(text, bigEndian: true)),
    ] as [(String, [UInt8])])
  func unicode(name: String, bytes: [UInt8]) {
    #expect(dump(bytes) == Self.expected)
  }

  @Test("a text dump is read in UTF-16 too", arguments: [true, false])
  func utf16Dump(bigEndian: Bool) {
    let mark: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let text = "<UILabel: 0x1; frame = (0 0; 1 1); text = '确定'>"
    #expect(dump(mark + Self.utf16(text, bigEndian: bigEndian)) == "UILabel (0 0 1 1) text='确定'")
  }

  @Test(
    "a declared encoding is decoded",
    arguments: [
      ("GBK", [0xC8, 0xB7, 0xB6, 0xA8], "确定"), ("gb18030", [0xC8, 0xB7, 0xB6, 0xA8], "确定"),
      ("GB2312", [0xC8, 0xB7], "确"), ("ISO-8859-1", [0x63, 0xE9], "cé"), ("Big5", [0xBD, 0x54], "確"),
      ("Shift_JIS", [0x82, 0xA0], "あ"), ("windows-1252", [0x80], "€"),
    ] as [(String, [UInt8], String)])
  func declared(encoding: String, value: [UInt8], expected: String) {
    let head = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<viewTree><view class=\"A\" text=\""
    let bytes = Array(head.utf8) + value + Array("\" title=\"t\"/></viewTree>".utf8)
    #expect(dump(bytes) == "A text='\(expected)' title='t'")
  }

  @Test("a long text in a declared encoding is decoded to its end")
  func longDeclared() throws {
    var bytes = Array("<?xml version=\"1.0\" encoding=\"GBK\"?>\n<viewTree>".utf8)
    for _ in 0..<5_000 {
      bytes += Array("<view class=\"A\" text=\"".utf8) + [0xC8, 0xB7, 0xB6, 0xA8] + Array("\"/>".utf8)
    }
    bytes += Array("</viewTree>".utf8)
    let tree = try CaptureReader().read(bytes)
    #expect(tree.count == 5_000)
    #expect(tree.elements.allSatisfy { tree.value(.text, of: $0) == "确定" })
  }

  @Test(
    "an unknown encoding is an error that does not quote it",
    arguments: ["x-unheard", "UTF-9", "", "GBK GBK", "../../etc/passwd", "UTF-16S3CR3T"])
  func unknown(encoding: String) {
    let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<viewTree><view class=\"A\"/></viewTree>"
    #expect(
      readingError(Array(text.utf8)) == CaptureError(.unknownEncoding, at: SourceLocation(line: 1, column: 1))
    )
  }

  @Test(
    "a declaration that the bytes before it disprove is an error", arguments: ["UTF-16", "utf-16le", "UTF-32", "UCS-4"])
  func disproved(encoding: String) {
    let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<viewTree><view class=\"A\"/></viewTree>"
    let error = readingError(Array(text.utf8))
    #expect(error?.kind == .badEncoding(encoding) && error?.location == SourceLocation(line: 1, column: 1))
  }

  @Test(
    "a named encoding overrides the file's own declaration",
    arguments: [
      ("GB18030", "UTF-8", [0xC8, 0xB7, 0xB6, 0xA8], "确定"), ("gbk", nil, [0xC8, 0xB7], "确"),
      ("Shift_JIS", "GBK", [0x82, 0xA0], "あ"), ("utf-8", "GBK", Array("确".utf8), "确"),
      ("UTF-8", "UTF-16", Array("确".utf8), "确"), ("UTF_8", "GBK", Array("确".utf8), "确"),
      ("ISO-8859-1", "x-unheard", [0xE9], "é"),
    ] as [(String, String?, [UInt8], String)])
  func named(encoding: String, declared: String?, value: [UInt8], expected: String) throws {
    let head = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    let bytes = Array((head + "<viewTree><view class=\"A\" text=\"").utf8) + value + Array("\"/></viewTree>".utf8)
    let named: CaptureEncoding = try #require(CaptureEncoding(encoding))
    let tree = try CaptureReader(encoding: named).read(bytes)
    #expect(tree.value(.text, of: ElementID(0)) == expected)
  }

  @Test("UTF-16 and UTF-32 need no byte order mark if they are named", arguments: [true, false])
  func namedUnicode(bigEndian: Bool) throws {
    let text = "<?xml version=\"1.0\" encoding=\"GBK\"?><viewTree><view class=\"A\" text=\"确\"/></viewTree>"
    let end = bigEndian ? "BE" : "LE"
    let mark: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    for (name, bytes) in [
      ("UTF-16" + end, Self.utf16(text, bigEndian: bigEndian)),
      ("utf-16", mark + Self.utf16(text, bigEndian: bigEndian)),
      ("utf-16", Self.utf16(text, bigEndian: bigEndian)), ("UTF-32" + end, Self.utf32(text, bigEndian: bigEndian)),
      ("utf-32", Self.utf32(text, bigEndian: bigEndian)),
    ] {
      let tree = try CaptureReader(encoding: CaptureEncoding(name)).read(bytes)
      #expect(tree.value(.text, of: ElementID(0)) == "确", "\(name)")
    }
  }

  @Test(
    "invalid names of encodings give no encoding",
    arguments: ["", "x-unheard", "GBK ", "../x", "UTF-9", "确", "GBK//TRANSLIT", String(repeating: "a", count: 100_000)])
  func noEncoding(name: String) { #expect(CaptureEncoding(name) == nil) }

  @Test("broken UTF-16 is refused where it breaks")
  func brokenUTF16() {
    let head: [UInt8] = [0xFF, 0xFE] + Self.utf16("<viewTree>\n<view", bigEndian: false)
    let place = SourceLocation(line: 2, column: 6)
    let expected = CaptureError(.badEncoding("UTF-16 (little-endian)"), at: place)
    #expect(readingError(head + [0x00, 0xD8] + Self.utf16("/>", bigEndian: false)) == expected)
    #expect(readingError(head + [0x41]) == expected)
  }

  @Test(
    "XML in UTF-16 or UTF-32 behind a line break is refused before libxml2 decodes it, past the limits on tags",
    arguments: [true, false])
  func encodedBehindLineBreak(isUTF16: Bool) {
    // In UTF-16, each value has a byte like `<`, which ends the tag for a scan of bytes.
    let attributes = (0..<300).map { " a\($0)='\u{3C41}'" }.joined()
    let text = "<?xml version='1.0'?><viewTree><view class='A'\(attributes)/></viewTree>"
    let bytes = isUTF16 ? Self.utf16(text, bigEndian: false) : Self.utf32(text, bigEndian: false)
    let expected = CaptureError(.nulByte, at: SourceLocation(line: 2, column: 2))
    #expect(readingError([0x0A] + bytes) == expected)
    #expect(readingError([0x0A] + bytes, format: .viewTree) == expected)
  }

  @Test("bytes that are not in the declared encoding are refused")
  func brokenDeclared() throws {
    let head = "<?xml version=\"1.0\" encoding=\"GBK\"?>\n<viewTree><view class=\"A\" text=\""
    let error = try #require(readingError(Array(head.utf8) + [0xFF, 0xFF] + Array("\"/></viewTree>".utf8)))
    #expect(error.kind == .badEncoding("GBK"))
    #expect(error.location?.line == 2)
  }
}
