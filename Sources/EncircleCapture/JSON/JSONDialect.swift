import EncircleText
import EncircleTree

/// The meaning of a member of an element in JSON.
enum JSONMeaning: Equatable {
  case className
  case children
  /// An object whose members are treated like members of the element.
  case attributes
  /// `{"x":…,"y":…,"width":…,"height":…}`
  case rectangle
  /// `{"left":…,"top":…,"right":…,"bottom":…}`
  case edges
  /// `[left,top][right,bottom]`
  case bounds
  /// One number of the bounds
  case x, y, width, height
  /// The word that says whether the view is visible, as Android or JSON has it.
  case visibility
  /// UIKit's `description` of the view.
  case description
  /// Not of interest, or private
  case ignored
  case attribute(AttributeName)
}

/// The variants of JSON captures that differ in their members.
enum JSONDialect {
  case sentry, calabash, deviceAgent, maestro, axe
  /// The page source of WebDriverAgent with `?format=json`
  case webDriverAgent

  var format: CaptureFormat {
    switch self {
    case .sentry: .sentry
    case .calabash: .calabash
    case .deviceAgent: .deviceAgent
    case .maestro: .maestro
    case .axe: .axe
    case .webDriverAgent: .webDriverAgent
    }
  }

  /// This is true if frames are in the screen's coordinates rather than in the superview's.
  var hasAbsoluteBounds: Bool {
    switch self {
    case .sentry, .calabash: false
    case .deviceAgent, .maestro, .axe, .webDriverAgent: true
    }
  }

  /// Returns the meaning of a member, or nil to keep it under its own name.
  func meaning(of name: UnsafeBufferPointer<UInt8>) -> JSONMeaning? {
    let rows: [(StaticString, JSONMeaning)] =
      switch self {
      case .sentry: Self.sentryMembers
      case .calabash: Self.calabashMembers
      case .deviceAgent: Self.deviceAgentMembers
      case .maestro: Self.maestroMembers
      case .axe: Self.axeMembers
      case .webDriverAgent: Self.webDriverAgentMembers
      }
    return rows.first { sameBytes(name, $0.0) }?.1 ?? XMLDialect.privacyAttribute(name).map { .attribute($0) }
  }

  private static let sentryMembers: [(StaticString, JSONMeaning)] = [
    ("type", .className), ("children", .children), ("x", .x), ("y", .y), ("width", .width), ("height", .height),
    ("visible", .visibility), ("visibility", .visibility), ("view_controller", .attribute(.controller)),
    // Sentry writes no descriptions. An element that has one comes from Calabash, which gives superclasses only there.
    ("description", .description),
  ]

  private static let calabashMembers: [(StaticString, JSONMeaning)] = [
    ("type", .className), ("children", .children), ("frame", .rectangle), ("id", .attribute(.identifier)),
    ("description", .description), ("rect", .ignored), ("hit-point", .ignored),
  ]

  private static let deviceAgentMembers: [(StaticString, JSONMeaning)] = [
    ("type", .className), ("children", .children), ("rect", .rectangle), ("id", .attribute(.identifier)),
    ("placeholderValue", .attribute(.placeholder)), ("hit_point", .ignored),
  ]

  private static let webDriverAgentMembers: [(StaticString, JSONMeaning)] = [
    ("type", .className), ("children", .children), ("rect", .rectangle), ("frame", .ignored),
    ("name", .attribute(.identifier)), ("placeholderValue", .attribute(.placeholder)),
    ("isEnabled", .attribute(.enabled)),
  ]

  private static let maestroMembers: [(StaticString, JSONMeaning)] = [
    ("class", .className), ("children", .children), ("attributes", .attributes), ("bounds", .bounds),
    ("accessibilityText", .attribute(.label)), ("hintText", .attribute(.placeholder)),
    ("resource-id", .attribute(.identifier)), ("checked", .attribute(.on)),
  ]

  private static let axeMembers: [(StaticString, JSONMeaning)] = [
    ("className", .className), ("children", .children), ("boundsInScreen", .edges),
    ("contentDescription", .attribute(.label)), ("viewIdResourceName", .attribute(.identifier)),
    ("hintText", .attribute(.placeholder)), ("isClickable", .attribute(.clickable)),
    ("isLongClickable", .attribute(.longClickable)), ("isEnabled", .attribute(.enabled)),
    ("isChecked", .attribute(.on)), ("labeledBy", .ignored),
  ]
}

/// The place of the elements in a JSON capture.
struct JSONRoot {
  let dialect: JSONDialect
  /// The node of the element without a superview or, if there can be several such elements, of their array.
  let node: Int
  /// The operating system, if the capture names it.
  var os: String?

  /// Determines the dialect of JSON; nil if it is in no known dialect.
  ///
  /// - Complexity: O(members of the first objects).
  init?(of document: JSONCaptureText) {
    func has(_ name: StaticString, in node: Int = 0) -> Bool { document.member(name, of: node) != nil }
    func isWord(_ name: StaticString, _ word: StaticString) -> Bool {
      document.member(name, of: 0).map { document.withScalar(of: $0) { sameBytes($0, word) } } ?? false
    }
    guard document.kind(of: 0) == .object else { return nil }
    if let windows = document.member("windows", of: 0), document.kind(of: windows) == .array {
      self.init(dialect: .sentry, node: windows)
      if isWord("rendering_system", "UIKIT") || isWord("rendering_system", "apple_uikit") { os = "iOS" }
      if isWord("rendering_system", "android_view_system") { os = "Android" }
    } else if let context = document.object("axeContext", of: 0), let view = document.object("axeView", of: context) {
      self.init(dialect: .axe, node: view)
    } else if let value = document.object("value", of: 0), has("type", in: value) {
      self.init(dialect: .webDriverAgent, node: value)
    } else if document.object("attributes", of: 0) != nil, has("children") {
      self.init(dialect: .maestro, node: 0)
    } else if has("type") {
      let dialect: JSONDialect? =
        if isWord("type", "CalabashRootView") || document.object("frame", of: 0) != nil && has("description") {
          .calabash
        } else if has("test_id") || has("hit_point") || has("hitable") {
          .deviceAgent
        } else if document.object("rect", of: 0) != nil {
          .webDriverAgent
        } else if has("children") || has("width") || has("x") {
          .sentry
        } else {
          nil
        }
      guard let dialect else { return nil }
      self.init(dialect: dialect, node: 0)
    } else {
      return nil
    }
  }

  private init(dialect: JSONDialect, node: Int) {
    self.dialect = dialect
    self.node = node
    switch dialect {
    case .calabash, .deviceAgent, .webDriverAgent: os = "iOS"
    case .axe: os = "Android"
    case .sentry, .maestro: os = nil
    }
  }
}
