import EncircleDrift
import EncircleIdentity
import EncircleText
import EncircleTree

/// Pairs the captures of an old version of an app with captures of a new one: by page, and on one page by how much they share.
public struct ScreenPairing: Sendable {
  /// The pairs, as indexes, in the order of the old captures.
  public private(set) var pairs: [(old: Int, new: Int)] = []
  /// The old captures without a counterpart.
  public private(set) var onlyOld: [Int] = []
  /// The new captures without a counterpart.
  public private(set) var onlyNew: [Int] = []

  // Two captures of the same page may show it in states that have little in common, but not nothing.
  private static let minimumOverlap = 0.1
  // If no person checks the pairs, a sheet over a page must not be taken for a later version of the page without it: the two have
  // most containers in common, but hardly any texts.
  private static let minimumTexts = 0.3
  private static let minimumWithoutTexts = 0.6

  /// Pairs captures.
  ///
  /// - Parameter pairsAnyTwo: If true, one old and one new capture are always a pair, for example because a person
  ///   names them. With more captures, two may be a pair if they share any page. If false, both must show the same main
  ///   page of one app and have enough of its content in common.
  /// - Complexity: O(pairs of one page × elements).
  public init(_ old: [NamedScreen], _ new: [NamedScreen], pairsAnyTwo: Bool = true) {
    let isOneEach = pairsAnyTwo && old.count == 1 && new.count == 1
    let before: [ScreenSummary] = isOneEach ? [] : old.map { ScreenSummary($0) }
    let now: [ScreenSummary] = isOneEach ? [] : new.map { ScreenSummary($0) }
    self.init(before, now, pairsAnyTwo: pairsAnyTwo)
    if isOneEach { pairs = [(0, 0)] }
  }

  /// Pairs captures by their features, for callers that pair a capture several times.
  init(_ before: [ScreenSummary], _ now: [ScreenSummary], pairsAnyTwo: Bool) {
    var choices: [(old: Int, new: Int, overlap: Double)] = []
    for (i, a) in before.enumerated() {
      for (j, b) in now.enumerated() where a.mayBe(b) {
        let overlap = a.overlap(with: b)
        let isAlike =
          pairsAnyTwo
          ? overlap >= Self.minimumOverlap
          : a.mayBeOfSameApp(as: b) && a.mainPage == b.mainPage
            && (overlap >= Self.minimumWithoutTexts || a.overlapOfTexts(with: b) >= Self.minimumTexts)
        if isAlike { choices.append((i, j, overlap + (a.fileName == b.fileName ? 0.01 : 0))) }
      }
    }
    choices.sort { ($1.overlap, $0.old, $0.new) < ($0.overlap, $1.old, $1.new) }
    var taken = (old: Set<Int>(), new: Set<Int>())
    for choice in choices where !taken.old.contains(choice.old) && !taken.new.contains(choice.new) {
      taken.old.insert(choice.old)
      taken.new.insert(choice.new)
      pairs.append((choice.old, choice.new))
    }
    pairs.sort { $0.old < $1.old }
    onlyOld = before.indices.filter { !taken.old.contains($0) }
    onlyNew = now.indices.filter { !taken.new.contains($0) }
  }
}

/// The features by which captures are paired.
struct ScreenSummary: Sendable {
  fileprivate let fileName: UTF8String
  private let app: UTF8String?
  /// The page of most elements that have one, as containers around it are the same for many pages.
  fileprivate let mainPage: UTF8String?
  private var pages: Set<UTF8String> = []
  private var keys: [UTF8String: Int] = [:]
  // The counts for elements with a text.
  private var texts: [UTF8String: Int] = [:]

  init(_ named: NamedScreen) {
    let screen = named.screen
    fileName = UTF8String(FilePath.name(of: named.name))
    app = screen.tree.header.app.map { UTF8String($0) }
    let webPage = PageNames(screen.tree)
    var counts: [UTF8String: Int] = [:]
    for element in screen.tree.elements {
      if let page = screen.page(of: element) { counts[UTF8String(page), default: 0] += 1 }
      var key = screen.className(of: element)
      var isInformative = false
      let names: [String?] =
        if let webPage {
          [webPage.value(.text, of: element), webPage.value(.identifier, of: element)]
        } else if screen.holdsTypedText(element) {
          []
        } else {
          [AttributeName.text, .title, .identifier].map { screen.tree.value($0, of: element) }
        }
      for name in names {
        key += "\u{1F}" + (name ?? "")
        if name?.isEmpty == false { isInformative = true }
      }
      keys[UTF8String(key), default: 0] += 1
      if isInformative { texts[UTF8String(key), default: 0] += 1 }
    }
    pages = Set(counts.keys)
    mainPage = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Returns whether two captures share a page; without pages, or if all pages were renamed, the file name decides.
  fileprivate func mayBe(_ other: ScreenSummary) -> Bool {
    !pages.isDisjoint(with: other.pages) || fileName == other.fileName || pages.isEmpty && other.pages.isEmpty
  }

  /// Returns whether two captures are of one app, or one of them does not name its app.
  fileprivate func mayBeOfSameApp(as other: ScreenSummary) -> Bool {
    app == nil || other.app == nil || app == other.app
  }

  /// Returns the share of elements with the same class and texts, from 0 to 1.
  fileprivate func overlap(with other: ScreenSummary) -> Double {
    Self.overlap(keys, other.keys)
  }

  /// Returns the same share for the elements with a text.
  fileprivate func overlapOfTexts(with other: ScreenSummary) -> Double { Self.overlap(texts, other.texts) }

  private static func overlap(_ a: [UTF8String: Int], _ b: [UTF8String: Int]) -> Double {
    var common = 0
    for (key, times) in a { common += min(times, b[key] ?? 0) }
    let all: Int = a.values.reduce(0, +) + b.values.reduce(0, +)
    return 2 * Double(common) / Double(max(all, 1))
  }
}
