import EncircleIdentity
import EncircleText

extension StreamDrift {
  /// The elements that a rule selected before, indexed by the features that others may share.
  struct NearestElements {
    private let elements: [Element]
    // Maps a page and some properties to the first element that has them. In a key, all other properties are nil.
    private var first: [Element: Int] = [:]

    // All that an element can have in common with another, the most telling first.
    private static let combinations: [[Evidence]] = [
      [.text, .type, .position], [.text, .type], [.text, .position], [.text], [.type, .position], [.type], [.position],
    ]

    /// - Complexity: O(elements).
    init(_ elements: [Element]) {
      self.elements = elements
      for (number, element) in elements.enumerated() {
        for evidence in Self.combinations {
          if let part = Self.part(evidence, of: element), first[part] == nil { first[part] = number }
        }
      }
    }

    /// Returns the element on the same page, with events in the same style, that has most in common with an element, and what
    /// they share; the first if several do, nil if none has anything in common.
    ///
    /// - Complexity: O(1).
    func nearest(to element: Element) -> (element: Element, evidence: [Evidence])? {
      var best: (number: Int, evidence: [Evidence], weight: Int)?
      for evidence in Self.combinations {
        guard let part = Self.part(evidence, of: element), let number = first[part] else { continue }
        let weight = evidence.reduce(0) { $0 + $1.weight }
        if let best, best.weight > weight || best.number <= number { continue }
        best = (number, evidence, weight)
      }
      return best.map { (elements[$0.number], $0.evidence) }
    }

    /// Returns an element with its page, its style and some of its properties only; nil if it lacks one of these.
    private static func part(_ evidence: [Evidence], of element: Element) -> Element? {
      func value(_ kind: Evidence, _ text: UTF8String?) -> UTF8String? { evidence.contains(kind) ? text : nil }
      let part = Element(
        path: nil, eventID: nil, page: element.page, content: value(.text, element.content),
        type: value(.type, element.type), position: value(.position, element.position), style: element.style)
      let count = [part.content, part.type, part.position].count { $0 != nil }
      return count == evidence.count ? part : nil
    }
  }
}
