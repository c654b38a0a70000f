import EncircleText
import EncircleTree

/// The meaning of an attribute in an XML capture.
enum AttributeMeaning: Equatable {
  case className
  /// `x y width height` in the superview's coordinates
  case frame
  /// `[left,top][right,bottom]` in the screen's coordinates
  case bounds
  /// One number of the bounds, in the screen's coordinates
  case x, y, width, height
  case indexPath
  /// `visible`, `invisible` or `gone`
  case visibility
  /// An identifier that Detox may have made up for the dump.
  case temporaryIdentifier
  case attribute(AttributeName)
}

/// The variants of XML captures that differ in their elements and attributes.
enum XMLDialect: Equatable {
  /// `<viewTree><view class=…>`
  case viewTree
  /// `<XCUIElementTypeButton …>` and, older, `<UIAButton …>`, bare or in `<AppiumAUT>`
  case webDriverAgent
  /// `<hierarchy><node class=…>` of uiautomator
  case uiautomatorNodes
  /// `<hierarchy><android.widget.Button class=…>` of Appium
  case uiautomatorClasses
  /// `<ViewHierarchy><UIWindow class=…>` of Detox, with frames in the superview's coordinates on iOS, in the window's on
  /// Android
  case detox(isAndroid: Bool)

  var format: CaptureFormat {
    switch self {
    case .viewTree: .viewTree
    case .webDriverAgent: .webDriverAgent
    case .uiautomatorNodes, .uiautomatorClasses: .uiautomator
    case .detox: .detox
    }
  }

  /// This is true if the name of an element is its class if no attribute gives the class.
  var tagIsClass: Bool { self == .webDriverAgent || self == .uiautomatorClasses }

  /// This is true if bounds are in the screen's coordinates rather than in the superview's.
  var hasAbsoluteBounds: Bool { self != .viewTree && self != .detox(isAndroid: false) }

  /// The name for the dialect's elements in messages.
  var elementDescription: String {
    switch self {
    case .viewTree: "element 'viewTree'"
    case .webDriverAgent: "elements of WebDriverAgent"
    case .uiautomatorNodes: "element 'node'"
    case .uiautomatorClasses: "elements of UiAutomator2"
    case .detox: "element 'ViewHierarchy'"
    }
  }

  /// Returns the meaning of an attribute, or nil to keep it under its own name.
  func meaning(of name: UnsafeBufferPointer<UInt8>) -> AttributeMeaning? {
    let rows: [(StaticString, AttributeMeaning)] =
      switch self {
      case .viewTree: Self.viewTreeAttributes
      case .webDriverAgent: Self.webDriverAgentAttributes
      case .uiautomatorNodes, .uiautomatorClasses: Self.uiautomatorAttributes
      case .detox: Self.detoxAttributes
      }
    return rows.first { sameBytes(name, $0.0) }?.1 ?? Self.privacyAttribute(name).map { .attribute($0) }
  }

  /// Returns the information about typed text in an attribute, in whatever format and spelling: that the text is secret, or that the
  /// class is for typing; nil if it contains neither.
  static func privacyAttribute(_ name: UnsafeBufferPointer<UInt8>) -> AttributeName? {
    let secret: [StaticString] = [
      "secure", "password", "securetextentry", "issecuretextentry", "issecure", "ispassword",
    ]
    guard name.count <= 24 else { return nil }
    let letters = name.filter(isLetter).map(lowercased)
    return letters.withUnsafeBufferPointer { letters in
      if secret.contains(where: { sameBytes(letters, $0) }) { return .secure }
      return sameBytes(letters, "superclasses") || sameBytes(letters, "baseclass") ? .superclasses : nil
    }
  }

  private static let viewTreeAttributes: [(StaticString, AttributeMeaning)] = [
    ("class", .className), ("frame", .frame), ("indexPath", .indexPath),
  ]

  private static let webDriverAgentAttributes: [(StaticString, AttributeMeaning)] = [
    ("x", .x), ("y", .y), ("width", .width), ("height", .height),
    ("name", .attribute(.identifier)), ("placeholderValue", .attribute(.placeholder)),
  ]

  private static let detoxAttributes: [(StaticString, AttributeMeaning)] = [
    ("class", .className), ("x", .x), ("y", .y), ("width", .width), ("height", .height), ("visibility", .visibility),
    ("id", .temporaryIdentifier), ("hint", .attribute(.placeholder)),
  ]

  private static let uiautomatorAttributes: [(StaticString, AttributeMeaning)] = [
    ("class", .className), ("bounds", .bounds),
    ("content-desc", .attribute(.label)), ("resource-id", .attribute(.identifier)),
    ("hint", .attribute(.placeholder)), ("password", .attribute(.secure)), ("checked", .attribute(.on)),
    ("long-clickable", .attribute(.longClickable)),
  ]
}
