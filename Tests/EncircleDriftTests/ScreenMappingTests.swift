import EncircleDrift
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// Which elements of an old screen are found on a new one.
@Suite struct ScreenMappingTests {
  // 100,000 pairs at full size, else 500, in groups.
  @Test(
    "each element of any screens is found at most once, and each new element is at most one old one", arguments: 0..<50)
  func injection(group: Int) {
    for number in 0..<(TestSize.isFull ? 2_000 : 10) {
      var random = SeededGenerator(seed: UInt64(group * 2_000 + number))
      let most = number % 10 == 0 ? 25 : 7
      let old = MadeView.any(&random, views: Int.random(in: 1...most, using: &random))
      let new = MadeView.any(&random, views: Int.random(in: 1...most, using: &random))
      expectInjection(from: old, to: new)
    }
  }

  private func expectInjection(from old: ViewTree, to new: ViewTree) {
    let mapping = ScreenMapping(from: old, to: new)
    var taken: Set<ElementID> = []
    for element in old.elements {
      guard let match = mapping.candidate(for: element) else { continue }
      #expect(match.old == element)
      #expect(new.elements.contains(match.new))
      #expect(taken.insert(match.new).inserted, "\(match.new) is two elements")
      #expect((0...1).contains(match.confidence))
      #expect(mapping.origin(of: match.new, threshold: 0)?.old == element)
      #expect((mapping.match(for: element, threshold: 0.5) != nil) == (match.confidence >= 0.5))
    }
  }

  @Test("so it is in windows with several scenes, in any order", arguments: TestSize.scaled(0..<300))
  func injectionInScenes(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func storyboard() -> ViewTree {
      let scenes = (0..<Int.random(in: 2...6, using: &random)).map { _ in MadeView.screen(&random).children[0] }
      return MadeView.window(scenes.shuffled(using: &random)).tree()
    }
    expectInjection(from: storyboard(), to: storyboard())
  }

