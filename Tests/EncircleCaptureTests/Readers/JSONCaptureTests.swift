import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct JSONCaptureTests {
  @Test(
    "every dialect gives classes, frames in the superview's coordinates and its other facts",
    arguments: [
      (
        #"{"rendering_system":"UIKIT","windows":[{"type":"UIWindow","identifier":"w","x":1,"y":2,"width":30,"height":40,"alpha":0.5,"visible":true,"children":[{"type":"UIView","x":3,"y":4,"width":5,"height":6,"visible":false,"view_controller":"Shop.Home","children":[]}]},{"type":"B","children":null}]}"#,
        "UIWindow (1 2 30 40) identifier='w' alpha='0.5'\n  UIView (3 4 5 6) hidden='true' controller='Shop.Home'\nB"
      ),
      (
        #"{"rendering_system":"android_view_system","windows":[{"type":"a.B","visibility":"gone"},{"type":"a.C","visibility":"visible"}]}"#,
        "a.B hidden='true'\na.C"
      ),
      (
        #"{"type":"CalabashRootView","visible":1,"children":[{"type":"UIWindow","id":null,"frame":{"y":2,"x":1,"width":3,"height":4},"rect":{"x":9},"description":"<UIWindow: 0x1; frame = (1 2; 3 4)>","children":[{"type":"Code","id":"c","label":"l","frame":{"x":1,"y":1,"width":1,"height":1},"description":"<Code: 0x2; baseClass = UITextField; hidden = YES; text = 'typed'>","enabled":true},{"type":"UIAccessibilityElement","children":[{"type":"A","frame":{}}]}]}]}"#,
        "UIWindow (1 2 3 4)\n  Code (1 1 1 1) superclasses='UITextField' hidden='YES' identifier='c' label='l' enabled='true'"
      ),
      (
        #"{"children":[{"type":"Window","rect":{"x":10,"y":20,"width":30,"height":40},"children":[{"type":"Button","id":"b","label":"OK","rect":{"x":15.5,"y":20,"width":1,"height":2},"hit_point":{"x":1,"y":1}}]}],"type":"Application","rect":{"x":0,"y":0,"width":99,"height":99},"test_id":1}"#,
        "XCUIElementTypeApplication (0 0 99 99) test_id='1'\n  XCUIElementTypeWindow (10 20 30 40)\n    XCUIElementTypeButton (5.5 0 1 2) identifier='b' label='OK'"
      ),
      (
        "Running on emulator\n\n{\"attributes\":{},\"children\":[{\"attributes\":{\"ignoreBoundsFiltering\":\"false\"},\"checked\":false,\"children\":[{\"attributes\":{\"class\":\"a.B\",\"bounds\":\"[1,2][11,22]\",\"resource-id\":\"r\",\"accessibilityText\":\"d\",\"hintText\":\"\"},\"children\":[{\"attributes\":{\"class\":\"a.C\",\"bounds\":\"[2,2][3,3]\"}}]}]}]}\n",
        "a.B (1 2 10 20) identifier='r' label='d' placeholder=''\n  a.C (1 0 1 1)"
      ),
      (
        #"{"attributes":{"text":"typed","bounds":"[0,0][9,9]"},"children":[]}"#,
        "node (0 0 9 9) secure='unknown' text='typed'"
      ),
      (
        #"{"axeContext":{"axeView":{"children":[{"className":"a.B","boundsInScreen":{"left":1,"top":2,"right":4,"bottom":6},"contentDescription":null,"isClickable":true,"labeledBy":{"className":"a.Z"},"children":[{"className":"a.C","text":"t","boundsInScreen":{"left":2,"top":2,"right":4,"bottom":6}}]}]},"screenshot":"x"}}"#,
        "a.B (1 2 3 4) clickable='true'\n  a.C (1 0 2 4) text='t'"
      ),
      (
        #"{"value":{"type":"XCUIElementTypeApplication","name":"n","rect":{"x":0,"y":0,"width":9,"height":9},"frame":"{{0, 0}, {9, 9}}","isEnabled":"1","children":[{"type":"Alert","label":"T","children":[{"type":"StaticText","label":"T"},{"type":"StaticText","label":"M"}]}]}}"#,
        "XCUIElementTypeApplication (0 0 9 9) identifier='n' enabled='1'\n  XCUIElementTypeAlert label='T' +title='T' +message='M'\n    XCUIElementTypeStaticText label='T'\n    XCUIElementTypeStaticText label='M'"
      ),
      (
        #"{"value":"<?xml version=\"1.0\"?>\n<AppiumAUT><UIAWindow name=\"确 &amp; \ud83d\ude00\"/></AppiumAUT>","sessionId":"A","status":0}"#,
        "UIAWindow identifier='确 & 😀'"
      ),
      (
        #"{"value":"Attributes: Application, 0x1\nElement subtree:\n →Application, 0x1, label: 'A'\n    Window, 0x2"}"#,
        "XCUIElementTypeApplication label='A'\n  XCUIElementTypeWindow"
      ),
    ])
  func dialects(capture: String, expected: String) {
    #expect(dump(capture) == expected)
  }

  @Test("edges whose distance is infinite give no frame", arguments: ["left", "top"])
  func infiniteSize(edge: String) {
    var edges = ["left": "0", "top": "0", "right": "1e308", "bottom": "1e308"]
    edges[edge] = "-1e308"
    let members = edges.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
    #expect(dump(#"{"axeContext":{"axeView":{"className":"a.B","boundsInScreen":{\#(members)}}}}"#) == "a.B")
  }

  @Test(
    "broken parts are errors at their places, without texts",
    arguments: [
      ("{\"windows\":[{\"type\":\"A\"}^", CaptureError.Kind.truncated("the JSON is not complete")),
      ("{\"windows\":[{\"type\":\"A\"}] ^x}", .malformedJSON("expected ',' or '}' after the member")),
      ("{\"windows\":[{\"type\":\"A\"}]} ^{\"S3CR3T\":1}", .malformedJSON("unexpected text after the value")),
      ("{\"windows\":[\n^{\"S3CR3T\":\"A\"}]}", .missingClass(element: "{")),
      ("{\"windows\":[^\"S3CR3T\"]}", .badAttribute(name: "children", expected: "an array of objects")),
      (
        "{\"windows\":[{\"type\":\"A\",\"children\":^{}}]}",
        .badAttribute(name: "children", expected: "an array")
      ),
      ("{\"windows\":[{\"type\":\"A\",\"x\":^\"S3CR3T\"}]}", .badAttribute(name: "x", expected: "a finite number")),
      ("{\"windows\":[{\"type\":\"A\",\"x\":^1e999}]}", .badAttribute(name: "x", expected: "a finite number")),
      ("{\"windows\":^[]}", .noElements),
      (
        #"^[{"class":"UIWindow","rect":{},"label":"S3CR3T"}]"#,
        .unknownFormat("a list of views without their nesting, as a query of Calabash gives")
      ),
      ("^{\"value\":\"S3CR3T\"}", .unknownFormat("JSON")),
      (
        #"^{"value":{"error":"invalid session id","message":"S3CR3T"}}"#,
        .unknownFormat("an error that the driver reports instead of the page source")
      ),
      (
        #"{"value":"<UIAWindow>\n<a \u003e</UIAWindow>","sessionId":"S3CR3T"}"#,
        .unknownElement(expected: "a type such as 'XCUIElementTypeButton'")
      ),
    ])
  func broken(marked: String, kind: CaptureError.Kind) {
    let (text, location) = unmarked(marked)
    let error = readingError(text)
    #expect(error?.kind == kind)
    if let location { #expect(error?.location == location) }
    #expect(!(error?.description.contains("S3CR3T") ?? false))
  }

  @Test("a place in a page source wrapped in JSON is a place in the JSON, whatever is escaped before it")
  func wrapped() {
    let (text, location) = unmarked(
      #"{"value":"<?xml version=\"1.0\"?>\n<UIAWindow name=\"\u786e\ud83d\ude00\">^<a\/><\/UIAWindow>"}"#)
    #expect(
      readingError(text)
        == CaptureError(.unknownElement(expected: "a type such as 'XCUIElementTypeButton'"), at: location))
  }

  @Test("a Calabash view with a missing or broken description may be a field")
  func descriptions() {
    for description in [
      "", #""description":"","#, #""description":"<A: 0x1; text = 'a","#, #""description":7,"#,
      #""description":"<A: 0x1; baseClass =UITextField>","#,
    ] {
      let text = #"{"type":"CalabashRootView","children":[{"type":"A",\#(description)"frame":{},"text":"t"}]}"#
      #expect(dump(text).contains("secure='unknown'"), "\(description)")
    }
  }

  @Test(
    "a view whose superclasses or secrecy are a list or an object may be a field",
    arguments: [
      #""superclasses":["UITextField","UIView"]"#, #""baseClass":{"name":"UITextView"}"#, #""secure":[true]"#,
    ])
  func unreadableSigns(member: String) {
    #expect(dump(#"{"windows":[{"type":"A",\#(member),"text":"t"}]}"#) == "A secure='unknown' text='t'")
  }

  @Test("a view may be a field if any of its classes is one")
  func severalClasses() {
    let calabash =
      #"{"type":"CalabashRootView","children":[{"type":"A","description":"<UITextField: 0x1>","frame":{},"text":"t"}]}"#
    let maestro =
      #"{"attributes":{"class":"a.B","text":"t"},"class":"android.widget.EditText","children":[]}"#
    let sentry = #"{"windows":[{"type":"UITextField","type":"A","text":"t"}]}"#
    for text in [calabash, maestro, sentry] { #expect(dump(text).contains("secure='unknown'"), "\(text)") }
    #expect(!dump(calabash.replacing("UITextField", with: "UILabel")).contains("secure"))
  }

  @Test("the limits apply to JSON")
  func limits() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (#"{"windows":["# + String(repeating: #"{"type":"A","children":["#, count: depth)
          + String(repeating: "]}", count: depth) + "]}").utf8)
    }
    #expect(readingError(nested(1_000)) == nil)
    #expect(readingError(nested(1_001))?.kind == .tooDeep(limit: 1_000))
    #expect(readingError(nested(10_000))?.kind == .tooDeep(limit: 1_000))
    let siblings = Array(
      (#"{"windows":["# + Array(repeating: #"{"type":"A","t":"x"}"#, count: 50).joined(separator: ",") + "]}").utf8)
    func kind(_ change: (inout CaptureLimits) -> Void, _ text: [UInt8]) -> CaptureError.Kind? {
      var limits = CaptureLimits()
      change(&limits)
      return readingError(text, limits: limits)?.kind
    }
    #expect(kind({ $0.elements = 50 }, siblings) == nil)
    #expect(kind({ $0.elements = 49 }, siblings) == .tooManyElements(limit: 49))
    #expect(kind({ $0.attributes = 0 }, siblings) == .tooManyAttributes(limit: 0))
    #expect(kind({ $0.attributeBytes = 0 }, siblings) == .attributeTooLong(limit: 0))
    #expect(kind({ $0.jsonValues = 100 }, siblings) == .tooManyValues(limit: 100))
    #expect(kind({ $0.jsonValues = 300 }, siblings) == nil)
    #expect(kind({ $0.pathBytes = 0 }, siblings) == .pathTooLong(limit: 0))
  }
}
