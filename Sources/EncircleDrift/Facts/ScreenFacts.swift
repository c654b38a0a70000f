import EncircleText
import EncircleTree

/// The facts about the elements of a screen to compare, in flat arrays by element number.
struct ScreenFacts {
  let count: Int
  /// The number of each element in its tree. For a part of a screen, these do not start at 0.
  var elements: [ElementID] = []
  /// The superview, or -1.
  var parent: [Int32] = []
  /// The first element after the subtree.
  var end: [Int32] = []
  var depth: [Int32] = []
  /// The siblings before and after, or -1.
  var previous: [Int32] = []
  var next: [Int32] = []
  /// The number of subviews.
  var children: [Int32] = []
  var isWindow: [Bool] = []
  /// Numbers in ``SharedNames``, -1 if there is none.
  var className: [Int32] = []
  /// The text; for a field, its placeholder.
  var text: [Int32] = []
  /// For each view, this is true if people type in it.
  var isTyped: [Bool] = []
  var label: [Int32] = []
  var identifier: [Int32] = []
  var actions: [Int32] = []
  var controller: [Int32] = []
  /// The frame in the superview; `x` is NaN if there is none.
  var frame: [SIMD4<Float>] = []
  /// The origin in the window, adding up frames.
  var origin: [SIMD2<Float>] = []
  /// A hash of the subtree: classes, texts, names and structure.
  var subtreeHash: [UInt64] = []
  /// A hash of the path: the classes, and the index of each element among its siblings of the same class.
  var pathHash: [UInt64] = []
  /// The index among the siblings of the same class.
  var index: [Int32] = []
  /// The contents of an element: classes and texts, sorted.
  var innerClasses: [ArraySlice<Int32>] = []
  var innerTexts: [ArraySlice<Int32>] = []
  /// Texts around an element: in its superview, but not in itself, sorted.
  var nearbyTexts: [ArraySlice<Int32>] = []
  /// The names of the elements of a web page; nil for other screens.
  let page: PageNames?

  // No screen is that large; frames beyond it count as missing.
  private static let maximumPoints = 1e7

