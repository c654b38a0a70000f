import EncircleText
import EncircleTree

/// The scenes of two screens, paired. A scene is a direct child of a window, such as a screen of a storyboard, the app below
/// an alert, or the alert.
///
/// Scenes have no order, elements hardly ever go from one to another, and a text or class is rare only relative to its scene.
/// So each pair of scenes is matched separately, which is also much faster. A screen without windows, or with one scene, is one pair.
struct ScenePairs {
  /// Two scenes that belong together.
  struct Pair {
    let old: ScreenFacts
    let new: ScreenFacts
    let similarity: SceneSimilarity
  }

  /// Elements that lie in one scene.
  struct Scene {
    /// The outermost element of the scene, which need not be among ``elements``.
    let root: Int
    /// Ascending.
    var elements: [Int]
  }

  /// The first pairs; each scene is in one at most.
  let pairs: [Pair]
  /// The scenes; empty if the screens are not cut.
  let scenes: (old: [Scene], new: [Scene])
  /// The windows, as numbers of elements; empty if the screens are not cut.
  let windows: (old: [Int], new: [Int])

  // Smaller screens are matched as a whole: views may have gone from one part of the window to another.
  private static let minimumElements = 64
  // With more pairs of scenes, comparing all of them would take too long.
  private static let maximumPairs = 400_000

  /// Cuts screens into scenes and pairs them.
  ///
  /// - Complexity: O(elements × log elements + pairs of scenes + elements × scenes).
  init(_ old: ScreenFacts, _ new: ScreenFacts, classes: SharedNames) {
    let cut = (old: old.scenes, new: new.scenes)
    guard max(old.count, new.count) >= Self.minimumElements, !cut.old.isEmpty, !cut.new.isEmpty,
      cut.old.count + cut.new.count > 2, cut.old.count * cut.new.count <= Self.maximumPairs
    else {
      let whole = [old, new].map { SceneKeys($0, Scene(root: 0, elements: Array(0..<$0.count)), classes) }
      let overlap = old.count > 0 && new.count > 0 ? SceneWords(whole).similarity(0, 1) : 1
      pairs = [Pair(old: old, new: new, similarity: SceneSimilarity(overlap: overlap, margin: overlap))]
      scenes = ([], [])
      windows = ([], [])
      return
    }
    scenes = cut
    windows = (old.roots, new.roots)
    pairs = Self.choose(cut.old, cut.new, old, new, classes, isRest: false)
  }

  /// Pairs the parts of scenes that have not been matched.
  ///
  /// - Parameter isFound: For each element, true if it has been matched.
  /// - Complexity: O(elements × log elements + pairs of scenes + elements × scenes).
  func restPairs(
    _ old: ScreenFacts, _ new: ScreenFacts, _ classes: SharedNames, isFound: (old: [Bool], new: [Bool])
  ) -> [Pair] {
    func rest(_ scenes: [Scene], _ isFound: [Bool]) -> [Scene] {
      scenes.map { Scene(root: $0.root, elements: $0.elements.filter { !isFound[$0] }) }.filter { !$0.elements.isEmpty }
    }
    return Self.choose(
      rest(scenes.old, isFound.old), rest(scenes.new, isFound.new), old, new, classes, isRest: true)
  }