  @Test("scenes in another order are found with all their elements", arguments: TestSize.scaled(0..<50))
  func scenes(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var scenes = (0..<6).map { number in
      var scene = MadeView.screen(&random).children[0]
      scene.name =
        ["LoginController", "CartController", "OrderController", "HelpController", "HomeController", "MeController"][
          number]
      return scene
    }
    let old = MadeView.window(scenes).tree()
    var starts: [Int] = []
    var next = 1
    for scene in scenes {
      starts.append(next)
      next += scene.count
    }
    let order = Array(0..<6).shuffled(using: &random)
    scenes = order.map { scenes[$0] }
    let mapping = ScreenMapping(from: old, to: MadeView.window(scenes).tree())
    next = 1
    for (place, scene) in order.enumerated() {
      for i in 0..<scenes[place].count {
        #expect(
          mapping.match(for: ElementID(starts[scene] + i))?.new == ElementID(next + i), "scene \(scene), view \(i)")
      }
      next += scenes[place].count
    }
    #expect(mapping.match(for: ElementID(0))?.new == ElementID(0))
  }

  @Test("a view with another text is found", arguments: TestSize.scaled(0..<100))
  func retitled(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var screen = MadeView.screen(&random)
    let old = screen.tree()
    let leaf = old.elements.filter { old.firstChild(of: $0) == nil }.randomElement(using: &random)!
    screen.edit(leaf.index) { $0.text = "Quite another text" }
    let mapping = ScreenMapping(from: old, to: screen.tree())
    for element in old.elements {
      #expect(mapping.match(for: element)?.new == element, "element \(element) of \(leaf)")
    }
  }

  @Test("the reasons of a match add up to the log odds of its confidence", arguments: TestSize.scaled(0..<100))
  func reasonsAddUp(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let old = MadeView.any(&random, views: 20)
    let new = MadeView.any(&random, views: 20)
    let mapping = ScreenMapping(from: old, to: new)
    for element in old.elements {
      guard let match = mapping.candidate(for: element) else { continue }
      let sum = match.reasons.reduce(0) { $0 + $1.value }
      #expect(abs(1 / (1 + exp(-sum)) - match.confidence) < 0.001, "\(match.reasons)")
      #expect(match.reasons.map { abs($0.value) } == match.reasons.map { abs($0.value) }.sorted(by: >))
    }
  }

  @Test("on equal screens each element maps to itself", arguments: TestSize.scaled(0..<100))
  func identity(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let tree = MadeView.any(&random, views: Int.random(in: 1...60, using: &random))
    let mapping = ScreenMapping(from: tree, to: tree)
    for element in tree.elements {
      #expect(mapping.match(for: element)?.new == element)
    }
  }

  @Test("a removed view is gone, and all others are found", arguments: TestSize.scaled(0..<100))
  func removed(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var screen = MadeView.screen(&random)
    let old = screen.tree()
    // Leaves have distinct texts.
    let leaves = old.elements.filter { old.firstChild(of: $0) == nil }
    let victim = leaves.randomElement(using: &random)!
    screen.remove(victim.index)
    let mapping = ScreenMapping(from: old, to: screen.tree())
    for element in old.elements {
      let expected = element == victim ? nil : element < victim ? element : ElementID(element.index - 1)
      #expect(mapping.match(for: element)?.new == expected, "element \(element) of \(victim)")
    }
  }

  @Test("a view with another class and another text in one of them is found", arguments: TestSize.scaled(0..<100))
  func renamed(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var screen = MadeView.screen(&random)
    let old = screen.tree()
    let target = old.elements.dropFirst(2).randomElement(using: &random)!
    screen.edit(target.index) { view in view.name = "My" + view.name }
    let mapping = ScreenMapping(from: old, to: screen.tree())
    for element in old.elements { #expect(mapping.match(for: element)?.new == element) }
    let reasons = mapping.match(for: target)?.reasons.map(\.text) ?? []
    #expect(reasons.contains { $0.hasPrefix("class ") && $0.contains(" → My") }, "\(reasons)")
  }

  @Test("views wrapped in a new view are found, and the new view is added", arguments: TestSize.scaled(0..<100))
  func wrapped(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var screen = MadeView.screen(&random)
    let old = screen.tree()
    screen.edit(1) { root in
      let inner = root.children
      root.children = [MadeView(name: "UIScrollView", text: nil, frame: root.frame, children: inner)]
    }
    let mapping = ScreenMapping(from: old, to: screen.tree())
    for element in old.elements.dropFirst(2) {
      #expect(mapping.match(for: element)?.new == ElementID(element.index + 1), "element \(element)")
    }
    #expect(mapping.origin(of: ElementID(2)) == nil)
  }

  @Test(
    "typed text is never a reason, whichever list of superclasses says that people type",
    arguments: [["UITextField"], ["Code", "UITextField", "UIView"], ["Code", "UIView", "UITextField"]])
  func typedText(classes: [String]) throws {
    func screen(_ typed: String, _ width: Double) -> ViewTree {
      var builder = ViewTree.Builder(format: .viewTree)
      builder.beginElement(class: "UIView")
      builder.beginElement(class: classes[0])
      for superclass in classes.dropFirst() { builder.addAttribute(.superclasses, superclass) }
      builder.addAttribute(.text, typed)
      builder.addAttribute(.placeholder, "Card number")
      builder.setFrame(Frame(x: 0, y: 0, width: width, height: 30))
      return builder.finish()
    }
    let mapping = ScreenMapping(from: screen("4929 1111", 100), to: screen("5500 2222", 120))
    let match = try #require(mapping.candidate(for: ElementID(1)))
    let text = match.reasons.map(\.text).joined(separator: "; ")
    #expect(!text.contains("4929") && !text.contains("5500") && text.contains("same text Card number"), "\(text)")
  }

  @Test("screens too large to compare are mapped by keys", arguments: ["wide", "deep"])
  func large(shape: String) {
    func screen(_ count: Int, _ missing: Int) -> ViewTree {
      var builder = ViewTree.Builder(format: .viewTree)
      builder.beginElement(class: "UIWindow")
      for number in 0..<count where number != missing {
        builder.beginElement(class: "UILabel")
        builder.addAttribute(.text, "row \(number)")
        if shape == "wide" { builder.endElement() }
      }
      return builder.finish()
    }
    let mapping = ScreenMapping(from: screen(2_500, -1), to: screen(2_500, 1_250))
    #expect(mapping.method == .keys)
    #expect(mapping.match(for: ElementID(10))?.new == ElementID(10))
    #expect(mapping.candidate(for: ElementID(1_251)) == nil)
    #expect(mapping.match(for: ElementID(2_000))?.new == ElementID(1_999))
  }

  @Test("windows in another order are found by their content", arguments: TestSize.scaled(0..<20))
  func windows(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let windows = (0..<12).map { number in
      var window = MadeView.screen(&random)
      window.children[0].name = "Controller\(number)"
      return window
    }
    func starts(_ order: [Int]) -> [Int: Int] {
      var next = 0
      return order.reduce(into: [:]) {
        $0[$1] = next
        next += windows[$1].count
      }
    }
    let order = Array(windows.indices).shuffled(using: &random)
    let mapping = ScreenMapping(from: MadeView.tree(of: windows), to: MadeView.tree(of: order.map { windows[$0] }))
    let (before, now) = (starts(Array(windows.indices)), starts(order))
    for number in windows.indices {
      #expect(mapping.match(for: ElementID(before[number]!))?.new == ElementID(now[number]!), "window \(number)")
    }
  }

  @Test("10,000 views in many scenes are compared scene by scene")
  func largeStoryboard() {
    var random = SeededGenerator(seed: 1)
    var scenes = (0..<(TestSize.isFull ? 600 : 60)).map { number in
      var scene = MadeView.screen(&random).children[0]
      scene.name = "Controller\(number)"
      return scene
    }
    let old = MadeView.window(scenes).tree()
    let first = scenes.removeFirst()
    let mapping = ScreenMapping(from: old, to: MadeView.window(scenes).tree())
    #expect(mapping.method == .comparison)
    #expect(mapping.match(for: ElementID(1)) == nil)
    let kept = old.elements.dropFirst(1 + first.count)
    let found = kept.filter { mapping.match(for: $0)?.new == ElementID($0.index - first.count) }
    #expect(found.count > kept.count * 95 / 100, "\(found.count) of \(kept.count)")
  }

  @Test("absurd frames are compared like any others", arguments: [1e300, -1e300, 1e38])
  func absurdFrames(width: Double) {
    var random = SeededGenerator(seed: 5)
    var screen = MadeView.screen(&random)
    for place in [2, 4] { screen.edit(place) { $0.frame = Frame(x: width, y: -width, width: width, height: width) } }
    let old = screen.tree()
    screen.edit(3) { $0.name = "PrimaryButton" }
    let mapping = ScreenMapping(from: old, to: screen.tree())
    #expect(old.elements.filter { mapping.candidate(for: $0)?.new == $0 }.count >= old.count - 3)
  }

  @Test("without steps for the alignment, elements are still found")
  func withoutAlignment() {
    var random = SeededGenerator(seed: 7)
    var screen = MadeView.screen(&random)
    let old = screen.tree()
    screen.edit(3) { $0.name = "PrimaryButton" }
    var limits = DriftLimits()
    limits.alignmentSteps = 0
    limits.assignedElements = 0
    let mapping = ScreenMapping(from: old, to: screen.tree(), limits: limits)
    #expect(mapping.method == .comparison)
    #expect(old.elements.filter { mapping.candidate(for: $0)?.new == $0 }.count >= old.count - 1)
  }
}
