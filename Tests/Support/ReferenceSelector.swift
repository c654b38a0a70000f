import EncircleIdentity
import EncircleText

/// A slow matcher that follows the grammar directly: steps stay texts and are read again for every component, and every
/// `*` and `**` tries all that it could stand for. It shares no code with the library.
public struct ReferenceSelector: Sendable {
  /// A part of a selector or class name.
  public typealias Text = ArraySlice<Unicode.Scalar>

  let isAnchored: Bool
  let steps: [Text]
  /// The superclass of each class that has one.
  let superclasses: [String: String]

  // selector = [ "/" ] step *( "/" step )
  /// Parses a selector, which must be valid.
  ///
  /// - Parameter superclasses: The superclass of each class that has one.
  public init(_ selector: String, superclasses: [String: String] = [:]) {
    self.superclasses = superclasses
    var text = Array(selector.unicodeScalars)[...]
    isAnchored = text.first == "/"
    if isAnchored { text.removeFirst() }
    var steps: [Text] = []
    var step: Text = []
    var isQuoted = false
    for scalar in text {
      if scalar == "'" { isQuoted.toggle() }
      if scalar == "/", !isQuoted {
        steps.append(step)
        step = []
      } else {
        step.append(scalar)
      }
    }
    self.steps = steps + [step]
  }

  /// Returns whether the steps stand for all components or, without a leading `/`, for the innermost ones.
  public func matches(_ path: ElementPath) -> Bool {
    let components = path.components[...]
    if isAnchored { return Self.matches(steps[...], components, superclasses) }
    return components.indices.contains { Self.matches(steps[...], components[$0...], superclasses) }
  }

  private static func matches(
    _ steps: ArraySlice<Text>, _ components: ArraySlice<PathComponent>, _ superclasses: [String: String]
  ) -> Bool {
    guard let step = steps.first else { return components.isEmpty }
    if step.elementsEqual(["*", "*"]) {
      return (components.startIndex...components.endIndex).contains {
        matches(steps.dropFirst(), components[$0...], superclasses)
      }
    }
    guard let component = components.first else { return false }
    return matches(step, component, superclasses)
      && matches(steps.dropFirst(), components.dropFirst(), superclasses)
  }

  // step = class [ "(" locator ")" ]
  private static func matches(_ step: Text, _ component: PathComponent, _ superclasses: [String: String]) -> Bool {
    var rest = step
    let isKind = rest.first == ":"
    if isKind { rest.removeFirst() }
    let name = component.className
    if rest.first == "'" {
      rest.removeFirst()
      var quoted = String.UnicodeScalarView()
      while let scalar = rest.popFirst() {
        if scalar == "'", rest.popFirst(if: "'") == nil { break }
        quoted.append(scalar)
      }
      guard isKind ? isClass(name, kindOf: String(quoted), superclasses) : Self.same(name, String(quoted)) else {
        return false
      }
    } else {
      let pattern = rest.prefix { $0 != "(" }
      rest = rest[pattern.endIndex...]
      if isKind {
        guard isClass(name, kindOf: string(pattern), superclasses) else { return false }
      } else {
        guard glob(pattern, Array(name.unicodeScalars)[...]) else { return false }
      }
    }
    return rest.isEmpty || locator(rest.dropFirst().dropLast(), matches: component.locator)
  }

  private static func isClass(_ name: String, kindOf base: String, _ superclasses: [String: String]) -> Bool {
    same(name, base) || superclasses[name].map { isClass($0, kindOf: base, superclasses) } ?? false
  }

  /// Returns whether a pattern matches a whole text: `*` stands for any run, any other character for itself.
  public static func glob(_ pattern: Text, _ text: Text) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" { return (text.startIndex...text.endIndex).contains { glob(pattern.dropFirst(), text[$0...]) } }
    return text.first == first && glob(pattern.dropFirst(), text.dropFirst())
  }

  // locator = test / field ":" test *( " " field ":" test )
  private static func locator(_ text: Text, matches locator: Locator) -> Bool {
    let fields = Dictionary(uniqueKeysWithValues: locator.fields.map { ($0.name, $0.value) })
    if text.isEmpty { return fields.isEmpty }
    return text.split(separator: " ").allSatisfy { word in
      let parts = word.split(separator: ":")
      let name = parts.count == 2 ? string(parts[0]) : ""
      return fields[name].map { test(string(parts[parts.count - 1]), matches: $0) } ?? false
    }
  }

  // test = "*" / N / N "..." M / N "..." / "..." M / N *( "," N )
  private static func test(_ text: String, matches number: Int) -> Bool {
    if text == "*" { return true }
    if let dots = Array(text.utf8).indices.first(where: { text.utf8.dropFirst($0).starts(with: "...".utf8) }) {
      let (lower, upper) = (text.utf8.prefix(dots), text.utf8.dropFirst(dots + 3))
      return (Int(String(Substring(lower))) ?? .min) <= number && number <= (Int(String(Substring(upper))) ?? .max)
    }
    return text.split(separator: ",").contains { Int($0) == number }
  }

  // Compared with ==, composed and decomposed characters would be the same.
  private static func same(_ a: String, _ b: String) -> Bool { Array(a.utf8) == Array(b.utf8) }

  private static func string(_ text: Text) -> String { String(String.UnicodeScalarView(text)) }
}

extension ArraySlice where Element: Equatable {
  /// Removes the first element if it is equal to `wanted`.
  fileprivate mutating func popFirst(if wanted: Element) -> Element? { first == wanted ? popFirst() : nil }
}