  private static func choose(
    _ oldScenes: [Scene], _ newScenes: [Scene], _ old: ScreenFacts, _ new: ScreenFacts, _ classes: SharedNames,
    isRest: Bool
  ) -> [Pair] {
    let words = SceneWords(
      oldScenes.map { SceneKeys(old, $0, classes) } + newScenes.map { SceneKeys(new, $0, classes) })
    func counts(_ facts: ScreenFacts, _ scenes: [Scene]) -> [Int32: Int] {
      scenes.reduce(into: [:]) { $0[facts.className[$1.root], default: 0] += 1 }
    }
    let classCounts = (old: counts(old, oldScenes), new: counts(new, newScenes))
    var edges: [Assignment.Edge] = []
    var rivals = (
      old: Array(repeating: TopTwo(), count: oldScenes.count), new: Array(repeating: TopTwo(), count: newScenes.count)
    )
    for i in oldScenes.indices {
      for j in newScenes.indices {
        var similarity = words.similarity(i, oldScenes.count + j, ofSmaller: isRest)
        // The class of the root, such as a controller's view, is telling if exactly one scene of each screen has it.
        let names = (old.className[oldScenes[i].root], new.className[newScenes[j].root])
        if !isRest, names.0 == names.1, classCounts.old[names.0] == 1, classCounts.new[names.0] == 1 {
          similarity = (1 + similarity) / 2
        }
        guard similarity > (isRest ? Self.minimumSimilarityOfRest : Self.minimumSimilarity) else { continue }
        edges.append(Assignment.Edge(row: Int32(i), column: Int32(j), gain: similarity))
        rivals.old[i].add(similarity, at: j)
        rivals.new[j].add(similarity, at: i)
      }
    }
    return Assignment.choose(edges, limit: 200).map { edge in
      let (i, j) = (Int(edge.row), Int(edge.column))
      let rival = max(rivals.old[i].rival(of: j), rivals.new[j].rival(of: i))
      var parts = (
        old: ScreenFacts(old, keeping: oldScenes[i].elements), new: ScreenFacts(new, keeping: newScenes[j].elements)
      )
      if !isRest {
        // The texts around the root of a scene belong to other scenes.
        parts.old.nearbyTexts[0] = []
        parts.new.nearbyTexts[0] = []
      }
      return Pair(
        old: parts.old, new: parts.new,
        similarity: SceneSimilarity(overlap: edge.gain, margin: max(edge.gain - rival, -0.5), isOfRest: isRest))
    }
  }

  private static let minimumSimilarity: Float = 0.1
  private static let minimumSimilarityOfRest: Float = 0.2
}

extension ScenePairs {
  /// This is true if the screens have several scenes.
  var isCut: Bool { !windows.old.isEmpty }

  /// Returns the elements of a screen that are not windows.
  func elementsInWindows(_ facts: ScreenFacts) -> [Int] { (0..<facts.count).filter { facts.parent[$0] >= 0 } }

  static let windowConfidence = 0.98

  /// Pairs the windows of screens that have been cut; the windows that share the most elements belong together.
  ///
  /// - Complexity: O(elements × log elements).
  func windowPairs(_ matches: [ScreenMapping.Match?]) -> [(Int, Int)] {
    guard !windows.old.isEmpty else { return [] }
    var shared: [(old: Int, new: Int, count: Int)] = []
    for (number, window) in windows.old.enumerated() {
      let end = number + 1 < windows.old.count ? windows.old[number + 1] : matches.count
      var counts: [Int: Int] = [:]
      for match in matches[window..<end] {
        guard let match else { continue }
        let place = max(windows.new.partitioningIndex { $0 > match.new.index } - 1, 0)
        counts[place, default: 0] += 1
      }
      for (place, count) in counts { shared.append((window, windows.new[place], count)) }
    }
    var taken = Set<Int>()
    var found = Set<Int>()
    return shared.sorted { ($1.count, $0.old, $0.new) < ($0.count, $1.old, $1.new) }.compactMap { pair in
      guard !found.contains(pair.old), taken.insert(pair.new).inserted else { return nil }
      found.insert(pair.old)
      return (pair.old, pair.new)
    }
  }
}

/// The similarity of two scenes, weighted by rarity.
struct SceneSimilarity {
  static let acrossScenes = SceneSimilarity(overlap: 0, margin: -1, isOfRest: true)

  /// 0 to 1.
  let overlap: Float
  /// The overlap minus the overlap of the best other pair with one of the two scenes.
  let margin: Float
  /// This is true if the scenes are the unmatched parts of scenes that were paired with others.
  var isOfRest = false
}

