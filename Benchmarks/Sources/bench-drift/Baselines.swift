@_spi(Training) import EncircleDrift
import EncircleTree
import Foundation

/// Simple and published matchers to compare with.
enum Baseline: String, CaseIterable {
  case exactPath = "exact path"
  case classAndText = "class+text, n-th of equals"
  case similo = "Similo"
  case treeEditDistance = "tree edit distance"

  func answers(_ pair: ScreenPair) -> [Score.Answer?] {
    switch self {
    case .exactPath: Self.byKey(ViewPaths(pair.old).paths, ViewPaths(pair.new).paths)
    case .classAndText: Self.byKey(Self.texts(pair.old), Self.texts(pair.new))
    case .similo: SimiloScore(pair.old, pair.new).answers()
    case .treeEditDistance: TreeEditBaseline.answers(pair.old, pair.new)
    }
  }

  /// Pairs equal keys, the n-th with the n-th.
  private static func byKey(_ old: [String], _ new: [String]) -> [Score.Answer?] {
    var places: [String: [Int]] = [:]
    for (j, key) in new.enumerated() { places[key, default: []].append(j) }
    var taken: [String: Int] = [:]
    return old.map { key in
      let n = taken[key, default: 0]
      taken[key] = n + 1
      guard let found = places[key], n < found.count else { return nil }
      return Score.Answer(new: found[n], score: 1)
    }
  }

  private static func texts(_ tree: ViewTree) -> [String] {
    tree.elements.map {
      "\(tree.className(of: $0))|\(tree.value(.placeholder, of: $0) ?? "")|\(tree.value(.label, of: $0) ?? "")"
    }
  }
}

/// A weighted sum of the properties that native views share with web elements, by Nass et al., "Similarity-based Web Element
/// Localization for Robust Test Automation", TOSEM 2023: name, identifier, text and neighbours 1.5, the others 0.5.
private struct SimiloScore {
  private let old: [View]
  private let new: [View]

  private struct View {
    var name = ""
    var text = ""
    var label = ""
    var identifier = ""
    var path = ""
    var frame: Frame?
    var neighbours: Set<String> = []
  }

  init(_ old: ViewTree, _ new: ViewTree) {
    self.old = Self.views(old)
    self.new = Self.views(new)
  }

  private static func views(_ tree: ViewTree) -> [View] {
    let paths = ViewPaths(tree).paths
    var origins: [(Double, Double)] = []
    return tree.elements.map { element in
      let parent = tree.parent(of: element)
      let base = parent.map { origins[$0.index] } ?? (0, 0)
      let frame = tree.frame(of: element)
      origins.append((base.0 + (frame?.x ?? 0), base.1 + (frame?.y ?? 0)))
      var view = View()
      view.name = tree.className(of: element)
      view.text = tree.value(.placeholder, of: element) ?? ""
      view.label = tree.value(.label, of: element) ?? ""
      view.identifier = tree.value(.identifier, of: element) ?? ""
      view.path = paths[element.index]
      if let frame {
        view.frame = Frame(
          x: origins[element.index].0, y: origins[element.index].1, width: frame.width, height: frame.height)
      }
      if let parent {
        var sibling = tree.firstChild(of: parent)
        while let other = sibling {
          if other != element, let text = tree.value(.placeholder, of: other) { view.neighbours.insert(text) }
          sibling = tree.nextSibling(of: other)
        }
      }
      return view
    }
  }

  func answers() -> [Score.Answer?] {
    old.map { view in
      var best: Score.Answer?
      for (j, other) in new.enumerated() {
        let score = Self.score(view, other)
        if score > best?.score ?? -1 { best = Score.Answer(new: j, score: score) }
      }
      return best
    }
  }

  private static func score(_ a: View, _ b: View) -> Float {
    func text(_ a: String, _ b: String) -> Float { a.isEmpty || b.isEmpty ? 0 : editSimilarity(a, b) }
    var sum = 1.5 * (a.name == b.name ? 1 : 0) + 0.5 * text(a.name, b.name)
    sum += 1.5 * text(a.text, b.text) + 0.5 * text(a.label, b.label) + 1.5 * text(a.identifier, b.identifier)
    sum += 0.5 * text(String(a.path.suffix(50)), String(b.path.suffix(50)))
    if !a.neighbours.isEmpty, !b.neighbours.isEmpty {
      sum +=
        1.5 * Float(a.neighbours.intersection(b.neighbours).count) / Float(max(a.neighbours.count, b.neighbours.count))
    }
    if let a = a.frame, let b = b.frame {
      sum += 0.5 * Float(max(0, 100 - hypot(a.x - b.x, a.y - b.y)) / 100)
      func ratio(_ a: Double, _ b: Double) -> Float { Float(min(a, b) / max(max(a, b), 1)) }
      sum += 0.5 * ratio(a.width * a.height, b.width * b.height)
      sum += 0.5 * ratio(a.width / max(a.height, 1), b.width / max(b.height, 1))
    }
    return sum
  }
}

/// The plain tree edit distance, with hand-made costs of changing a view.
private enum TreeEditBaseline {
  static func answers(_ old: ViewTree, _ new: ViewTree) -> [Score.Answer?] {
    var costs: [Float] = []
    for i in old.elements {
      for j in new.elements { costs.append(cost(old, i, new, j)) }
    }
    func ends(_ tree: ViewTree) -> [Int32] { tree.elements.map { tree.subtreeEnd(of: $0).rawValue } }
    let pairs = TreeAlignment.align(PostOrderTree(subtreeEnds: ends(old)), PostOrderTree(subtreeEnds: ends(new))) {
      i, j in
      costs[i * new.count + j]
    }
    return pairs.enumerated().map { i, j in
      j < 0 ? nil : Score.Answer(new: Int(j), score: -costs[i * new.count + Int(j)])
    }
  }

  private static func cost(_ old: ViewTree, _ i: ElementID, _ new: ViewTree, _ j: ElementID) -> Float {
    var cost: Float = 0
    let (a, b) = (old.className(of: i), new.className(of: j))
    if a != b { cost += 0.5 + 0.5 * (1 - editSimilarity(a, b)) }
    let texts = (old.value(.placeholder, of: i), new.value(.placeholder, of: j))
    switch texts {
    case (let a?, let b?): cost += 0.6 * (1 - editSimilarity(a, b))
    case (nil, nil): break
    default: cost += 0.4
    }
    if let a = old.value(.identifier, of: i), let b = new.value(.identifier, of: j), a != b { cost += 1 }
    if let a = old.frame(of: i), let b = new.frame(of: j) {
      func ratio(_ a: Double, _ b: Double) -> Float { Float(min(max(a, 1), max(b, 1)) / max(max(a, b), 1)) }
      cost += 0.3 * (2 - ratio(a.width, b.width) - ratio(a.height, b.height)) / 2
    }
    return min(cost, 2.4)
  }
}

/// Returns 1 less the edit distance by the greater length, of at most 50 bytes.
func editSimilarity(_ a: String, _ b: String) -> Float {
  if a == b { return 1 }
  let (a, b) = (Array(a.utf8.prefix(50)), Array(b.utf8.prefix(50)))
  guard !a.isEmpty, !b.isEmpty else { return 0 }
  var row = Array(0...b.count)
  for i in 1...a.count {
    var diagonal = row[0]
    row[0] = i
    for j in 1...b.count {
      let substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)
      diagonal = row[j]
      row[j] = min(substituted, row[j] + 1, row[j - 1] + 1)
    }
  }
  return 1 - Float(row[b.count]) / Float(max(a.count, b.count))
}
