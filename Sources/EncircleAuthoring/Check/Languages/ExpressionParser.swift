import EncircleRules

/// Translates simple regular expressions in RE2's syntax to states of an automaton.
///
/// It knows literals, classes, `\d \w \s`, `.`, alternatives, groups, repetitions, `^ $ \A \z` and the flags `i`, `s` and
/// `U`. It gives up on anything else, such as word boundaries, lines and Unicode's properties. RE2 has already accepted
/// the expressions, so errors need no messages.
struct ExpressionParser {
  /// The states of a part of the expression; all of them come after `first`.
  private struct Fragment {
    let first: Int
    let start: Int
    /// The last state, which leads nowhere yet.
    let end: Int
  }

  /// A group that is being read.
  private struct Group {
    let flagsBefore: Flags
    var alternatives: [Fragment] = []
    var items: [Fragment] = []
  }

  private struct Flags {
    var foldsCase: Bool
    var dotIsAny = false
    var hasLines = false
  }

  private struct UnsupportedSyntax: Error {}

  /// The maximum number of states of one expression.
  static let maximumStates = 1_000

  private let text: [Unicode.Scalar]
  private var place = 0
  private var flags: Flags
  private var states: [ExpressionStates.State] = []
  private var sets: [ScalarRanges] = []
  private var numbers: [ScalarRanges: Int] = [:]

  private init(_ text: String, foldsCase: Bool) {
    self.text = Array(text.unicodeScalars)
    flags = Flags(foldsCase: foldsCase)
  }

  /// Returns the states of an expression; nil if it is not simple, or too long.
  static func states(of expression: RegularExpression) -> ExpressionStates? {
    guard expression.description.utf8.count <= 4 * maximumStates else { return nil }
    var parser = ExpressionParser(expression.description, foldsCase: expression.foldsCase)
    guard let fragment = try? parser.parse() else { return nil }
    return ExpressionStates(parser.states, start: fragment.start, accept: fragment.end, sets: parser.sets)
  }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    place + distance < text.count ? text[place + distance] : nil
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func parse() throws -> Fragment {
    var groups = [Group(flagsBefore: flags)]
    while let scalar = next {
      place += 1
      let last = groups.count - 1
      switch scalar {
      case "|":
        groups[last].alternatives.append(try joined(groups[last].items))
        groups[last].items = []
      case "(":
        let before = flags
        if try opensGroup() { groups.append(Group(flagsBefore: before)) }
      case ")":
        guard last > 0 else { throw UnsupportedSyntax() }
        let group = groups.removeLast()
        flags = group.flagsBefore
        groups[last - 1].items.append(try alternatives(group))
      case "*", "+", "?":
        guard let item = groups[last].items.popLast() else { throw UnsupportedSyntax() }
        _ = skip("?")
        groups[last].items.append(
          try scalar == "*" ? star(item) : scalar == "+" ? plus(item) : optional(item))
      case "{":
        guard let (least, most) = repetition() else {
          groups[last].items.append(try one(try literal(scalar)))
          break
        }
        guard let item = groups[last].items.popLast() else { throw UnsupportedSyntax() }
        _ = skip("?")
        groups[last].items.append(try repeated(item, least, most))
      case "^", "$":
        guard !flags.hasLines else { throw UnsupportedSyntax() }
        groups[last].items.append(try anchor(isBegin: scalar == "^"))
      case ".":
        let newline = ScalarRanges([10...10])
        groups[last].items.append(try one(flags.dotIsAny ? ScalarRanges([0...ScalarRanges.last]) : newline.inverted))
      case "[": groups[last].items.append(try one(try bracketed()))
      case "\\":
        if skip("A") {
          groups[last].items.append(try anchor(isBegin: true))
        } else if skip("z") {
          groups[last].items.append(try anchor(isBegin: false))
        } else if let set = try namedClass() {
          groups[last].items.append(try one(set))
        } else {
          groups[last].items.append(try one(try literal(try escaped())))
        }
      default: groups[last].items.append(try one(try literal(scalar)))
      }
    }
    guard groups.count == 1 else { throw UnsupportedSyntax() }
    return try alternatives(groups[0])
  }

