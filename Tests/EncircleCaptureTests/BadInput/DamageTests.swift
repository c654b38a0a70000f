import EncircleCapture
import EncircleTestSupport
import EncircleTree
import Testing

/// Reading a capture that was cut off or damaged gives an error or a tree, and never traps.
@Suite struct DamageTests {
  private static let samples: [String] = [
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <viewTree version="1" app="a" screen="390 844">
      <view class="UIWindow" frame="0 0 390 844"><!-- c -->
        <view class="确定" superclasses="UIView" indexPath="0 7" text="a&amp;&#x786E;'"/>
      </view>
    </viewTree>
    """,
    """
    <AppiumAUT><XCUIElementTypeAlert x="0" y="0" width="9" height="9" label="l">
    <XCUIElementTypeStaticText name="é"/><XCUIElementTypeStaticText name="b"/></XCUIElementTypeAlert></AppiumAUT>
    """,
    """
    <hierarchy rotation="0"><node class="a.B" bounds="[0,0][9,9]" text=""><node class="c" bounds="[1,1][2,2]"/></node></hierarchy>
    """,
    "<hierarchy><android.widget.Button bounds='[0,0][9,9]'><a.B text='确'/></android.widget.Button></hierarchy>",
    """
    <UIWindow: 0x1; frame = (0 0; 375 667); gestureRecognizers = <NSArray: 0x2>; layer = <UIWindowLayer: 0x3>>
       | <UILabel: 0x4; baseClass = UIX; frame = (1.5 -2; 3e2 4); text = 'it's
    确定; a = b'; alpha = 0.5; layer = <_UILabelLayer: 0x5>>
       |    | <CALayer: 0x6> (layer)
    """,
    """
    Attributes: Application, 0x1, pid: 2, label: 'A'
    Element subtree:
     →Application, 0x1, pid: 2, label: 'A'
        Window (Main), 0x2, {{0.0, 0.0}, {393.0, 852.0}}
          StaticText, 0x3, {{-1.5, 0.0}, {inf, 8.0}}, identifier: 'x', label: 'it's
    确定, a', value: 50%, Selected
    Path to element:
     →Application, 0x1
    """,
    """
    <UIWindow: 0x1; frame = (0 0; 375 667)>
       | <UIView: 0x2; frame = (0 0; 9 9)>
    <A.B 0x8>, state: appeared, view: <UIWindow: 0x1>
       + <C 0x9>, state: appeared, view: <UIView 0x2> not in the window, presented with: <D: 0x3>
    """,
    """
    <ViewHierarchy><UIWindow class="UIWindow" x="<number>" y="1" width="2" height="<number>" visibility="gone">
    <A class="A" id="detox_temp_1"/><![CDATA[<html>]]></UIWindow></ViewHierarchy>
    """,
    #"""
    {"rendering_system":"UIKIT","windows":[{"type":"UIWindow","x":0,"y":1.5e1,"width":"9","height":9,"visible":false,
    "children":[{"type":"确\u786e\ud83d\ude00","view_controller":"A","children":null,"n":[1,{"a":[]}]}]}]}
    """#,
    """
    {"type":"CalabashRootView","children":[{"type":"UIWindow","frame":{"x":0,"y":0,"width":1,"height":1},"description":
    "<UIWindow: 0x1; baseClass = UIView; text = 'a'>","children":[{"type":"E"}]}]}
    """,
    """
    Running on X
    {"attributes":{},"children":[{"attributes":{"class":"a.B","bounds":"[0,0][9,9]","text":"a"},"checked":false}]}
    """,
    #"{"value":"<?xml version=\"1.0\"?>\n<XCUIElementTypeApplication label=\"\u786e\\\"/>","sessionId":"A"}"#,
  ]

  /// Reads a capture and accesses everything in its tree.
  private static func read(_ bytes: [UInt8], format: CaptureFormat? = nil) -> String? {
    let result = dump(bytes, format: format)
    return result.hasPrefix("error: ") ? nil : result
  }

  @Test("a capture cut off at any byte is an error or a tree", arguments: samples.indices)
  func truncation(sample: Int) {
    let bytes = Array(Self.samples[sample].utf8)
    let whole = Self.read(bytes)
    #expect(whole != nil)
    for length in stride(from: 0, to: bytes.count, by: TestSize.stride(1)) {
      let cut = Self.read(Array(bytes[..<length]))
      // XML and JSON are whole or they are nothing; of lines there may be fewer.
      if ![4, 5, 6].contains(sample) { #expect(cut == nil, "\(length) of \(bytes.count) bytes") }
      for format in CaptureFormat.allCases { _ = Self.read(Array(bytes[..<length]), format: format) }
    }
  }

  @Test("a capture without its first bytes is an error or a tree", arguments: samples.indices)
  func headless(sample: Int) {
    let bytes = Array(Self.samples[sample].utf8)
    for start in stride(from: 1, to: bytes.count, by: TestSize.stride(1)) { _ = Self.read(Array(bytes[start...])) }
  }

  @Test(
    "a capture with random bytes changed is an error or a tree", arguments: samples.indices, [1, 2, 3, 4] as [UInt64])
  func flips(sample: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = Array(Self.samples[sample].utf8)
    let likely = Array("<>&;'\"=/ |()[]{}0\0\u{1}\n\r-.,:xe".utf8)
    for _ in 0..<TestSize.scaled(500) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged[place] = random.pick(likely)
        case 2: damaged.remove(at: place)
        default: damaged.insert(random.pick(likely), at: place)
        }
        if damaged.isEmpty { break }
      }
      _ = Self.read(damaged)
    }
  }

  @Test("random bytes are an error", arguments: 1...20 as ClosedRange<UInt64>)
  func noise(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for head in [
      [], Array("<".utf8), Array("<?xml ".utf8), [0xFF, 0xFE], [0xFE, 0xFF], [0x1F, 0x8B, 8], [0, 0, 0xFE, 0xFF],
    ] as [[UInt8]] {
      let bytes = head + (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Self.read(bytes) == nil, "seed \(seed), head \(head)")
    }
  }
}
