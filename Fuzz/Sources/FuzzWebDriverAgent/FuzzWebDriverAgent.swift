import FuzzSupport

/// Page sources of WebDriverAgent, Appium for iOS and UIAutomation.
@main
enum FuzzWebDriverAgent {
  static func main() {
    fuzz { start, count in readCapture(bytes(start, count), as: .webDriverAgent) }
  }
}
