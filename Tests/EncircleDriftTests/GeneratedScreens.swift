import EncircleTestSupport
import EncircleTree

/// A view of a made-up screen.
struct MadeView {
  var name: String
  var text: String?
  var frame: Frame
  var children: [MadeView] = []

  /// The number of views.
  var count: Int { 1 + children.reduce(0) { $0 + $1.count } }

  func tree() -> ViewTree { Self.tree(of: [self]) }

  /// A tree with several outermost views, such as windows.
  static func tree(of views: [MadeView]) -> ViewTree {
    var builder = ViewTree.Builder(format: .viewTree)
    for view in views { view.append(to: &builder) }
    return builder.finish()
  }

  private func append(to builder: inout ViewTree.Builder) {
    builder.beginElement(class: name)
    if let text { builder.addAttribute(.text, text) }
    builder.setFrame(frame)
    for child in children { child.append(to: &builder) }
    builder.endElement()
  }

  /// Changes the view with a pre-order number.
  mutating func edit(_ number: Int, _ body: (inout MadeView) -> Void) {
    guard number > 0 else { return body(&self) }
    var rest = number - 1
    for i in children.indices {
      if rest < children[i].count { return children[i].edit(rest, body) }
      rest -= children[i].count
    }
  }

  /// Removes the view with a pre-order number, which is not the root, with all in it.
  mutating func remove(_ number: Int) {
    var rest = number - 1
    for i in children.indices {
      if rest == 0 {
        children.remove(at: i)
        return
      }
      if rest < children[i].count { return children[i].remove(rest) }
      rest -= children[i].count
    }
  }

  /// A screen of rows with distinct labels and buttons.
  static func screen(_ random: inout SeededGenerator) -> MadeView {
    var number = 0
    func label(_ y: Double, _ random: inout SeededGenerator) -> MadeView {
      number += 1
      let words = ["Order", "Pay", "Price", "Total", "Ship", "Note", "Hint", "Help", "Name", "Code", "Date", "City"]
      let text = "\(words[number % words.count]) \(words.randomElement(using: &random)!) \(number)"
      let names = ["UILabel", "UIButton", "PriceLabel", "UISwitch"]
      let frame = Frame(x: 16, y: y, width: Double(Int.random(in: 60...200, using: &random)), height: 24)
      return MadeView(name: names.randomElement(using: &random)!, text: text, frame: frame)
    }
    var root = MadeView(name: "UIView", text: nil, frame: Frame(x: 0, y: 0, width: 390, height: 844))
    for section in 0..<Int.random(in: 2...4, using: &random) {
      let names = ["HeaderView", "CardView", "UIStackView", "FooterView"]
      var view = MadeView(
        name: names[section], text: nil,
        frame: Frame(x: 0, y: Double(200 * section), width: 390, height: Double(100 + 10 * section)))
      for row in 0..<Int.random(in: 1...4, using: &random) { view.children.append(label(Double(30 * row), &random)) }
      root.children.append(view)
    }
    return MadeView(
      name: "UIWindow", text: nil, frame: Frame(x: 0, y: 0, width: 390, height: 844), children: [root])
  }

  /// A window with scenes in it.
  static func window(_ scenes: [MadeView]) -> MadeView {
    MadeView(name: "UIWindow", text: nil, frame: Frame(x: 0, y: 0, width: 390, height: 844), children: scenes)
  }

  /// Any tree, with few classes and texts, so that much of it is alike.
  static func any(_ random: inout SeededGenerator, views: Int) -> ViewTree {
    var builder = ViewTree.Builder(format: .viewTree)
    var depth = 0
    for _ in 0..<views {
      while depth > 0, Int.random(in: 0...2, using: &random) == 0 {
        builder.endElement()
        depth -= 1
      }
      builder.beginElement(class: ["UIView", "UIButton", "UILabel"].randomElement(using: &random)!)
      if Bool.random(using: &random) { builder.addAttribute(.text, ["a", "b", "支付"].randomElement(using: &random)!) }
      if Bool.random(using: &random) {
        let x = Double(Int.random(in: -5...300, using: &random))
        builder.setFrame(Frame(x: x, y: x * 2, width: 40, height: Double(Int.random(in: 0...50, using: &random))))
      }
      depth += 1
    }
    return builder.finish()
  }
}
