import Foundation

@MainActor open class UIApplication: UIResponder {
  private static let application = UIApplication()
  open class var shared: UIApplication { application }
  nonisolated open class var userDidTakeScreenshotNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationUserDidTakeScreenshotNotification")
  }
  open var connectedScenes: Set<UIScene> = []
}

@MainActor open class UISceneSession: NSObject {
  open var persistentIdentifier = ""
}

@MainActor open class UIScene: UIResponder {
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }
  open var session = UISceneSession()
  open var activationState = ActivationState.foregroundActive
}

open class UIWindowScene: UIScene {
  open var windows: [UIWindow] = []
  open var screen = UIScreen()
}

@MainActor open class UIScreen: NSObject {
  open var bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
}

@MainActor open class UIDevice: NSObject {
  private static let device = UIDevice()
  open class var current: UIDevice { device }
  open var systemName: String { "iOS" }
  open var systemVersion: String { "17.2" }
}
