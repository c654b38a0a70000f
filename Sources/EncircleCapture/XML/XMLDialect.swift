import EncircleText
import EncircleTree

/// What an attribute of an XML capture says.
enum AttributeMeaning: Equatable {
  case className
  /// `x y width height` in the superview's coordinates.
  case frame
  /// `[left,top][right,bottom]` on the screen.
  case bounds
  /// A side of the bounds on the screen.
  case x, y, width, height
  case indexPath
  case attribute(AttributeName)
}

/// The XML formats, as far as their elements and attributes differ.
enum XMLDialect {
  /// `<viewTree><view class=…>`
  case viewTree
  /// `<XCUIElementTypeButton …>` and, older, `<UIAButton …>`, bare or in `<AppiumAUT>`
  case webDriverAgent
  /// `<hierarchy><node class=…>` of uiautomator
  case uiautomatorNodes
  /// `<hierarchy><android.widget.Button class=…>` of Appium
  case uiautomatorClasses

  var format: CaptureFormat {
    switch self {
    case .viewTree: .viewTree
    case .webDriverAgent: .webDriverAgent
    case .uiautomatorNodes, .uiautomatorClasses: .uiautomator
    }
  }

  /// Whether the element's name is its class, unless an attribute names it.
  var tagIsClass: Bool { self == .webDriverAgent || self == .uiautomatorClasses }

  /// Whether bounds are those on the screen.
  var hasAbsoluteBounds: Bool { self != .viewTree }

  /// The meaning of an attribute; nil for one that is kept under its own name.
  func meaning(of name: UnsafeBufferPointer<UInt8>) -> AttributeMeaning? {
    let rows: [(StaticString, AttributeMeaning)] =
      switch self {
      case .viewTree: Self.viewTreeAttributes
      case .webDriverAgent: Self.webDriverAgentAttributes
      case .uiautomatorNodes, .uiautomatorClasses: Self.uiautomatorAttributes
      }
    return rows.first { sameBytes(name, $0.0) }?.1
  }

  private static let viewTreeAttributes: [(StaticString, AttributeMeaning)] = [
    ("class", .className), ("frame", .frame), ("indexPath", .indexPath),
  ]

  private static let webDriverAgentAttributes: [(StaticString, AttributeMeaning)] = [
    ("x", .x), ("y", .y), ("width", .width), ("height", .height),
    ("name", .attribute(.identifier)), ("placeholderValue", .attribute(.placeholder)),
  ]

  private static let uiautomatorAttributes: [(StaticString, AttributeMeaning)] = [
    ("class", .className), ("bounds", .bounds),
    ("content-desc", .attribute(.label)), ("resource-id", .attribute(.identifier)),
    ("hint", .attribute(.placeholder)), ("password", .attribute(.secure)), ("checked", .attribute(.on)),
    ("long-clickable", .attribute(.longClickable)),
  ]
}
