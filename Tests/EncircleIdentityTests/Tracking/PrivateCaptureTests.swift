import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// Typed text is shown nowhere, whatever the capture.
@Suite struct PrivateCaptureTests {
  private static func check(_ bytes: [UInt8], _ format: CaptureFormat?, _ what: @autoclosure () -> String) {
    var texts: [String] = []
    do throws(CaptureError) {
      let screen = IdentifiedTree(try CaptureReader(format: format).read(bytes))
      let contents = ElementContents(of: screen)
      let chains = PathChains(of: screen)
      let styles = PathStyleName.allCases.filter { $0.style.unmetRequirement(for: screen) == nil }
      for element in screen.tree.elements {
        texts.append(screen.identity(of: element))
        texts.append(contents.content(of: element) ?? "")
        for style in styles { texts.append(style.style.path(of: chains.chain(to: element))?.written ?? "") }
      }
      texts += screen.missingInformation.map(\.description)
    } catch {
      texts = [error.description, "\(error.kind)"]
    }
    if let leak = texts.first(where: { $0.contains(PrivateCapture.marker) }) {
      Issue.record("\(what()):\n\(leak)\nin\n\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(
    "no identity, path, content or error has what was typed, whole or broken at any byte",
    arguments: CaptureFormat.allCases, TestSize.scaled(1...30 as ClosedRange<UInt64>))
  func broken(format: CaptureFormat, seed: UInt64) {
    let capture = PrivateCapture(format, seed: seed)
    let bytes = Array(capture.text.utf8)
    Self.check(bytes, nil, "seed \(seed)")
    var random = SeededGenerator(seed: seed)
    // Every sixth byte, another one for each of six seeds.
    for offset in stride(from: Int(seed % 6), to: bytes.count, by: TestSize.stride(6)) {
      let broken = capture.broken(at: offset, &random)
      Self.check(broken, nil, "seed \(seed), broken at \(offset)")
      if random.oneIn(8) {
        for format in CaptureFormat.allCases {
          Self.check(broken, format, "seed \(seed), broken at \(offset), \(format)")
        }
      }
    }
  }

  private let screensOfPages: [CaptureFormat] = [.html, .webSnapshot]

  @Test("whole captures are read, and their other texts are shown", arguments: CaptureFormat.allCases)
  func whole(format: CaptureFormat) throws {
    var shown = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let screen = IdentifiedTree(try CaptureReader().read(Array(PrivateCapture(format, seed: seed).text.utf8)))
      #expect(screen.tree.format == format)
      let contents = ElementContents(of: screen)
      shown += screen.tree.elements.count { contents.content(of: $0) != nil }
    }
    // No style gives elements of web pages a content yet.
    #expect(shown > 20 || screensOfPages.contains(format) && shown == 0)
  }

  @Test(
    "only the values that say no show the text of a field",
    arguments: [
      ("false", true), ("NO", true), ("no", true), ("0", true), ("true", false), ("TRUE", false), ("on", false),
      (" true", false), ("", false), ("False", false), ("1", false), ("nein", false), ("false ", false),
    ])
  func secure(value: String, isShown: Bool) throws {
    for text in [
      "<viewTree><view class='UILabel' secure='\(value)' text='t'/></viewTree>",
      "<viewTree><view class='UILabel' isSecureTextEntry='\(value)' text='t'/></viewTree>",
      "<viewTree><view class='UILabel' secure='false' password='\(value)' text='t'/></viewTree>",
      "<hierarchy><node class='android.widget.TextView' password='\(value)' text='t'/></hierarchy>",
      "<hierarchy><node class='android.widget.TextView' password='\(value)' Password='false' text='t'/></hierarchy>",
      "<UIALabel secureTextEntry='\(value)' label='t'/>",
      "<UILabel: 0x1; secureTextEntry = \(value.isEmpty ? "?" : value.replacing(" ", with: "+")); text = 't'>",
    ] {
      let screen = IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
      #expect((ElementContents(of: screen).content(of: ElementID(0)) != nil) == isShown, "\(text)")
    }
  }

  @Test("a text that begins inside a window says so, and counts only siblings together")
  func fragment() throws {
    let text = " | | <A: 0x1>\n | | <A: 0x2>\n | <A: 0x3>\n | | <A: 0x4>\n | <A: 0x5>"
    let screen = IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
    #expect(
      screen.tree.elements.map { screen.path(of: $0).written(.slashes) } == [
        "A(0)", "A(1)", "A(0)", "A(0)/A(0)", "A(1)",
      ])
    #expect(screen.missingInformation.contains(.superviews([0, 1, 2, 4].map { ElementID($0) })))
    #expect(
      IdentifiedTree(try CaptureReader().read(Array("<UIWindow: 0x1>".utf8))).missingInformation == [.controllers])
  }
}
