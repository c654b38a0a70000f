import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The part of a possibly incomplete selector that is being written.
struct SelectorCursor: Equatable {
  enum Part: Equatable {
    /// The class name of a step, perhaps with a `:` before it.
    case className(isKind: Bool)
    /// A locator in parentheses, which begins at this offset.
    case locator(start: Int)
  }

  /// The part of a step that is being written.
  let part: Part
  /// The bytes of the unfinished part.
  let range: Range<Int>
  /// The steps before this one, with their `/`.
  let before: Range<Int>

  /// Finds the cursor's part in a selector that fills a range of bytes.
  ///
  /// - Complexity: O(length).
  init(_ bytes: [UInt8], in selector: Range<Int>, at cursor: Int) {
    var step = selector.lowerBound
    var open: Int?
    var isQuoted = false
    var i = selector.lowerBound
    while i < min(cursor, selector.upperBound) {
      switch bytes[i] {
      case UInt8(ascii: "'"): isQuoted.toggle()
      case UInt8(ascii: "/") where !isQuoted:
        step = i + 1
        open = nil
      case UInt8(ascii: "(") where !isQuoted: open = i + 1
      case UInt8(ascii: ")") where !isQuoted: open = nil
      default: break
      }
      i += 1
    }
    before = selector.lowerBound..<step
    var end = cursor
    if let open {
      part = .locator(start: open)
      var start = cursor
      while start > open, ![UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ":")].contains(bytes[start - 1]) {
        start -= 1
      }
      while end < selector.upperBound, !Array(" ,:)/".utf8).contains(bytes[end]) { end += 1 }
      range = start..<end
    } else {
      let isKind = step < cursor && bytes[step] == UInt8(ascii: ":")
      part = .className(isKind: isKind)
      while end < selector.upperBound, !Array("/( ".utf8).contains(bytes[end]) { end += 1 }
      range = (isKind ? step + 1 : step)..<end
    }
  }
}

extension LanguageServer {
  // The maximum number of elements that an answer visits.
  private static let maximumVisits = 5_000_000

  /// Returns the classes or the locators that can complete a selector.
  func completeSelector(at site: CompletionPlace, _ rules: RuleSet) -> LSP.CompletionList? {
    let (text, place, cursor) = (site.text, site.place, site.cursor)
    let settings = SelectorSettings(rules, at: place)
    let content = place.content(in: text.bytes)
    guard cursor >= content.lowerBound else { return nil }
    if settings.style.isWeb { return completePageSelector(at: site, settings.style) }
    let selector = SelectorCursor(text.bytes, in: content.lowerBound..<max(cursor, content.upperBound), at: cursor)
    var proposals: [Proposal]
    switch selector.part {
    case .locator(let start):
      let end = selector.range.upperBound
      let hasColon = end < text.bytes.count && text.bytes[end] == UInt8(ascii: ":")
      proposals = locators(behind: text.string(start..<selector.range.lowerBound), hasColon: hasColon)
    case .className(let isKind):
      let before = text.string(selector.before)
      proposals = isKind ? kinds(rules) : classes(behind: before, settings)
    }
    for i in proposals.indices where proposals[i].kind == .class {
      proposals[i].text = ElementSelector.ClassPattern.name(UTF8String(proposals[i].label)).description
    }
    return list(proposals, replacing: selector.range, at: site)
  }

  /// Returns the fields and numbers that can follow the beginning of a locator, without a colon if one follows already.
  private func locators(behind before: String, hasColon: Bool) -> [Proposal] {
    // Each of these fields can be followed by one of the fields in its list.
    let partners = [
      "section:": ["row:", "item:"], "row:": ["section:"], "item:": ["section:"], "indexx:": ["indexy:"],
      "indexy:": ["indexx:"], "text:": ["id:"], "id:": ["text:"],
    ]
    var words: [String]
    switch before.unicodeScalars.last {
    case nil: words = ["section:", "row:", "item:", "indexx:", "indexy:", "text:", "id:", "*", "0"]
    case ":":
      let isText = before.endsWithBytes(of: "text:") || before.endsWithBytes(of: "id:")
      words = isText ? [] : ["*", "0"]
    case ",": words = ["0"]
    default: words = partners.first { before.utf8.starts(with: $0.key.utf8) }?.value ?? []
    }
    if hasColon { words = words.filter { $0.endsWithBytes(of: ":") }.map { String($0.dropLast()) } }
    return words.enumerated().map { Proposal(label: $1, kind: .keyword, rank: -$0) }
  }

  private func kinds(_ rules: RuleSet) -> [Proposal] {
    var counts = known.classes
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add(rules.classes)
    for screen in known.screens { hierarchy.insertClasses(of: screen.screen) }
    for (name, count) in known.classes {
      for base in hierarchy.superclasses(of: name.text) { counts[UTF8String(base), default: 0] += count }
    }
    return counts.map { Proposal(label: $0.key.text, kind: .class, detail: "\($0.value)", rank: $0.value) }
  }

  /// Returns the classes that follow the steps of a selector in captures, and then all other classes.
  private func classes(behind before: String, _ settings: SelectorSettings) -> [Proposal] {
    let next = followers(of: before, settings)
    var proposals = known.classes.map { name, count in
      let following = next[name] ?? 0
      let count = following > 0 ? following : count
      return Proposal(
        label: name.text, kind: .class,
        detail: "\(counted(count, "element"))\(following > 0 ? " here" : "")",
        rank: following > 0 ? 1_000_000 + following : count)
    }
    proposals.append(Proposal(label: "**", kind: .keyword, detail: "any steps", rank: 2_000_000))
    proposals.append(Proposal(label: "*", kind: .keyword, detail: "any class", rank: -1))
    return proposals
  }

  /// Returns how many elements of each class follow the elements that the beginning of a selector matches.
  private func followers(of before: String, _ own: SelectorSettings) -> [UTF8String: Int] {
    // A leading `../` is ignored, because the element determines where its steps begin.
    var steps = RelativeSelector.steps(of: before).utf8.dropLast()[...]
    guard !steps.isEmpty else { return [:] }
    var isDeep = false
    while steps.suffix(3).elementsEqual("/**".utf8) {
      steps = steps.dropLast(3)
      isDeep = true
    }
    guard let selector = try? ElementSelector(parsing: String(Substring(steps))) else { return [:] }
    let settings = SelectionSettings(own.ruleSet)
    var counts: [UTF8String: Int] = [:]
    var visits = Self.maximumVisits
    for known in known.screens {
      let screen = known.screen
      visits -= screen.tree.count
      guard visits > 0, own.areFor(screen) else { continue }
      var end = ElementID(0)
      for element in settings.elements(matching: selector, in: screen) {
        var child = isDeep ? max(end, ElementID(element.index + 1)) : screen.tree.firstChild(of: element)
        while let current = child {
          if isDeep, current >= screen.tree.subtreeEnd(of: element) { break }
          counts[UTF8String(screen.className(of: current)), default: 0] += 1
          child = isDeep ? ElementID(current.index + 1) : screen.tree.nextSibling(of: current)
        }
        if isDeep { end = max(end, screen.tree.subtreeEnd(of: element)) }
      }
    }
    return counts
  }
}