/// Hashes of the contents of a scene, sorted.
private struct SceneKeys {
  let keys: [UInt64]

  // Only the beginning of a larger scene is used.
  private static let maximumElements = 400

  init(_ facts: ScreenFacts, _ scene: ScenePairs.Scene, _ classes: SharedNames) {
    var keys: [UInt64] = []
    func add(_ kind: UInt64, _ values: Int32...) {
      keys.append(values.reduce(kind) { mix($0, UInt64(bitPattern: Int64($1))) })
    }
    for i in scene.elements.prefix(Self.maximumElements) {
      add(1, facts.className[i])
      if facts.text[i] >= 0 { add(2, facts.text[i]) }
      if facts.label[i] >= 0 { add(3, facts.label[i]) }
      if facts.identifier[i] >= 0 { add(4, facts.identifier[i]) }
      if facts.actions[i] >= 0 { add(5, facts.actions[i]) }
      if facts.controller[i] >= 0 { add(6, facts.controller[i]) }
      if facts.children[i] > 0 { keys.append(mix(7, facts.subtreeHash[i])) }
    }
    // The class of a controller's view is the best evidence, and some of its words often survive a renaming.
    if scene.elements.first == scene.root {
      for word in classes.signature(of: facts.className[scene.root]) { add(8, Int32(bitPattern: word)) }
      for _ in 0..<3 { add(9, facts.className[scene.root]) }
    }
    self.keys = keys.sorted()
  }
}

/// The keys of scenes, weighted by how few scenes have them.
private struct SceneWords {
  private var numbers: [[(key: Int32, weight: Float)]] = []
  private var sums: [Float] = []

  init(_ scenes: [SceneKeys]) {
    var scenesWith: [UInt64: Int32] = [:]
    for scene in scenes {
      var last: UInt64?
      for key in scene.keys where key != last {
        scenesWith[key, default: 0] += 1
        last = key
      }
    }
    var ids: [UInt64: Int32] = [:]
    for scene in scenes {
      numbers.append(
        scene.keys.map { key in
          let id = ids[key] ?? Int32(ids.count)
          ids[key] = id
          return (id, 1 / Float(scenesWith[key] ?? 1))
        }.sorted { $0.key < $1.key })
      sums.append(numbers.last?.reduce(0) { $0 + $1.weight } ?? 0)
    }
  }

  /// Returns the weight of the shared contents of two scenes, divided by the average weight of their contents, 0 to 1.
  ///
  /// - Parameter ofSmaller: True to divide by the weight of the smaller scene instead.
  func similarity(_ a: Int, _ b: Int, ofSmaller: Bool = false) -> Float {
    let (x, y) = (numbers[a], numbers[b])
    var (i, j) = (0, 0)
    var common: Float = 0
    while i < x.count, j < y.count {
      if x[i].key == y[j].key {
        common += x[i].weight
        i += 1
        j += 1
      } else if x[i].key < y[j].key {
        i += 1
      } else {
        j += 1
      }
    }
    let all = ofSmaller ? min(sums[a], sums[b]) : (sums[a] + sums[b]) / 2
    return common / max(all, .leastNormalMagnitude)
  }
}

extension ScreenFacts {
  fileprivate var roots: [Int] {
    var roots: [Int] = []
    var i = 0
    while i < count {
      roots.append(i)
      i = Int(end[i])
    }
    return roots
  }

  /// The direct children of the windows; empty if some outermost element is not a window.
  fileprivate var scenes: [ScenePairs.Scene] {
    let roots = roots
    guard roots.allSatisfy({ isWindow[$0] }) else { return [] }
    return roots.flatMap { root in
      var scenes: [ScenePairs.Scene] = []
      var i = root + 1
      while i < Int(end[root]) {
        scenes.append(ScenePairs.Scene(root: i, elements: Array(i..<Int(end[i]))))
        i = Int(end[i])
      }
      return scenes
    }
  }
}
