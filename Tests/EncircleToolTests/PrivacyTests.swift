import EncircleTestSupport
import Foundation
import Testing

/// Text that somebody typed never leaves the tool.
@Suite struct PrivacyTests {
  private static let secret = "do-not-leak"
  private static let formats = ["table", "json", "ndjson", "csv"]

  @Test(
    "no output for a shipped capture has what was typed in it", .articles("H37"), arguments: TestSize.scaled(formats),
    TestSize.scaled([[], ["--only", "trackable"], ["--only", "all", "--strict"]]))
  func shipped(format: String, options: [String]) throws {
    let result = try Tool.run(["resolve", "--format", format] + options + PackageFolder.captureNames)
    #expect(!result.text.contains(Self.secret))
    #expect(!result.errors.contains(Self.secret))
    #expect(!result.output.isEmpty)
  }

  @Test("captures with typed text are among the shipped ones")
  func isShipped() throws {
    let withSecret = try PackageFolder.captureNames.filter {
      String(decoding: try PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent($0)), as: UTF8.self)
        .contains(Self.secret)
    }
    #expect(withSecret.count >= 5)
  }

  private static let views: [String] = {
    // All classes of fields have the secret in every attribute that may hold text, and in views inside the field.
    let fields = [
      #"class="UITextField""#, #"class="UITextField" secure="true""#, #"class="UISearchTextField""#,
      #"class="UISearchBar""#, #"class="UITextView""#, #"class="NSKVONotifying_UITextField""#,
      #"class="XTextField""#, #"class="FancyTextInputView""#, #"class="PasswordField""#,
      #"class="Code" superclasses="UITextField UIControl UIView""#, #"class="Code" superclasses="UITextField""#,
      #"class="UIView" secure="true""#, #"class="UILabel" secure="YES""#, #"class="RCTUITextField""#,
      #"class="UITextField_Aspects_""#, #"class="UITextField" gestures="tap" actions="a:""#,
      #"class="Code" baseClass="UITextField" superclasses="UIView""#,
      #"class="Code" superclasses="UITextField" base-class="UIView""#,
    ]
    let secrets =
      #"text="do-not-leak" value="do-not-leak" label="do-not-leak" title="do-not-leak" message="do-not-leak""#
    return fields.flatMap { field in
      [
        "<view \(field) \(secrets)/>",
        "<view \(field)><view class='UIFieldEditor' \(secrets)><view class='UILabel' \(secrets)/><view class='UIButton' \(secrets)/></view></view>",
        "<view class='UITableView'><view class='C' superclasses='UITableViewCell' indexPath='0 0'><view class='UILabel' text='shown'/><view \(field) \(secrets)><view class='UILabel' \(secrets)/></view></view></view>",
        "<view class='_UIAlertControllerView' title='t' message='m' controller='UIAlertController'><view \(field) \(secrets)/></view>",
        "<view class='UINavigationBar'><view \(field) \(secrets)/></view>",
      ]
    } + [
      // Tokens are such cells inside a field.
      "<view class='UISearchBar'><view class='C' superclasses='UICollectionViewCell' indexPath='0 0' \(secrets)><view class='UILabel' \(secrets)/></view></view>"
    ]
  }()

  @Test("no field of a view tree reveals its text", arguments: formats)
  func viewTrees(format: String) throws {
    try check(Self.views.map { viewTree($0) }, format: format, status: 0)
  }

  @Test("no field of another tool's capture reveals its text", arguments: formats)
  func others(format: String) throws {
    let secrets = #"value="do-not-leak" text="do-not-leak" label="do-not-leak" name="do-not-leak" title="do-not-leak""#
    var captures: [String] = []
    for field in [
      "XCUIElementTypeTextField", "XCUIElementTypeSecureTextField", "XCUIElementTypeTextView",
      "XCUIElementTypeSearchField",
      "UIATextField", "UIASecureTextField", "UIATextView", "UIASearchBar",
    ] {
      let text = field.hasPrefix("UIA") ? "UIAStaticText" : "XCUIElementTypeStaticText"
      let alert = field.hasPrefix("UIA") ? "UIAAlert" : "XCUIElementTypeAlert"
      let cell = field.hasPrefix("UIA") ? "UIATableCell" : "XCUIElementTypeCell"
      captures += [
        "<AppiumAUT><\(field) \(secrets)/></AppiumAUT>",
        "<AppiumAUT><\(field)><\(text) \(secrets)/></\(field)></AppiumAUT>",
        "<AppiumAUT><\(cell)><\(field) \(secrets)><\(text) \(secrets)/></\(field)></\(cell)></AppiumAUT>",
        "<AppiumAUT><\(alert) label='t'><\(text) label='t'/><\(field) \(secrets)><\(text) \(secrets)/></\(field)></\(alert)></AppiumAUT>",
        "<AppiumAUT><\(alert) label='t'><\(field) \(secrets)><\(text) \(secrets)/><\(text) \(secrets)/></\(field)></\(alert)></AppiumAUT>",
      ]
    }
    let android = #"text="do-not-leak" content-desc="do-not-leak" resource-id="a:id/b""#
    for field in [
      #"class="android.widget.EditText""#, #"class="android.widget.EditText" password="true""#,
      #"class="android.widget.AutoCompleteTextView""#, #"class="com.x.FancyEditText""#,
      #"class="android.widget.TextView" password="true""#,
      #"class="com.google.android.material.textfield.TextInputEditText""#,
      #"class="android.widget.SearchView""#, #"class="androidx.appcompat.widget.SearchView""#,
    ] {
      captures += [
        "<hierarchy><node \(field) \(android)/></hierarchy>",
        "<hierarchy><node \(field)><node class='android.widget.TextView' \(android)/></node></hierarchy>",
        "<hierarchy><node class='android.widget.ListView'><node class='android.widget.LinearLayout'><node \(field) \(android)/></node></node></hierarchy>",
      ]
    }
    captures += [
      "<AppiumAUT><XCUIElementTypeOther type='XCUIElementTypeTextField' \(secrets)/></AppiumAUT>",
      "<hierarchy><android.widget.EditText class='android.widget.TextView' \(android)/></hierarchy>",
      "<ViewHierarchy><UIWindow class='UIWindow'><UITextField class='Code' text='do-not-leak'/></UIWindow></ViewHierarchy>",
      "<Code: <UITextField: 0x1; baseClass = UIView; frame = (0 0; 1 1); text = 'do-not-leak'>>",
    ]
    for field in [
      "UITextField: 0x1", "UITextView: 0x1", "XTextField: 0x1", "Code: 0x1; baseClass = UITextField",
      "Code: 0x1; baseClass = UITextField; baseClass = UIView", "UISearchBar: 0x1",
      "UITextField",
    ] {
      let rest =
        "frame = (0 0; 1 1); text = 'do-not-leak'; title = do-not-leak; accessibilityLabel = do-not-leak; placeholder = p"
      captures += [
        "<\(field); \(rest)>", "<\(field); frame = (0 0; 1 1); text = 'my 'do-not-leak'; tag = 1>",
        "<\(field); frame = (0 0; 1 1); text = 'a\ndo-not-leak\nb'; tag = 1>",
        "<\(field); frame = (0 0; 1 1)>\n   | <UIFieldEditor: 0x2; \(rest)>\n   |    | <UILabel: 0x3; \(rest)>",
      ]
    }
    try check(captures, format: format, status: 0)
  }

  @Test("no error message reveals typed text")
  func errors() throws {
    let secret = #"text="do-not-leak""#
    try check(
      [
        viewTree("<view class='UITextField' \(secret) frame='do-not-leak'/>"),
        viewTree("<view class='UITextField' \(secret) indexPath='do-not-leak'/>"),
        viewTree("<view class='UITextField' \(secret) \(secret)/>"), viewTree("<view class='UITextField' \(secret)"),
        viewTree("<view class='UITextField' text='&do-not-leak;'/>"),
        viewTree("<view class='UITextField' text='a' do-not-leak'/>"),
        viewTree("<view class='UITextField' text='it's do-not-leak'/>"),
        viewTree("<view class='UITextField'>do-not-leak</view>"), viewTree("<view \(secret)/>"),
        "<hierarchy><node class='android.widget.EditText' \(secret) bounds='do-not-leak'/></hierarchy>",
        "<AppiumAUT><XCUIElementTypeTextField value='do-not-leak' x='do-not-leak'/></AppiumAUT>",
        "<UITextField: 0x1; text = 'do-not-leak", "<UITextField: 0x1; text = 'do-not-leak'; frame = (do-not-leak)>",
        "<UITextField: 0x1>\ndo-not-leak <", "<UITextField: 0x1; text = 'a'> do-not-leak'; tag = 1>",
      ], format: "ndjson", status: 65)
  }

  private func check(_ captures: [String], format: String, status: Int32) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for (i, capture) in captures.enumerated() { try folder.write("\(i).xml", capture) }
    let result = try Tool.run(["resolve", "--format", format, "."], in: folder.url)
    #expect(result.status == status, "\(result.errors)")
    for line in result.lines + result.errors.split(separator: "\n") where line.contains(Self.secret) {
      let name = line.split(separator: "/").dropFirst().first?.split(separator: ".").first.map(String.init) ?? ""
      Issue.record("\(line)\nin \(Int(name).map { captures[$0] } ?? "an unknown capture")")
    }
  }
}
