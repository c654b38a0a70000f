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
}
