import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleLanguageServer

@Suite struct DocumentTextTests {
  @Test(
    "places go from bytes to clients and back, in both units",
    arguments: TestSize.scaled(1...100 as ClosedRange<UInt64>))
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "é", "入", "😀", "\n", "\r\n", "\r", " ", "\u{301}"]
    let text = (0..<Int.random(in: 0..<900, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
    let document = DocumentText(text)
    var line = 0
    var units = (utf8: 0, utf16: 0)
    var offset = 0
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // Between CR and LF there is no place.
      if !(previous == "\r" && scalar == "\n") {
        if previous == "\r" { (line, units) = (line + 1, (0, 0)) }
        for (encoding, character) in [(LSP.PositionEncoding.utf8, units.utf8), (.utf16, units.utf16)] {
          let position = LSP.Position(line: line, character: character)
          #expect(document.position(of: offset, encoding) == position)
          #expect(document.offset(of: position, encoding) == offset)
        }
      }
      units.utf8 += String(scalar).utf8.count
      units.utf16 += String(scalar).utf16.count
      offset += String(scalar).utf8.count
      if scalar == "\n" { (line, units) = (line + 1, (0, 0)) }
      previous = scalar
    }
  }

  @Test("places beyond the text become its nearest place") func beyond() {
    let document = DocumentText("ab\n入")
    for encoding in [LSP.PositionEncoding.utf8, .utf16] {
      #expect(document.offset(of: LSP.Position(line: 0, character: 9), encoding) == 2)
      #expect(document.offset(of: LSP.Position(line: 7, character: 0), encoding) == 6)
      #expect(document.offset(of: LSP.Position(line: -1, character: -1), encoding) == 0)
      #expect(document.offset(of: LSP.Position(line: .max, character: .max), encoding) == 6)
      #expect(document.offset(of: LSP.Position(line: 1, character: .max), encoding) == 6)
    }
    #expect(document.offset(of: LSP.Position(line: 1, character: 1), .utf8) == 3)
  }

  @Test("a byte order mark is a character for the client only") func mark() {
    let document = DocumentText("\u{FEFF}ab")
    #expect(document.position(of: 1, .utf16) == LSP.Position(line: 0, character: 2))
    #expect(document.offset(of: LSP.Position(line: 0, character: 2), .utf16) == 1)
    #expect(document.offset(of: LSP.Position(line: 0, character: 4), .utf8) == 1)
    #expect(document.text.utf8.count == 2)
  }

  @Test("paths and URIs turn into one another", arguments: ["/a b/加%.yaml", "/a+b:c/é#?.yaml", "/"])
  func uris(path: String) {
    let uri = FileURI.uri(path)
    #expect(FileURI.path(uri) == path)
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
  }

  @Test(
    "what is no file has no path", arguments: ["untitled:a", "file:a", "file://host", "", "file:///%00", "file:///%FF"])
  func otherURIs(uri: String) { #expect(FileURI.path(uri) == nil) }
}
