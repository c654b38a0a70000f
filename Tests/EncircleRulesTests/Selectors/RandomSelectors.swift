import EncircleIdentity
import EncircleTestSupport
import EncircleTree

/// Paths and selectors over few classes and small numbers, so that they match often.
struct RandomSelectors {
  var random: SeededGenerator

  static let classes = [
    "a", "b", "ab", "ba", "aba", "abba", "_a", "a_b", "[0]", "a?b", "a,b", "a b", "it's", "''", "a/b", "a(0)", "a:b",
    "M.V<A, B<C>>", "_UIHostingView<ModifiedContent<AnyView, RootModifier>>", "(unknown context at $1).V", "视图",
    "é", "e\u{301}", "👩‍👩‍👧", "a*b",
  ]

  /// Superclasses for kind-of patterns.
  static let superclasses = ["ab": "a", "aba": "ab", "abba": "aba", "ba": "b", "it's": "a b", "视图": "a"]

  static let hierarchy: ClassHierarchy = {
    var hierarchy = ClassHierarchy()
    for (name, superclass) in superclasses.sorted(by: { $0.key < $1.key }) {
      hierarchy.add(name, superclass: superclass)
    }
    return hierarchy
  }()

  mutating func number() -> Int { Int.random(in: 0...3, using: &random) }

  mutating func className() -> String {
    Self.classes[Int.random(in: 0..<(random.oneIn(3) ? Self.classes.count : 6), using: &random)]
  }

  mutating func locator() -> Locator {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .none
    case 1: .row(section: number(), row: number())
    case 2: .item(section: number(), item: number())
    case 3: .position(x: number() - 1, y: number() - 1)
    default: .index(number())
    }
  }

  mutating func path() -> ElementPath {
    ElementPath(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in PathComponent(className(), locator()) })
  }

  /// Returns the path with some components changed, left out or doubled.
  mutating func variation(of path: ElementPath) -> ElementPath {
    var components: [PathComponent] = []
    for component in path.components {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: components.append(PathComponent(className(), component.locator))
      case 1: components.append(PathComponent(component.className, locator()))
      case 2: components += [component, component]
      case 3: continue
      default: components.append(component)
      }
    }
    return components.isEmpty ? path : ElementPath(components)
  }

  // MARK: - Selectors as text

  /// Returns a selector that matches the path or nearly does.
  mutating func selector(near path: ElementPath) -> String {
    var steps: [String] = []
    for component in variation(of: path).components {
      if random.oneIn(6) { steps.append("**") }
      if !random.oneIn(6) { steps.append(step(near: component)) }
    }
    if steps.isEmpty { steps = ["**"] }
    let isAnchored = random.oneIn(3)
    if !isAnchored, random.oneIn(2) { steps.removeFirst(Int.random(in: 0..<steps.count, using: &random)) }
    return (isAnchored ? "/" : "") + steps.joined(separator: "/")
  }

  private mutating func step(near component: PathComponent) -> String {
    let name = random.oneIn(12) ? className() : component.className
    let pattern: String
    switch Int.random(in: 0..<6, using: &random) {
    case 0: pattern = random.oneIn(5) ? "***" : "*"
    case 1: pattern = glob(near: name)
    case 2: pattern = ":" + quoted(Self.superclasses[name] ?? name)
    default: pattern = random.oneIn(8) ? always(name) : quoted(name)
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2: return pattern
    case 3: return pattern == "***" || random.oneIn(2) ? pattern : pattern + "()"
    default: return pattern + locator(near: component.locator)
    }
  }

  private mutating func glob(near name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      if Self.isSpecial(scalar) || random.oneIn(3) {
        if random.oneIn(2) || Self.isSpecial(scalar) { result += "*" }
      } else {
        if random.oneIn(4) { result += "*" }
        result.unicodeScalars.append(scalar)
      }
    }
    // Two stars alone would be a recursive wildcard.
    return result.isEmpty || result == "**" ? "*" : result
  }

  private mutating func locator(near locator: Locator) -> String {
    let fields = locator.fields
    if fields.isEmpty { return "()" }
    var words = fields.map { name, value in
      (name.isEmpty ? "" : name + ":") + test(near: value, from: name.hasPrefix("index") ? Int.min : 0)
    }
    if words.count == 2, random.oneIn(4) { words.remove(at: random.oneIn(2) ? 0 : 1) }
    if random.oneIn(4) { words.reverse() }
    return "(" + words.joined(separator: " ") + ")"
  }

  private mutating func test(near value: Int, from least: Int) -> String {
    let value = max(least, random.oneIn(8) ? number() : value)
    let (lower, upper) = (max(least, value - number()), value + number())
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "*"
    case 1: return "\(lower)...\(upper)"
    case 2: return "\(lower)..."
    case 3: return "...\(upper)"
    case 4: return "\(upper),\(value),\(lower)"
    case 5: return random.oneIn(2) ? "\(value),\(value)" : "\(value)"
    default: return "\(value)"
    }
  }

  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || "/()'*:".unicodeScalars.contains(scalar)
  }

  private func quoted(_ name: String) -> String {
    name.unicodeScalars.contains(where: Self.isSpecial) ? always(name) : name
  }

  private func always(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      text.append(scalar)
      if scalar == "'" { text.append(scalar) }
    }
    return "'" + String(text) + "'"
  }
}
