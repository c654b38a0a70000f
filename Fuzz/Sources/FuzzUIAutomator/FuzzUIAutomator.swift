import FuzzSupport

/// Dumps of uiautomator and page sources of Appium UiAutomator2.
@main
enum FuzzUIAutomator {
  static func main() {
    fuzz { start, count in readCapture(bytes(start, count), as: .uiautomator) }
  }
}
