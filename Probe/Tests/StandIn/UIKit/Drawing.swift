import Foundation

open class UIImage: NSObject {
  open var accessibilityIdentifier: String?
}

open class UIColor: NSObject {
  let parts: [CGFloat]
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { parts = [red, green, blue, alpha] }
  open class var gray: UIColor { UIColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 1) }
  open func setFill() {}

  @discardableResult open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
    alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    red?.pointee = parts[0]
    green?.pointee = parts[1]
    blue?.pointee = parts[2]
    alpha?.pointee = parts[3]
    return true
  }
}

open class UIGraphicsRendererContext: NSObject {
  open func fill(_ rect: CGRect) {
    UIGraphicsImageRenderer.standInLog.append("fill \(rect.minX) \(rect.minY) \(rect.width) \(rect.height)")
  }
}

open class UIGraphicsImageRendererContext: UIGraphicsRendererContext {}

open class UIGraphicsImageRenderer: NSObject {
  /// The drawing operations since a test last emptied the array, in order.
  nonisolated(unsafe) public static var standInLog: [String] = []

  public init(bounds: CGRect) {}

  open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    actions(UIGraphicsImageRendererContext())
    return Data("PNG".utf8)
  }
}
