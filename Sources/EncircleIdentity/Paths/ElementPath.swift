/// One step of a path: a class name and a locator.
public struct PathComponent: Hashable, Sendable {
  /// The class name; not empty.
  public var className: String
  /// What tells the element from its siblings.
  public var locator: Locator

  /// Creates a component.
  public init(_ className: String, _ locator: Locator = .none) {
    self.className = className
    self.locator = locator
  }

  /// Equal class names are equal bytes.
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

/// How paths are written.
public enum PathNotation: String, CaseIterable, Sendable {
  /// Components joined by `_`, as SDKs send them and identities contain them: `UIWindow(0)_UIView(0)`.
  case underscores
  /// Components joined by `/`, as people write them: `UIWindow(0)/UIView(0)`. A class name that would be misread is put
  /// into single quotes, and quotes in it doubled.
  case slashes
}

/// The components from a window down to an element.
public struct ElementPath: Hashable, Sendable {
  /// The components, the window's first; not empty.
  public var components: [PathComponent]

  /// Creates a path.
  public init(_ components: [PathComponent]) { self.components = components }

  /// The written form.
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
