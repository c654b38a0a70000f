import EncircleTree

/// The ways in which a view with a changed path can change; a view may change in several ways.
enum ChangeKind: String, CaseIterable {
  case ancestor = "only an ancestor changed"
  case index = "own index shifted"
  case parent = "re-parented"
  case className = "class changed"
  case text = "text changed too"
  case created = "re-created view"
  case order = "reordered against a sibling"
  case lookAlike = "has a look-alike"
  case unique = "unique attributes"
  case tappable = "tappable"
  case step = "one step in history"
  case jump = "jump of versions"
}

extension ScreenPair {
  /// Returns the kinds of change of each old view whose path has changed; empty for other views.
  func changeKinds() -> [Set<ChangeKind>] {
    let paths = (old: ViewPaths(old).paths, new: ViewPaths(new).paths)
    let images = truth.map { truth -> Int? in if case .view(let j) = truth { j } else { nil } }
    let looks = (old: Self.looks(old), new: Self.looks(new))
    let counts = (old: Self.counts(looks.old), new: Self.counts(looks.new))
    let reordered = reordered(images)
    return old.elements.map { element in
      let i = element.index
      guard let j = images[i], paths.old[i] != paths.new[j] else { return [] }
      var kinds: Set<ChangeKind> = [steps == 1 ? .step : .jump]
      let (p, q) = (old.parent(of: element)?.index, new.parent(of: ElementID(j))?.index)
      let isParentSame = p.map { images[$0] == q } ?? (q == nil)
      let isClassSame = old.className(of: element) == new.className(of: ElementID(j))
      let isComponentSame = Self.component(paths.old[i]) == Self.component(paths.new[j])
      if !isClassSame { kinds.insert(.className) }
      if !isParentSame { kinds.insert(.parent) }
      if isParentSame, isClassSame { kinds.insert(isComponentSame ? .ancestor : .index) }
      if old.value(.placeholder, of: element) != new.value(.placeholder, of: ElementID(j)) { kinds.insert(.text) }
      if created.contains(i) { kinds.insert(.created) }
      if reordered[i] { kinds.insert(.order) }
      let isAlone = counts.old[looks.old[i]] == 1 && counts.new[looks.new[j]] == 1
      kinds.insert(isAlone ? .unique : .lookAlike)
      let name = old.className(of: element)
      if ["Button", "Cell", "TextField", "Switch", "Slider", "Control", "Stepper", "BarButtonItem"]
        .contains(where: name.hasSuffix)
      {
        kinds.insert(.tappable)
      }
      return kinds
    }
  }

  /// Returns the appearance of each view: people can distinguish two views only if it differs.
  private static func looks(_ tree: ViewTree) -> [String] {
    tree.elements.map {
      "\(tree.className(of: $0))|\(tree.value(.placeholder, of: $0) ?? "")|\(tree.value(.label, of: $0) ?? "")|"
        + (tree.value(.identifier, of: $0) ?? "")
    }
  }

  private static func counts(_ looks: [String]) -> [String: Int] {
    looks.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func component(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// Returns, for each old view, whether a sibling that it has kept is now on its other side.
  private func reordered(_ images: [Int?]) -> [Bool] {
    var result = Array(repeating: false, count: old.count)
    for parent in old.elements {
      var kept: [(old: Int, new: Int, parent: Int?)] = []
      var child = old.firstChild(of: parent)
      while let view = child {
        if let j = images[view.index] { kept.append((view.index, j, new.parent(of: ElementID(j))?.index)) }
        child = old.nextSibling(of: view)
      }
      for (place, a) in kept.enumerated() {
        for b in kept[(place + 1)...] where a.parent == b.parent && a.new > b.new {
          result[a.old] = true
          result[b.old] = true
        }
      }
    }
    return result
  }
}
