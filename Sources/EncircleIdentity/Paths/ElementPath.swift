/// A component of a path: a class name and a locator.
public struct PathComponent: Hashable, Sendable {
  /// The class name; not empty.
  public var className: String
  /// The locator, which distinguishes the element from its siblings.
  public var locator: Locator

  public init(_ className: String, _ locator: Locator = .none) {
    self.className = className
    self.locator = locator
  }

  /// Compares class names by their bytes.
  public static func == (a: PathComponent, b: PathComponent) -> Bool {
    a.locator == b.locator && a.className.utf8.elementsEqual(b.className.utf8)
  }

  /// Hashes the bytes of the class name, and the locator.
  public func hash(into hasher: inout Hasher) {
    for byte in className.utf8 { hasher.combine(byte) }
    hasher.combine(locator)
  }

  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: className.utf8)
    locator.write(to: &bytes)
  }
}

/// The notations in which paths are written.
public enum PathNotation: String, CaseIterable, Sendable {
  /// Components joined by `_`, as SDKs send them and identities contain them: `UIWindow(0)_UIView(0)`.
  case underscores
  /// Components joined by `/`, as people write them: `UIWindow(0)/UIView(0)`. A class name that would be misread stands
  /// in single quotes, and single quotes in it are doubled.
  case slashes
}

/// The path from a window down to an element.
public struct ElementPath: Hashable, Sendable {
  /// The components, beginning with the window's. There is at least one.
  public var components: [PathComponent]

  public init(_ components: [PathComponent]) { self.components = components }

  /// Returns the path as text.
  public func written(_ notation: PathNotation) -> String {
    var bytes: [UInt8] = []
    for (i, component) in components.enumerated() {
      switch notation {
      case .underscores:
        if i > 0 { bytes.append(UInt8(ascii: "_")) }
        component.write(to: &bytes)
      case .slashes:
        if i > 0 { bytes.append(UInt8(ascii: "/")) }
        if Self.needsQuotes(component) {
          bytes.append(UInt8(ascii: "'"))
          for byte in component.className.utf8 {
            bytes.append(byte)
            if byte == UInt8(ascii: "'") { bytes.append(byte) }
          }
          bytes.append(UInt8(ascii: "'"))
          component.locator.write(to: &bytes)
        } else {
          component.write(to: &bytes)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func needsQuotes(_ component: PathComponent) -> Bool {
    let name = component.className.utf8
    return name.contains(UInt8(ascii: "/")) || name.first == UInt8(ascii: "'")
      || (component.locator == .none && name.last == UInt8(ascii: ")"))
  }
}
