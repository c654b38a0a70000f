import EncircleIdentity
import EncircleText
import EncircleTree

extension ElementFinder {
  /// Compares the known facts about a circled element with an element of a capture.
  ///
  /// - Complexity: O(depth²).
  static func compare(_ circled: RecordedElement, _ known: Known) -> FoundElement {
    var reasons: [FoundElement.Reason] = []
    var (sum, weights) = (0.0, 0.0)
    func add(_ code: FoundElement.Reason.Code, _ likeness: Double, weight: Double, _ text: String) {
      reasons.append(FoundElement.Reason(code: code, likeness: likeness, text: text))
      sum += likeness * weight
      weights += weight
    }
    if let text = circled.text {
      let likeness = text.likeness(known.text)
      add(
        .text, likeness, weight: 4, likeness == 1 ? "the same text" : likeness > 0 ? "the text is cut" : "another text")
    }
    if let href = circled.href {
      let likeness = href.likeness((known.web.last?.attributes["href"]).map { UTF8String($0) })
      add(.href, likeness, weight: 3, likeness == 1 ? "the same link" : "another link")
    }
    if let frame = circled.frame, let own = known.frame {
      let scale = circled.screenWidth.flatMap { old in known.width.map { old > 0 ? $0 / old : 1 } } ?? 1
      let share = overlap(frame, own, scale)
      add(
        .frame, share, weight: 3,
        share >= threshold ? "the same place on the screen" : share > 0 ? "a place beside it" : "another place")
    }
    if !circled.classes.isEmpty {
      let share = likeness(of: circled.classes, known.classes, isPart: circled.isPartOfPath)
      add(
        .classes, share, weight: 3,
        share == 1 ? "the same classes" : share >= threshold ? "similar classes" : "other classes")
    }
    if let web = web(circled.webElements, known.web) {
      if let likeness = web.attributes {
        add(
          .attributes, likeness, weight: web.element.isTagOnly ? 1 : 3,
          web.element.isTagOnly
            ? likeness == 1 ? "the same tag" : "another tag"
            : likeness == 1
              ? "the same attributes" : likeness > 0 ? "some of its attributes" : "other attributes")
      }
      if let likeness = web.around {
        add(
          .around, likeness, weight: 1,
          likeness == 1 ? "inside the same elements" : likeness > 0 ? "inside some of them" : "inside other elements")
      }
    }
    return FoundElement(
      capture: known.capture, element: known.element, score: weights > 0 ? sum / weights : 0, reasons: reasons)
  }

  /// Returns the alternative that is most like an element of a web page, with its likeness; nil if no alternative has tests.
  private static func web(
    _ elements: [CircledWebElement], _ chain: [WebFacts]
  ) -> (element: CircledWebElement, attributes: Double?, around: Double?)? {
    guard let facts = chain.last else { return nil }
    var best: (element: CircledWebElement, attributes: Double?, around: Double?)?
    var most = -1.0
    for element in elements {
      let (attributes, around) = (element.likeness(of: facts), element.likeness(around: chain))
      let shares = [attributes, around].compactMap { $0 }
      guard !shares.isEmpty else { continue }
      let share = shares.reduce(0, +) / Double(shares.count)
      if share > most { (most, best) = (share, (element, attributes, around)) }
    }
    return best
  }

  /// Returns the area of the intersection of two frames, divided by the area of their union.
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

  /// Returns twice the length of the longest common subsequence, divided by the sum of both lengths; 0 if the innermost classes
  /// differ.
  ///
  /// - Parameter isPart: True if the first list may be a part of the second. Then its length counts twice, and the second
  ///   length does not count.
  private static func likeness(of a: [UTF8String], _ b: [UTF8String], isPart: Bool) -> Double {
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
    return 2 * Double(lengths[b.count]) / Double(a.count + (isPart ? a.count : b.count))
  }
}
