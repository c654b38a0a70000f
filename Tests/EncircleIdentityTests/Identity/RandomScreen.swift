import EncircleTestSupport
import EncircleTree

/// Random screens with controllers, scroll views, navigation bars, cells and alerts in them.
enum RandomScreen {
  private static let places = ["0", "0", "50", "100", "-100", "300", "-151", "149.5"]
  private static let sizes = ["100", "100", "100", "200", "0", "-100"]

  static func make(seed: UInt64) -> ViewTree {
    var random = SeededGenerator(seed: seed)
    var builder = ViewTree.Builder(format: .viewTree)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      builder.beginElement(class: random.pick(["UIWindow", "UIWindow", "UITextEffectsWindow"]))
      for _ in 0..<Int.random(in: 1...3, using: &random) { view(&builder, &random, depth: 1, inBar: false) }
      builder.endElement()
    }
    return builder.finish()
  }

  private static func view(
    _ builder: inout ViewTree.Builder, _ random: inout SeededGenerator, depth: Int, inBar: Bool
  ) {
    var isBar = inBar
    var canBePage = !inBar
    switch Int.random(in: 0..<16, using: &random) {
    case 0: builder.beginElement(class: "UIScrollView")
    case 1:
      builder.beginElement(class: "MyPager")
      builder.addAttribute(.superclasses, "UIScrollView UIView")
    case 2:
      builder.beginElement(class: "UINavigationBar")
      isBar = true
      canBePage = false
    case 3, 4:
      let isTable = random.oneIn(2)
      builder.beginElement(class: random.pick(["ShopCell", "OrderCell"]))
      builder.addAttribute(.superclasses, isTable ? "UITableViewCell UIView" : "UICollectionViewCell")
      if !random.oneIn(4) {
        let numbers = [0, 1, 12].shuffled(using: &random)
        builder.addAttribute(.indexPath, "\(numbers[0]) \(numbers[1])")
      }
      // A cell that is a page's slot would fall under two rules.
      builder.addAttribute(.gestures, "tap")
      for _ in 0..<Int.random(in: 0...2, using: &random) { leaf(&builder, &random) }
      builder.endElement()
      return
    case 5 where depth < 3:
      builder.beginElement(class: "_UIAlertControllerView")
      canBePage = false
      builder.addAttribute(.controller, "UIAlertController")
      if random.oneIn(2) { builder.addAttribute(.title, random.pick(["退群", "", "A & B", "cafe\u{301}"])) }
      if random.oneIn(2) { builder.addAttribute(.message, random.pick(["确认?", "", ")&title("])) }
    case 6, 7:
      leaf(&builder, &random)
      return
    default:
      builder.beginElement(class: random.pick(["UIView", "UIView", "_UIPrivate_View", "NSKVONotifying_UIView", "确定"]))
    }
    if random.oneIn(8) {
    } else {
      let numbers = [random.pick(places), random.pick(places), random.pick(sizes), random.pick(sizes)].compactMap(
        Double.init)
      builder.setFrame(Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
    if canBePage, random.oneIn(3) {
      builder.addAttribute(
        .controller,
        random.pick([
          "HomeViewController", "FeedViewController", "NSKVONotifying_FeedViewController", "UINavigationController",
          "UITabBarController", "UIPageViewController", "ShopNavigation",
        ]))
      if random.oneIn(2) {
        builder.addAttribute(
          .controllerSuperclasses, random.pick(["UIViewController", "UINavigationController UIViewController"]))
      }
    }
    if depth < 9 {
      for _ in 0..<Int.random(in: 0...3, using: &random) { view(&builder, &random, depth: depth + 1, inBar: isBar) }
    }
    builder.endElement()
  }

  private static func leaf(_ builder: inout ViewTree.Builder, _ random: inout SeededGenerator) {
    builder.beginElement(
      class: random.pick(["UIButton", "NSKVONotifying_UIButton", "UILabel", "UISwitch", "ShopButton"]))
    if random.oneIn(3) {
      builder.addAttribute(.superclasses, random.pick(["UIButton UIControl", "UIControl", "UIView"]))
    }
    if random.oneIn(2) { builder.addAttribute(.actions, random.pick(["a:", "a: b:", "", " share "])) }
    builder.endElement()
  }
}