  /// Reads the text after `(`; returns `true` if it opens a group and `false` if it sets flags.
  private mutating func opensGroup() throws -> Bool {
    guard skip("?") else { return true }
    if skip("P") {
      guard next == "<" else { throw UnsupportedSyntax() }
    }
    if skip("<") {
      while let scalar = next, scalar != ">" {
        guard scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
          throw UnsupportedSyntax()
        }
        place += 1
      }
      guard skip(">") else { throw UnsupportedSyntax() }
      return true
    }
    var isOn = true
    while let scalar = next {
      place += 1
      switch scalar {
      case "i": flags.foldsCase = isOn
      case "s": flags.dotIsAny = isOn
      case "m": flags.hasLines = isOn
      case "U": break
      case "-": isOn = false
      case ":": return true
      case ")": return false
      default: throw UnsupportedSyntax()
      }
    }
    throw UnsupportedSyntax()
  }

  /// Reads the rest of `{2}`, `{2,}` or `{2,3}`; nil if the brace is literal text.
  private mutating func repetition() -> (least: Int, most: Int?)? {
    let start = place
    func number(_ parser: inout ExpressionParser) -> Int? {
      let first = parser.place
      var value = 0
      while let scalar = parser.next, ("0"..."9").contains(scalar), value <= Self.maximumStates {
        value = value * 10 + Int(scalar.value - 0x30)
        parser.place += 1
      }
      guard parser.place > first, parser.text[first] != "0" || parser.place == first + 1 else { return nil }
      return value
    }
    if let least = number(&self) {
      if skip("}") { return (least, least) }
      if skip(",") {
        if skip("}") { return (least, nil) }
        if let most = number(&self), skip("}") { return (least, most) }
      }
    }
    place = start
    return nil
  }

  // MARK: - Sets

  private func literal(_ scalar: Unicode.Scalar) throws -> ScalarRanges {
    try folded(ScalarRanges([scalar.value...scalar.value]))
  }

  /// Returns a set, with the other cases of its letters if case is ignored.
  private func folded(_ set: ScalarRanges) throws -> ScalarRanges {
    guard let result = flags.foldsCase ? set.caseFolded : set else { throw UnsupportedSyntax() }
    return result
  }

  /// Reads `d`, `w` or `s`, or one in upper case for all other scalars; nil if that does not follow.
  private mutating func namedClass() throws -> ScalarRanges? {
    let ranges: [ClosedRange<UInt32>]
    switch next {
    case "d", "D": ranges = [0x30...0x39]
    case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    case "s", "S": ranges = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
    default: return nil
    }
    let isInverted = next == "D" || next == "W" || next == "S"
    place += 1
    let set = try folded(ScalarRanges(ranges))
    return isInverted ? set.inverted : set
  }

  /// Reads the rest of an escape, after the backslash, and returns the scalar that it denotes.
  private mutating func escaped() throws -> Unicode.Scalar {
    guard let scalar = next else { throw UnsupportedSyntax() }
    place += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "a": return "\u{7}"
    case "x":
      var digits = ""
      if skip("{") {
        while let digit = next, digit != "}", digits.unicodeScalars.count <= 6 {
          digits.unicodeScalars.append(digit)
          place += 1
        }
        guard skip("}") else { throw UnsupportedSyntax() }
      } else {
        for _ in 0..<2 {
          guard let digit = next else { throw UnsupportedSyntax() }
          digits.unicodeScalars.append(digit)
          place += 1
        }
      }
      guard let value = UInt32(digits, radix: 16), let result = Unicode.Scalar(value) else { throw UnsupportedSyntax() }
      return result
    default:
      guard scalar.isASCII, scalar.value > 0x20, !scalar.properties.isAlphabetic, scalar != "_",
        !("0"..."9").contains(scalar)
      else { throw UnsupportedSyntax() }
      return scalar
    }
  }

  /// Reads the rest of a class in brackets.
  private mutating func bracketed() throws -> ScalarRanges {
    var ranges: [ClosedRange<UInt32>] = []
    let isInverted = skip("^")
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      guard let scalar = next else { throw UnsupportedSyntax() }
      place += 1
      // A class by name, such as [:alpha:].
      if scalar == "[", next == ":" { throw UnsupportedSyntax() }
      var lower = scalar
      if scalar == "\\" {
        if let set = try namedClass() {
          ranges += set.ranges
          continue
        }
        lower = try escaped()
      }
      var upper = lower
      if next == "-", let end = peek(1), end != "]" {
        place += 2
        upper = end == "\\" ? try escaped() : end
      }
      guard lower.value <= upper.value else { throw UnsupportedSyntax() }
      ranges += try folded(ScalarRanges([lower.value...upper.value])).ranges
    }
    place += 1
    return isInverted ? ScalarRanges(ranges).inverted : ScalarRanges(ranges)
  }

  // MARK: - States

  private mutating func add(_ state: ExpressionStates.State) throws -> Int {
    guard states.count < Self.maximumStates else { throw UnsupportedSyntax() }
    states.append(state)
    return states.count - 1
  }

  private mutating func one(_ set: ScalarRanges) throws -> Fragment {
    let number = numbers[set] ?? sets.count
    if number == sets.count {
      numbers[set] = number
      sets.append(set)
    }
    let start = try add(.one(set: number, next: states.count + 1))
    return Fragment(first: start, start: start, end: try add(.last))
  }

  private mutating func anchor(isBegin: Bool) throws -> Fragment {
    let start = try add(isBegin ? .begin(states.count + 1) : .end(states.count + 1))
    return Fragment(first: start, start: start, end: try add(.last))
  }

  private mutating func joined(_ items: [Fragment]) throws -> Fragment {
    guard var result = items.first else {
      let state = try add(.last)
      return Fragment(first: state, start: state, end: state)
    }
    for item in items.dropFirst() {
      states[result.end] = .either(item.start, item.start)
      result = Fragment(first: result.first, start: result.start, end: item.end)
    }
    return result
  }

  private mutating func alternatives(_ group: Group) throws -> Fragment {
    let last = try joined(group.items)
    guard let first = group.alternatives.first else { return last }
    let end = try add(.last)
    states[last.end] = .either(end, end)
    var start = last.start
    for alternative in group.alternatives.reversed() {
      states[alternative.end] = .either(end, end)
      start = try add(.either(alternative.start, start))
    }
    return Fragment(first: first.first, start: start, end: end)
  }

  private mutating func star(_ item: Fragment) throws -> Fragment {
    let end = try add(.last)
    let start = try add(.either(item.start, end))
    states[item.end] = .either(start, start)
    return Fragment(first: item.first, start: start, end: end)
  }

  private mutating func plus(_ item: Fragment) throws -> Fragment {
    let end = try add(.last)
    states[item.end] = .either(item.start, end)
    return Fragment(first: item.first, start: item.start, end: end)
  }

  private mutating func optional(_ item: Fragment) throws -> Fragment {
    let end = try add(.last)
    let start = try add(.either(item.start, end))
    states[item.end] = .either(end, end)
    return Fragment(first: item.first, start: start, end: end)
  }

  private mutating func repeated(_ item: Fragment, _ least: Int, _ most: Int?) throws -> Fragment {
    if let most, most < least { throw UnsupportedSyntax() }
    let count = max(1, most ?? least)
    let original = states[item.first...]
    guard states.count + original.count * (count - 1) <= Self.maximumStates else { throw UnsupportedSyntax() }
    var copies = [item]
    while copies.count < count {
      let distance = states.count - item.first
      states += original.map { $0.moved(by: distance) }
      copies.append(
        Fragment(first: item.first + distance, start: item.start + distance, end: item.end + distance))
    }
    if most == 0 {
      let state = try add(.last)
      return Fragment(first: item.first, start: state, end: state)
    }
    for i in copies.indices {
      if most == nil, i == copies.count - 1 {
        copies[i] = try least == 0 ? star(copies[i]) : plus(copies[i])
      } else if i >= least {
        copies[i] = try optional(copies[i])
      }
    }
    return try joined(copies)
  }
}
