/// Pairs elements of very large screens: equal subtrees, then elements with equal attributes, in order below matched ones.
enum KeyMatching {
  static let confidence = 0.75
  static let equality = 0.999

  /// Returns pairs of old and new elements, each element at most once.
  ///
  /// - Complexity: O(elements).
  static func pairs(_ old: ScreenFacts, _ new: ScreenFacts) -> [(Int, Int)] {
    var mapping = PartialMapping(old.count, new.count)
    func map(_ i: Int, _ j: Int) {
      if mapping.newOf[i] < 0, mapping.oldOf[j] < 0 { mapping.map(i, j) }
    }
    func forEachUniquePair(_ a: [UInt64], _ b: [UInt64], _ body: (Int, Int) -> Void) {
      var places: [UInt64: Int] = [:]
      for (j, key) in b.enumerated() { places[key] = places[key] == nil ? j : -1 }
      var times: [UInt64: Int] = [:]
      for key in a { times[key, default: 0] += 1 }
      for (i, key) in a.enumerated() where times[key] == 1 {
        if let j = places[key], j >= 0 { body(i, j) }
      }
    }
    // Equal subtrees that occur once on each screen; their elements are mapped, too.
    forEachUniquePair(old.subtreeHash, new.subtreeHash) { i, j in
      guard mapping.newOf[i] < 0, old.end[i] - Int32(i) == new.end[j] - Int32(j) else { return }
      for k in 0..<Int(old.end[i]) - i { map(i + k, j + k) }
    }
    // Elements with a unique text or name.
    forEachUniquePair(old.attributeKeys, new.attributeKeys, map)
    // Elements with the same class and index below mapped superviews, or at the top of both screens.
    forEachUniquePair(
      old.placeKeys { mapping.newOf[$0] }, new.placeKeys { mapping.oldOf[$0] < 0 ? -1 : Int32($0) }, map)
    // Elements that have kept their path, class and text.
    forEachUniquePair(old.pathHash, new.pathHash) { i, j in
      if old.className[i] == new.className[j], old.text[i] == new.text[j] { map(i, j) }
    }
    return mapping.newOf.enumerated().compactMap { $1 < 0 ? nil : ($0, Int($1)) }
  }
}

extension ScreenFacts {
  /// For each element, a hash of its class, text and names. An element without a text and names gets a hash of its path
  /// instead.
  fileprivate var attributeKeys: [UInt64] {
    (0..<count).map { i in
      guard text[i] >= 0 || label[i] >= 0 || identifier[i] >= 0 else { return mix(0xA110_C8ED, pathHash[i]) }
      return [className[i], text[i], label[i], identifier[i]].reduce(7) { mix($0, UInt64(bitPattern: Int64($1))) }
    }
  }

  /// Returns, for each element, a hash of its superview's partner, its class, its index and its text.
  fileprivate func placeKeys(_ partner: (Int) -> Int32) -> [UInt64] {
    (0..<count).map { i in
      let up = Int(parent[i])
      let base = up < 0 ? 3 : partner(up) < 0 ? mix(5, pathHash[i]) : mix(11, UInt64(partner(up)))
      return [className[i], index[i], text[i]].reduce(base) { mix($0, UInt64(bitPattern: Int64($1))) }
    }
  }

  /// Returns whether two screens have the same elements at the same places.
  func isEqual(to other: ScreenFacts) -> Bool {
    count == other.count && parent == other.parent && className == other.className && text == other.text
      && label == other.label && identifier == other.identifier && actions == other.actions
      && controller == other.controller && zip(frame, other.frame).allSatisfy { $0 == $1 || $0.x.isNaN && $1.x.isNaN }
  }
}
