import EncircleText

/// The formats of captures that can be read.
public enum CaptureFormat: String, CaseIterable, Sendable {
  /// View-tree XML, Encircle's own format.
  case viewTree = "view-tree"
  /// Page source of WebDriverAgent and Appium for iOS, also of the older UIAutomation driver.
  case webDriverAgent = "webdriveragent"
  /// `uiautomator dump` of Android, and the page source of Appium's UiAutomator2 driver.
  case uiautomator = "uiautomator"
  /// Text of UIKit's `-[UIView recursiveDescription]`.
  case recursiveDescription = "recursive-description"
  /// Text of `debugDescription` of XCTest's `XCUIApplication`.
  case xcuiDescription = "xcui-description"
  /// View hierarchy that a Sentry SDK attaches to an event, as JSON.
  case sentry = "sentry"
  /// View hierarchy of Detox for iOS or Android, as XML.
  case detox = "detox"
  /// Tree of views of Calabash for iOS, as JSON.
  case calabash = "calabash"
  /// Tree of elements of DeviceAgent, as JSON.
  case deviceAgent = "deviceagent"
  /// Output of `maestro hierarchy`, as JSON.
  case maestro = "maestro"
  /// Result of axe for Android, as JSON.
  case axe = "axe"
  /// HTML of a web page: `outerHTML`, a saved or served page, the page source of a web view.
  case html = "html"
  /// A web page as JSON, as the snippet in `Probe/web` writes it.
  case webSnapshot = "web-snapshot"

  /// This is true if elements have types of XCTest, such as `XCUIElementTypeButton`, instead of classes.
  package var hasElementTypes: Bool {
    switch self {
    case .webDriverAgent, .xcuiDescription, .deviceAgent: true
    case .viewTree, .uiautomator, .recursiveDescription, .sentry, .detox, .calabash, .maestro, .axe, .html,
      .webSnapshot:
      false
    }
  }

  /// This is true if captures of iOS apps in this format contain the views and classes that UIKit has at run time.
  package var hasUIKitClasses: Bool {
    switch self {
    case .viewTree, .recursiveDescription, .sentry, .detox, .calabash: true
    case .webDriverAgent, .uiautomator, .xcuiDescription, .deviceAgent, .maestro, .axe, .html, .webSnapshot: false
    }
  }
}

extension ViewTree {
  /// This is true if the capture shows the screen of an Android app.
  package var isAndroid: Bool {
    format == .uiautomator || format == .axe || header.os.map { $0.hasSameBytes(as: "Android") } ?? false
  }
}
