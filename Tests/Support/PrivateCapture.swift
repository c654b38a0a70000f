import EncircleTree

/// A random capture that has a marker wherever a text may be that somebody typed, and public texts elsewhere.
public struct PrivateCapture: Sendable {
  /// The text that no output may have.
  public static let marker = "S3CR3T"

  public let format: CaptureFormat
  public let text: String

  /// Makes a capture; the same seed makes the same one.
  public init(_ format: CaptureFormat, seed: UInt64) {
    self.format = format
    var random = SeededGenerator(seed: seed)
    let body = (0..<2).map { _ in Self.view(format, depth: 0, isPrivate: false, &random) }.joined(separator: "\n")
    text =
      switch format {
      case .viewTree: "<viewTree version=\"1\" app=\"a.b\">\n\(body)\n</viewTree>\n"
      case .webDriverAgent: "<AppiumAUT>\n\(body)\n</AppiumAUT>\n"
      case .uiautomator: "<?xml version='1.0' encoding='UTF-8' ?>\n<hierarchy rotation=\"0\">\n\(body)\n</hierarchy>\n"
      case .recursiveDescription: body + "\n"
      case .xcuiDescription: "Element subtree:\n \(Self.arrow)Application, 0x1, pid: 7\n\(body)\nPath to element:\n"
      case .detox: "<?xml version=\"1.0\"?>\n<ViewHierarchy>\n\(body)\n</ViewHierarchy>\n"
      case .sentry: #"{"rendering_system":"UIKIT","windows":[\#(body.replacing("}\n{", with: "},\n{"))]}"#
      case .calabash: #"{"type":"CalabashRootView","children":[\#(body.replacing("}\n{", with: "},\n{"))]}"#
      case .deviceAgent:
        #"{"type":"Application","test_id":1,"children":[\#(body.replacing("}\n{", with: "},\n{"))]}"#
      case .maestro: #"{"attributes":{},"children":[\#(body.replacing("}\n{", with: "},\n{"))]}"#
      case .html: "<html><body>\n\(body)\n</body></html>\n"
      case .webSnapshot: #"{"root":["body",{},[\#(body.replacing("]\n[", with: "],\n["))]]}"#
      case .axe: #"{"axeContext":{"axeView":{"children":[\#(body.replacing("}\n{", with: "},\n{"))]}}}"#
      }
  }

  private static let arrow = "\u{2192}"

  /// The capture, broken once at an offset in bytes: cut off there, or with one byte more or less.
  ///
  /// It never removes a letter, inserts something into a word, adds or removes a bar, or adds a space at the beginning of a line.
  /// That would change what must be hidden: a class with another name is another class, which nobody can know to have been a
  /// field, and a view at another depth is inside another view.
  public func broken(at offset: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    let isInWord = offset > 0 && Self.isLetter(bytes[offset - 1]) && Self.isLetter(bytes[offset])
    let isIndent = format == .xcuiDescription && offset > 0 && [0x20, 0x0A].contains(bytes[offset - 1])
    switch isInWord || isIndent ? 0 : Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(offset...)
    case 1 where !Self.isLetter(bytes[offset]) && bytes[offset] != UInt8(ascii: "|"): bytes.remove(at: offset)
    default: bytes.insert(random.pick(Array("<>&'\"=;:/ \n\0({)}\\-!?".utf8) + [0xFF, 0xC3]), at: offset)
    }
    return bytes
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

  // MARK: - Views

