import EncircleIdentity
import EncircleRules
import EncircleText

extension SelectorLoosener {
  /// Returns the selector without full-width signs, brackets and underscores of other styles; nil if it has none.
  func withOtherSigns(_ selector: ElementSelector, _ style: PathStyleName) -> Correction? {
    if SelectorNotation.isXPath("\(selector)"), let notation = SelectorNotation(of: "\(selector)") {
      return notation.selector.flatMap { try? ElementSelector(parsing: $0) }.map {
        Correction(selector: $0, reason: notation.message)
      }
    }
    var steps: [ElementSelector.Step] = []
    var reasons: [String] = []
    for step in selector.steps {
      guard case .component(.name(let name), let locator) = step, !known.contains(name) else {
        steps.append(step)
        continue
      }
      if let (read, reason) = Self.otherSigns(name.text, locator, known, style) {
        steps += read
        if !reasons.contains(reason) { reasons.append(reason) }
      } else {
        steps.append(step)
      }
    }
    guard !reasons.isEmpty else { return nil }
    return Correction(
      selector: ElementSelector(isAnchored: selector.isAnchored, steps: steps),
      reason: reasons.joined(separator: "; "))
  }

  private static func otherSigns(
    _ name: String, _ locator: ElementSelector.LocatorPattern?, _ known: Set<UTF8String>, _ style: PathStyleName
  ) -> ([ElementSelector.Step], String)? {
    if locator == nil, TextVariants.hasWideSigns(name),
      let plain = try? ElementSelector(parsing: TextVariants.plain(name)), plain.steps.count == 1
    {
      return (plain.steps, "\(name) has full-width signs")
    }
    if locator == nil, let step = bracketed(name) {
      return ([step], "the style \(style.rawValue) has no brackets as in \(name)")
    }
    if let parts = split(name, known) {
      var steps = parts.map { ElementSelector.Step.component(.name(UTF8String($0)), nil) }
      if let locator, let last = parts.last { steps[steps.count - 1] = .component(.name(UTF8String(last)), locator) }
      return (steps, "steps of selectors are joined by / rather than _")
    }
    return nil
  }

  /// Reads `Class[3]` and `Class[0][3]`; nil for anything else.
  private static func bracketed(_ name: String) -> ElementSelector.Step? {
    let bytes = Array(name.utf8)
    guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), open > 0, bytes.last == UInt8(ascii: "]") else {
      return nil
    }
    let inner = String(decoding: bytes[(open + 1)..<(bytes.count - 1)], as: UTF8.self)
    let parts = inner.utf8.split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false).enumerated().map {
      $0 == 0 ? String(Substring($1)) : String(Substring($1.dropFirst()))
    }
    let tests = parts.map { part -> ElementSelector.NumberTest? in
      part.hasSameBytes(as: "-") || part.hasSameBytes(as: "*") ? .any : Int(part).map { .exactly($0) }
    }
    let pattern = ElementSelector.ClassPattern.name(UTF8String(String(decoding: bytes[..<open], as: UTF8.self)))
    guard !tests.contains(where: { $0 == nil }) else { return nil }
    let numbers = tests.compactMap { $0 }
    switch numbers.count {
    case 1: return .component(pattern, .index(numbers[0]))
    case 2:
      return .component(
        pattern,
        .fields([ElementSelector.FieldTest(.section, numbers[0]), ElementSelector.FieldTest(.row, numbers[1])]))
    default: return nil
    }
  }

  /// Splits a name into known classes that are joined by `_`; nil if that is not possible.
  private static func split(_ name: String, _ known: Set<UTF8String>) -> [String]? {
    let parts = Array(name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false))
    guard parts.count > 1, parts.count <= 64 else { return nil }
    func text(_ range: Range<Int>) -> String {
      parts[range].map { String(Substring($0)) }.joined(separator: "_")
    }
    // For each number of parts, the place where the last class begins if these parts are split into known classes. The longest
    // possible last class is taken.
    var last: [Int?] = [0] + Array(repeating: nil, count: parts.count)
    for end in 1...parts.count {
      for start in 0..<end where last[start] != nil && known.contains(UTF8String(text(start..<end))) {
        last[end] = start
        break
      }
    }
    guard last[parts.count] != nil else { return nil }
    var result: [String] = []
    var end = parts.count
    while end > 0, let start = last[end] {
      result.insert(text(start..<end), at: 0)
      end = start
    }
    return result.count > 1 ? result : nil
  }
}
