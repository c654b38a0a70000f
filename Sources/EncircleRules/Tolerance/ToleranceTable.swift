import EncircleEvents
import EncircleIdentity
import EncircleText

/// The new places of elements that rules have lost: successors by page and path.
///
/// If a matcher has such a table, its decisions on events that no rule is about name the rule that would probably select them:
///
/// ```swift
/// let tolerant = matcher.tolerating(table)
/// var decider = Decider(tolerant)
/// if let approximate = decider.decide(event).approximate { print(approximate.rule, approximate.confidence) }
/// ```
/// Nothing else about decisions changes.
public struct ToleranceTable: Sendable {
  /// All successors, in the order in which they were added.
  public let successors: [SuccessorElement]
  // The numbers of the successors, by hash of the page and then by shape of the path. Successors without a page are kept
  // separately.
  private let pages: [UInt64: [[PathComponent]: [Int]]]
  private let withoutPage: [[PathComponent]: [Int]]
  // A bit for each length of a page's name, modulo 64, which rejects most pages.
  private let lengths: UInt64
  private let seed: UInt64

  /// - Complexity: O(length of the paths).
  public init(_ successors: [SuccessorElement]) {
    self.successors = successors
    let seed = UInt64.random(in: .min ... .max)
    var pages: [UInt64: [[PathComponent]: [Int]]] = [:]
    var withoutPage: [[PathComponent]: [Int]] = [:]
    var lengths: UInt64 = 0
    for (number, successor) in successors.enumerated() {
      guard let page = successor.now.page else {
        withoutPage[successor.now.shape, default: []].append(number)
        continue
      }
      page.withUTF8 { bytes in
        lengths |= Self.bit(bytes.count)
        pages[KeyHash.hash(bytes, seed: seed), default: [:]][successor.now.shape, default: []].append(number)
      }
    }
    self.seed = seed
    self.pages = pages
    self.withoutPage = withoutPage
    self.lengths = lengths
  }

  /// This is true if the table has no successors.
  public var isEmpty: Bool { successors.isEmpty }

  private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

  /// Returns whether some successor may be on a page. This is cheap, so it comes before anything else.
  @inline(__always) func mayHave(page: ProjectedValue) -> Bool {
    switch page.kind {
    case .string:
      lengths & Self.bit(page.bytes.count) != 0 && pages[KeyHash.hash(page.bytes, seed: seed)] != nil
    // The page may come from the element.
    case .missing: true
    // Anything else is not a page.
    default: !withoutPage.isEmpty
    }
  }

  /// Returns the numbers of the successors in a place, in any row.
  func numbers(at place: ElementPlace) -> [Int] {
    guard let page = place.page else { return withoutPage[place.shape] ?? [] }
    let onPage = page.withUTF8 { pages[KeyHash.hash($0, seed: seed)] }
    // Hashes of different pages may be equal.
    return (onPage?[place.shape] ?? []).filter { successors[$0].now.page == page }
  }
}

extension Matcher {
  /// Returns a matcher whose decisions also name, for events that no rule is about, the rule that would probably select
  /// them.
  ///
  /// - Complexity: O(1).
  public func tolerating(_ table: ToleranceTable) -> Matcher {
    var matcher = self
    matcher.toleranceTable = table.isEmpty ? nil : table
    return matcher
  }
}