  private static func view(
    _ format: CaptureFormat, depth: Int, isPrivate: Bool, _ random: inout SeededGenerator
  ) -> String {
    let becomesPrivate = depth > 0 && random.oneIn(3)
    let hidden = isPrivate || becomesPrivate
    let secret = random.pick(["S3CR3T S3CR3T", "S3CR3T", "a S3CR3T it S3CR3T"])
    let children = depth < 3 ? Int.random(in: 0...2, using: &random) : 0
    var inner: [String] = []
    for _ in 0..<children { inner.append(view(format, depth: depth + 1, isPrivate: hidden, &random)) }
    let content = inner.joined(separator: "\n")
    func tag(_ name: String, _ attributes: String) -> String {
      content.isEmpty ? "<\(name) \(attributes)/>" : "<\(name) \(attributes)>\n\(content)\n</\(name)>"
    }
    let shown = hidden ? secret : random.pick(["确定", "OK", "a & b"]).replacing("&", with: "&amp;")
    switch format {
    case .viewTree:
      let head = random.pick(
        becomesPrivate ? viewTreeFields : [#"class="UIView""#, #"class="UILabel""#, #"class="UIButton""#])
      let texts = ["text", "title", "value", "label"].map { "\($0)=\"\(shown)\"" }.joined(separator: " ")
      return tag("view", "\(head) frame=\"0 0 9 9\" \(texts)")
    case .webDriverAgent:
      let name = random.pick(
        becomesPrivate
          ? ["TextField", "SecureTextField", "TextView", "SearchField", "ComboBox", "Keyboard"].map {
            "XCUIElementType" + $0
          }
          : ["XCUIElementTypeOther", "XCUIElementTypeCell", "XCUIElementTypeStaticText", "XCUIElementTypeAlert"])
      return tag(
        name, "x=\"0\" y=\"0\" width=\"9\" height=\"9\" value=\"\(shown)\" label=\"\(shown)\" title=\"\(shown)\"")
    case .uiautomator:
      let head = random.pick(becomesPrivate ? androidFields : [#"class="android.widget.TextView" password="false""#])
      return tag("node", "\(head) text=\"\(shown)\" bounds=\"[0,0][9,9]\"")
    case .recursiveDescription:
      let bars = depth == 0 ? "" : "   " + Array(repeating: "|", count: depth).joined(separator: "    ") + " "
      let head = random.pick(becomesPrivate ? describedFields : ["UIView: 0x1", "UILabel: 0x2"])
      let line = "\(bars)<\(head); frame = (0 0; 9 9); text = '\(shown)'; layer = <CALayer: 0x3>>"
      return content.isEmpty ? line : line + "\n" + content
    case .xcuiDescription:
      let indent = String(repeating: "  ", count: depth + 2)
      let type = random.pick(
        becomesPrivate
          ? ["TextField", "SecureTextField", "TextView", "SearchField", "ComboBox", "Keyboard"]
          : ["Other", "Cell", "StaticText", "Alert", "Window (Main)"])
      let quote = random.pick(["", "'"])
      let line =
        "\(indent)\(type), 0x1a, {{0.0, 0.0}, {9.0, 9.0}}, label: '\(shown)', title: '\(shown)', value: \(quote)\(shown)\(quote)"
      return content.isEmpty ? line : line + "\n" + content
    case .detox:
      let head = random.pick(becomesPrivate ? viewTreeFields : [#"class="UIView""#, #"class="UILabel""#])
      return tag(
        "View",
        "\(head) x=\"0\" y=\"0\" width=\"9\" height=\"9\" text=\"\(shown)\" label=\"\(shown)\" value=\"\(shown)\"")
    // Nothing lies in a field.
    case .html:
      return becomesPrivate
        ? "<input type=text value='\(secret)'>\n\(content)"
        : "<div title='OK'>\(hidden ? "OK" : shown)\n\(content)</div>"
    case .webSnapshot:
      let children = inner.joined(separator: ",")
      return becomesPrivate
        ? #"["div",{},[["input",{"type":"text","value":"\#(secret)"},[]]\#(children.isEmpty ? "" : ",")\#(children)]]"#
        : #"["div",{"title":"OK"},["\#(hidden ? "OK" : shown)"\#(children.isEmpty ? "" : ",")\#(children)]]"#
    case .sentry, .calabash, .deviceAgent, .maestro, .axe:
      return object(format, becomesPrivate, shown, inner, &random)
    }
  }

  /// An element in JSON.
  private static func object(
    _ format: CaptureFormat, _ isField: Bool, _ shown: String, _ inner: [String], _ random: inout SeededGenerator
  ) -> String {
    let children = #""children":[\#(inner.joined(separator: ","))]"#
    let texts = #""text":"\#(shown)","label":"\#(shown)","value":"\#(shown)","title":"\#(shown)""#
    switch format {
    case .calabash:
      let described = random.pick(isField ? describedFields : ["UIView: 0x1", "UILabel: 0x2"])
      let name = described.prefix { $0 != ":" }
      return
        #"{"type":"\#(name)","frame":{"x":0,"y":0,"width":9,"height":9},"description":"<\#(described); frame = (0 0; 9 9); text = '\#(shown)'>",\#(texts),\#(children)}"#
    case .deviceAgent:
      let type = random.pick(isField ? ["TextField", "SecureTextField", "TextView"] : ["Other", "Cell", "StaticText"])
      return #"{\#(children),"type":"\#(type)","rect":{"x":0,"y":0,"width":9,"height":9},\#(texts),"test_id":7}"#
    case .maestro:
      let head = random.pick(
        isField
          ? [#""class":"android.widget.EditText""#, #""class":"a.B","password":"true""#, #""bounds":"[0,0][9,9]""#]
          : [#""class":"android.widget.TextView""#])
      let own = #"{"attributes":{\#(head),"text":"\#(shown)","accessibilityText":"\#(shown)"},\#(children)}"#
      return own
    case .axe:
      let head = random.pick(
        isField
          ? [#""className":"android.widget.EditText""#, #""className":"a.B","isPassword":true"#]
          : [#""className":"android.widget.TextView""#])
      return #"{\#(head),"text":"\#(shown)","contentDescription":"\#(shown)",\#(children)}"#
    default:
      let type = random.pick(isField ? ["UITextField", "UITextView", "Shop.PasswordInput"] : ["UIView", "UILabel"])
      return #"{"type":"\#(type)","x":0,"y":0,"width":9,"height":9,\#(texts),\#(children)}"#
    }
  }

  private static let viewTreeFields = [
    #"class="UITextField""#, #"class="UITextView""#, #"class="UISearchBar""#, #"class="PasswordInput""#,
    #"class="FlutterTextInputView" superclasses="UIView UIResponder""#, #"class="UIFieldEditor""#,
    #"class="ShopPinView" superclasses="UIView""#, #"class="Code" superclasses="UITextView UIScrollView UIView""#,
    #"class="UILabel" secure="true""#, #"class="UILabel" secure="TRUE""#, #"class="UILabel" secure="on""#,
    #"class="UILabel" secure=" true""#, #"class="UILabel" secure="""#,
    #"class="Code" superclasses="UIView" baseClass="UITextField""#,
    #"class="Code" baseClass="UITextField" superclasses="UIView""#,
  ]
  private static let androidFields = [
    #"class="android.widget.EditText""#, #"class="android.widget.TextView" password="true""#,
    #"class="com.x.NoteEdit""#, #"class="android.widget.AutoCompleteTextView""#, #"class="com.x.PinEntryBox""#,
  ]
  private static let describedFields = [
    "UITextField: 0x1", "UITextView: 0x2; baseClass = UIScrollView", "Code: 0x3; baseClass = UITextField",
    "Shop.PasswordInput: 0x4", "UISearchBar: 0x5",
  ]
}
