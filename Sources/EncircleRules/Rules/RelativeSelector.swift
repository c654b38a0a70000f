import EncircleIdentity
import EncircleText
import EncircleTree

/// A selector for an element that stands in a relation to another one: to the element of an event.
///
///     relative = "./" steps / 1*( "../" ) steps / selector
///
/// `./UILabel(0)` is a child of the element, `../UILabel(1)` a sibling, and `../../PriceView/UILabel` a child of its parent's
/// sibling. Without such a prefix, the selector is matched against the other elements on the same page, as elsewhere: the nearest
/// match counts, and elements in other rows of the same list never match.
public struct RelativeSelector: Hashable, Sendable, CustomStringConvertible {
  /// The starting point of the steps.
  public enum Base: Hashable, Sendable {
    /// The ancestor this many levels above the element; 0 is the element itself.
    case ancestor(Int)
    /// Anywhere on the page.
    case page
  }

  /// The starting point of the steps.
  public var base: Base
  /// The readings of the steps in the style of the rules; only one until the style is known. Readings from an ancestor are
  /// anchored.
  public internal(set) var readings: [ElementSelector]

  /// The largest number of `../` in front of the steps.
  public static let maximumLevels = 64

  /// The text as it is written before the steps.
  private var prefix: String {
    switch base {
    case .ancestor(0): "./"
    case .ancestor(let levels): String(repeating: "../", count: levels)
    case .page: ""
    }
  }

  /// The selector as text, in its first reading.
  public var description: String { readings.first.map { text(of: $0) } ?? "" }

  private func text(of reading: ElementSelector) -> String {
    if base == .page { return Self.quotingDots(reading.description) }
    return prefix + Self.quotingDots(reading.steps.map(\.description).joined(separator: "/"))
  }

  /// Quotes the first step if its class name would otherwise be read as `./` or `../`.
  private static func quotingDots(_ steps: String) -> String {
    guard split(steps).base != .page, let slash = steps.utf8.firstIndex(of: UInt8(ascii: "/")) else { return steps }
    return "'\(steps[..<slash])'\(steps[slash...])"
  }

  /// Creates a selector of an element that is reached from an ancestor.
  public init(base: Base, _ selector: ElementSelector) {
    self.base = base
    var selector = selector
    if base != .page { selector.isAnchored = true }
    readings = [selector]
  }

  /// Splits a written selector into the place where its steps begin, and the steps.
  private static func split(_ text: String) -> (base: Base, rest: Substring.UTF8View) {
    var levels = 0
    var rest = text.utf8[...]
    if rest.starts(with: "./".utf8) { return (.ancestor(0), rest.dropFirst(2)) }
    while rest.starts(with: "../".utf8) {
      rest = rest.dropFirst(3)
      levels += 1
    }
    return (levels == 0 ? .page : .ancestor(levels), rest)
  }

  /// Returns the steps of a relative selector without the `./` or `../` in front of them.
  package static func steps(of text: String) -> String { String(Substring(split(text).rest)) }

  /// Reads a selector.
  ///
  /// - Complexity: O(length).
  public init(parsing text: String) throws(SelectorError) {
    let (start, rest) = Self.split(text)
    base = start
    let before = text.utf8.count - rest.count
    if case .ancestor(let levels) = base, levels > Self.maximumLevels {
      throw SelectorError(kind: .tooLong(limit: 3 * Self.maximumLevels), offset: 0, text: text)
    }
    guard base == .page || !rest.isEmpty && rest.first != UInt8(ascii: "/") else {
      throw SelectorError(kind: .expectedStep, offset: before, text: text)
    }
    do throws(SelectorError) {
      readings = [try ElementSelector(parsing: String(Substring(rest)))]
    } catch {
      throw SelectorError(kind: error.kind, offset: error.offset + before, text: text)
    }
    if base != .page { readings[0].isAnchored = true }
  }

  /// Adds a further reading.
  mutating func append(_ reading: ElementSelector) {
    var reading = reading
    if base != .page { reading.isAnchored = true }
    readings.append(reading)
  }

  /// Interprets the readings in a style.
  mutating func read(in style: PathStyleName) { readings = readings.flatMap { $0.read(in: style) } }

  /// Returns whether the selector, applied to `element`, selects the element with the given path, judging by paths alone.
  ///
  /// - Complexity: O(readings × steps × components).
  func matches(_ path: ElementPath, from element: ElementPath, hierarchy: ClassHierarchy) -> Bool {
    switch base {
    case .ancestor(let levels):
      let kept = element.components.count - levels
      guard kept >= 0, path.components.count > kept,
        path.components[..<kept].elementsEqual(element.components[..<kept])
      else { return false }
      let rest = ElementPath(Array(path.components[kept...]))
      return readings.contains { $0.matches(rest, hierarchy: hierarchy) }
    case .page:
      return !Self.isInOtherRow(path, than: element) && readings.contains { $0.matches(path, hierarchy: hierarchy) }
    }
  }

  /// Returns the paths that the selector can select from an element, one for each reading; nil if it may select others, too.
  func exactPaths(from element: ElementPath) -> [ElementPath]? {
    guard case .ancestor(let levels) = base else { return nil }
    let kept = element.components.count - levels
    guard kept >= 0 else { return [] }
    var paths: [ElementPath] = []
    for reading in readings {
      var components = Array(element.components[..<kept])
      for step in reading.steps {
        guard let component = step.exactComponent else { return nil }
        components.append(component)
      }
      paths.append(ElementPath(components))
    }
    return paths
  }

  /// Returns the number of leading components that two paths share.
  static func commonLength(_ a: ElementPath, _ b: ElementPath) -> Int {
    zip(a.components, b.components).prefix { $0 == $1 }.count
  }

  /// Returns whether two elements are in different rows of one list.
  private static func isInOtherRow(_ a: ElementPath, than b: ElementPath) -> Bool {
    let common = commonLength(a, b)
    guard common < a.components.count, common < b.components.count else { return false }
    return a.components[common].locator.isOfCell && b.components[common].locator.isOfCell
  }
}

extension ElementSelector.Step {
  /// The only component that the step matches; nil if there are several.
  fileprivate var exactComponent: PathComponent? {
    guard case .component(.name(let name), let locator?) = self else { return nil }
    switch locator {
    case .none: return PathComponent(name.text)
    case .index(.range(let lower?, let upper?)) where lower == upper: return PathComponent(name.text, .index(lower))
    default: return nil
    }
  }
}

extension Locator {
  /// This is true if the locator gives the row or item of a cell.
  fileprivate var isOfCell: Bool {
    switch self {
    case .row, .item: true
    default: false
    }
  }
}
