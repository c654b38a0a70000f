import EncircleIdentity
import EncircleText
import EncircleTree

/// Finds elements again that were circled in another tool, on captures of the same page, by their text, their place on the screen and the
/// classes around them.
///
/// Drift's matcher compares two whole screens. Here, of the old screen only one element is known.
package struct ElementFinder: Sendable {
  /// The most elements that are proposed.
  package static let mostProposals = 3
  /// The most elements of a page that are compared.
  static let mostCompared = 2_000
  /// From which on an element is like the circled one, and by how much it must be more so than others.
  static let threshold = 0.7
  static let margin = 0.1
  /// GrowingIO cuts texts there.
  private static let cutTextLength = 100

  /// An element of a capture, as far as it is compared.
  private struct Known: Sendable {
    var capture: Int
    var element: ElementID
    var text: UTF8String?
    var classes: [UTF8String]
    /// The path in any row, which elements in the same place of other rows share.
    var place: UTF8String
    var frame: Frame?
    var width: Double?
  }

  private var pages: [UTF8String: [Known]] = [:]

  /// - Complexity: O(elements × depth).
  package init(_ captures: [IdentifiedTree]) {
    for (number, screen) in captures.enumerated() { add(screen, number) }
  }

  private mutating func add(_ screen: IdentifiedTree, _ number: Int) {
    let facts = ScreenElements(of: screen)
    let chains = PathChains(of: screen)
    let width = ScreenSize(of: screen.tree)?.width
    let style = PathStyleName.sensors
    for element in screen.tree.elements where facts.types[element.index] != nil && !facts.hidden[element.index] {
      guard let page = screen.page(of: element, in: style), let path = style.style.path(of: chains.chain(to: element))
      else { continue }
      let key = UTF8String(page)
      guard pages[key]?.count ?? 0 < Self.mostCompared else { continue }
      let written = path.written
      pages[key, default: []].append(
        Known(
          capture: number, element: element, text: facts.content(of: element).map { UTF8String($0) },
          classes: CircledBefore.classes(of: written), place: UTF8String(written), frame: facts.frames[element],
          width: width))
    }
  }

  /// - Complexity: O(elements of the page × depth²).
  package func find(_ circled: CircledBefore) -> FoundAgain {
    guard let page = circled.page, let known = pages[page] else {
      return FoundAgain(verdict: .noCapture, elements: [])
    }
    let scored = known.map { (known: $0, found: Self.compare(circled, $0)) }.filter { $0.found.score > 0 }
      .sorted { a, b in
        (b.found.score, a.found.capture, a.found.element.index) < (
          a.found.score, b.found.capture, b.found.element.index
        )
      }
    let proposals = scored.prefix(Self.mostProposals).map(\.found)
    guard let best = scored.first, best.found.score >= Self.threshold else {
      return FoundAgain(verdict: .none, elements: proposals)
    }
    let rival = scored.first { other in
      other.known.place != best.known.place && other.found.score > best.found.score - Self.margin
    }
    // One thing alone, such as a text, may be that of anything.
    let isSure = rival == nil && best.found.reasons.count(where: { $0.likeness >= Self.threshold }) >= 2
    return FoundAgain(verdict: isSure ? .found : .several, elements: proposals)
  }

  // MARK: - Likeness

  private static func compare(_ circled: CircledBefore, _ known: Known) -> FoundElement {
    var reasons: [FoundElement.Reason] = []
    var (sum, weights) = (0.0, 0.0)
    func add(_ code: FoundElement.Reason.Code, _ likeness: Double, weight: Double, _ text: String) {
      reasons.append(FoundElement.Reason(code: code, likeness: likeness, text: text))
      sum += likeness * weight
      weights += weight
    }
    if let text = circled.text {
      let likeness = likeness(of: text, known.text)
      add(
        .text, likeness, weight: 4, likeness == 1 ? "the same text" : likeness > 0 ? "the text is cut" : "another text")
    }
    if let frame = circled.frame, let own = known.frame {
      let scale = circled.screenWidth.flatMap { old in known.width.map { old > 0 ? $0 / old : 1 } } ?? 1
      let share = overlap(frame, own, scale)
      add(
        .frame, share, weight: 3,
        share >= threshold ? "the same place on the screen" : share > 0 ? "a place beside it" : "another place")
    }
    if !circled.classes.isEmpty {
      let share = likeness(of: circled.classes, known.classes)
      add(
        .classes, share, weight: 3,
        share == 1 ? "the same classes" : share >= threshold ? "similar classes" : "other classes")
    }
    return FoundElement(
      capture: known.capture, element: known.element, score: weights > 0 ? sum / weights : 0, reasons: reasons)
  }

  private static func likeness(of text: UTF8String, _ own: UTF8String?) -> Double {
    guard let own else { return 0 }
    if text == own { return 1 }
    let isCut = text.text.unicodeScalars.count >= cutTextLength && own.text.beginsWithBytes(of: text.text)
    return isCut ? 0.9 : 0
  }

  /// The part that two frames have in common of what they cover together.
  private static func overlap(_ old: Frame, _ own: Frame, _ scale: Double) -> Double {
    let left = max(old.x * scale, own.x)
    let top = max(old.y * scale, own.y)
    let width = min((old.x + old.width) * scale, own.x + own.width) - left
    let height = min((old.y + old.height) * scale, own.y + own.height) - top
    guard width > 0, height > 0 else { return 0 }
    let common = width * height
    let whole = old.width * scale * old.height * scale + own.width * own.height - common
    return whole > 0 && whole.isFinite ? min(1, common / whole) : 0
  }

  /// Twice the length of the longest common subsequence, by both lengths; 0 if the elements themselves are of other classes.
  private static func likeness(of a: [UTF8String], _ b: [UTF8String]) -> Double {
    guard let own = a.last, own == b.last else { return 0 }
    var lengths = [Int](repeating: 0, count: b.count + 1)
    for name in a {
      var diagonal = 0
      for (j, other) in b.enumerated() {
        let above = lengths[j + 1]
        lengths[j + 1] = name == other ? diagonal + 1 : max(above, lengths[j])
        diagonal = above
      }
    }
    return 2 * Double(lengths[b.count]) / Double(a.count + b.count)
  }
}
