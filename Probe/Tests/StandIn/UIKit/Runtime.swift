// As UIKit does.
@_exported import Foundation

/// A selector, which Swift only has with Objective-C.
public struct Selector: Hashable, ExpressibleByStringLiteral, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
  public init(stringLiteral name: String) { self.name = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

/// An object whose class at run time is chosen by a test.
public protocol StandInObject: AnyObject {
  var standInClassNames: [String]? { get }
}

/// Returns the names of an object's class and its superclasses, nearest first. The names of a test's Swift classes have the
/// module in front, as on iOS.
public func standInClassNames(of object: AnyObject) -> [String] {
  if let names = (object as? StandInObject)?.standInClassNames { return names }
  var names: [String] = []
  var next: AnyClass? = type(of: object)
  while let current = next {
    let name = String(reflecting: current)
    names.append(
      name.hasPrefix("UIKit.") || name.hasPrefix("Foundation.") ? String(name.split(separator: ".").last ?? "") : name)
    next = _getSuperclass(current)
  }
  return names
}

/// Returns a property that a test has added to a view under a name.
@MainActor public func standInProperty(_ name: String, of view: UIView) -> Any? { view.standInProperties[name] }