  /// Gathers the facts of a tree.
  ///
  /// - Complexity: O(elements × (attributes + bag size)), memory likewise.
  init(_ tree: ViewTree, classes: inout SharedNames, texts: inout SharedNames) {
    count = tree.count
    elements = Array(tree.elements)
    page = PageNames(tree)
    var classNumbers: [StringID: Int32] = [:]
    var typed: [TypedClass: Bool] = [:]
    let extraNames = ["testID", "nativeID"].compactMap { tree.attributeName($0) }
    for element in tree.elements {
      let id = tree.classID(of: element)
      let number = classNumbers[id] ?? classes.intern(RuntimeSubclass.writtenClass(of: tree.strings[id]))
      classNumbers[id] = number
      let up = tree.parent(of: element)?.index ?? -1
      parent.append(Int32(up))
      isWindow.append(up < 0 && tree.isWindow(element))
      end.append(tree.subtreeEnd(of: element).rawValue)
      depth.append(up < 0 ? 0 : depth[up] + 1)
      className.append(number)
      func value(_ names: AttributeName...) -> Int32 {
        for name in names {
          if let text = tree.value(name, of: element), !text.isEmpty { return texts.intern(text) }
        }
        return -1
      }
      func pageName(_ kind: PageNames.Kind, on page: PageNames) -> Int32 {
        page.value(kind, of: element).map { texts.intern($0) } ?? -1
      }
      // Typed text does not belong to the screen and must not appear in reasons.
      func isTypedClass(_ superclasses: StringID?) -> Bool {
        let key = TypedClass(name: id, superclasses: superclasses)
        if let known = typed[key] { return known }
        let isTyped = key.isTyped(in: tree)
        typed[key] = isTyped
        return isTyped
      }
      var isTyped = isTypedClass(tree.valueID(.superclasses, of: element))
      tree.forEachAttribute(of: element) { name, value in
        if name == .superclasses, isTypedClass(value) { isTyped = true }
      }
      if tree.isSecure(element) || page?.isTyped(element) ?? false { isTyped = true }
      self.isTyped.append(isTyped)
      if let page {
        text.append(pageName(.text, on: page))
        label.append(pageName(.label, on: page))
        identifier.append(pageName(.identifier, on: page))
      } else {
        text.append(isTyped ? value(.placeholder) : value(.text, .title, .placeholder))
        label.append(value(.label))
        var name = value(.identifier)
        for extra in extraNames where name < 0 { name = value(extra) }
        identifier.append(name)
      }
      actions.append(value(.actions))
      controller.append(value(.controller))
      // Sums and ratios of absurd numbers would be NaN and spoil the scores of elements around.
      if let box = tree.frame(of: element),
        [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) < Self.maximumPoints })
      {
        frame.append(SIMD4(Float(box.x), Float(box.y), Float(box.width), Float(box.height)))
      } else {
        frame.append(SIMD4(.nan, 0, 0, 0))
      }
      let base = up < 0 ? SIMD2<Float>(0, 0) : origin[up]
      let own = frame[element.index]
      origin.append(own.x.isNaN ? base : SIMD2(base.x + own.x, base.y + own.y))
    }
    addSiblings()
    addHashes()
    addBags()
  }

  /// Creates the facts about some elements of a screen, as if they were a separate screen. The texts and classes in and around
  /// an element are still taken from the whole screen.
  ///
  /// - Parameter kept: Places in this screen, ascending.
  /// - Complexity: O(elements).
  init(_ whole: ScreenFacts, keeping kept: [Int]) {
    count = kept.count
    page = whole.page
    // For each place and the end, the number of kept elements before it.
    var before = Array(repeating: Int32(0), count: whole.count + 1)
    for i in kept { before[i + 1] = 1 }
    for i in 0..<whole.count { before[i + 1] += before[i] }
    var nearest = Array(repeating: Int32(-1), count: whole.count)
    for i in 0..<whole.count {
      let above = whole.parent[i] < 0 ? -1 : nearest[Int(whole.parent[i])]
      nearest[i] = before[i + 1] > before[i] ? before[i] : above
      guard nearest[i] == before[i], before[i + 1] > before[i] else { continue }
      parent.append(above)
      end.append(before[Int(whole.end[i])])
      depth.append(above < 0 ? 0 : depth[Int(above)] + 1)
    }
    func some<T>(_ values: [T]) -> [T] { kept.map { values[$0] } }
    elements = some(whole.elements)
    isWindow = Array(repeating: false, count: count)
    className = some(whole.className)
    addSiblings()
    index = some(whole.index)
    text = some(whole.text)
    isTyped = some(whole.isTyped)
    label = some(whole.label)
    identifier = some(whole.identifier)
    actions = some(whole.actions)
    controller = some(whole.controller)
    frame = some(whole.frame)
    origin = some(whole.origin)
    subtreeHash = some(whole.subtreeHash)
    pathHash = some(whole.pathHash)
    innerClasses = some(whole.innerClasses)
    innerTexts = some(whole.innerTexts)
    nearbyTexts = some(whole.nearbyTexts)
  }

  private mutating func addSiblings() {
    previous = Array(repeating: -1, count: count)
    next = previous
    children = Array(repeating: 0, count: count)
    index = Array(repeating: 0, count: count)
    // The last child so far of each element; the last entry is for windows.
    var lastChild = Array(repeating: Int32(-1), count: count + 1)
    var seen: [UInt64: Int32] = [:]
    for i in 0..<count {
      let up = parent[i] < 0 ? count : Int(parent[i])
      if up < count { children[up] += 1 }
      if lastChild[up] >= 0 {
        previous[i] = lastChild[up]
        next[Int(lastChild[up])] = Int32(i)
      }
      lastChild[up] = Int32(i)
      let key = UInt64(up) << 32 | UInt64(className[i])
      index[i] = seen[key, default: 0]
      seen[key, default: 0] += 1
    }
  }

  private mutating func addHashes() {
    subtreeHash = (0..<count).map { i in
      var hash = mix(0x51ED_270B, UInt64(bitPattern: Int64(className[i])))
      for value in [text[i], label[i], identifier[i], actions[i], controller[i]] {
        hash = mix(hash, UInt64(bitPattern: Int64(value)))
      }
      return hash
    }
    // Subviews come after their superview.
    for i in stride(from: count - 1, through: 0, by: -1) where parent[i] >= 0 {
      subtreeHash[Int(parent[i])] = mix(subtreeHash[Int(parent[i])], subtreeHash[i])
    }
    pathHash.reserveCapacity(count)
    for i in 0..<count {
      let base = parent[i] < 0 ? 1 : pathHash[Int(parent[i])]
      pathHash.append(mix(mix(base, UInt64(className[i])), UInt64(index[i])))
    }
  }

  private mutating func addBags() {
    // The subtree is a range of elements, so its bag is a range of an array of all classes or texts.
    let allTexts = text.map { $0 }
    func bag(_ values: [Int32], _ range: Range<Int>, without inner: Range<Int> = 0..<0) -> ArraySlice<Int32> {
      var result: [Int32] = []
      for i in range where values[i] >= 0 && (i < inner.lowerBound || i >= inner.upperBound) {
        result.append(values[i])
        if result.count == DriftLimits.bagSize { break }
      }
      return result.sorted()[...]
    }
    for i in 0..<count {
      let inner = i + 1..<Int(end[i])
      // Only the beginning of a larger subtree is used.
      let bounded = inner.prefix(4 * DriftLimits.bagSize)
      innerClasses.append(bag(className, bounded))
      innerTexts.append(bag(allTexts, bounded))
      let around = parent[i] < 0 ? i..<i : Int(parent[i])..<Int(end[Int(parent[i])])
      // The nearest elements are the most telling.
      let near = around.clamped(to: max(0, i - 2 * DriftLimits.bagSize)..<Int(end[i]) + 2 * DriftLimits.bagSize)
      nearbyTexts.append(bag(allTexts, near, without: i..<Int(end[i])))
    }
  }
}

extension ViewTree {
  fileprivate func isWindow(_ element: ElementID) -> Bool {
    strings.withBytes(of: classID(of: element)) { name in
      let written = UnsafeBufferPointer(rebasing: name[RuntimeSubclass.writtenClass(in: name)])
      guard let superclasses = valueID(.superclasses, of: element) else {
        return !ViewKinds(class: written).isDisjoint(with: .window)
      }
      return strings.withBytes(of: superclasses) {
        !ViewKinds(class: written, superclasses: $0).isDisjoint(with: .window)
      }
    }
  }
}

/// A class and its superclasses, which determine whether people type in a view.
private struct TypedClass: Hashable {
  let name: StringID
  let superclasses: StringID?

  func isTyped(in tree: ViewTree) -> Bool {
    tree.strings.withBytes(of: name) { name in
      let written = UnsafeBufferPointer(rebasing: name[RuntimeSubclass.writtenClass(in: name)])
      guard let superclasses else { return !ViewKinds(class: written).isDisjoint(with: .typedText) }
      return tree.strings.withBytes(of: superclasses) {
        !ViewKinds(class: written, superclasses: $0).isDisjoint(with: .typedText)
      }
    }
  }
}

/// Mixes a value into a hash.
func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
  let product = (hash ^ value &+ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low &+ hash << 7
}
