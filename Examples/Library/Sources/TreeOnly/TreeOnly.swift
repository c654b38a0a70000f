import EncircleTree

/// Builds a view tree without a capture and prints it as an outline.
@main
enum TreeOnly {
  static func main() {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.header.app = "com.example.shop"
    builder.beginElement(class: "UIWindow")
    builder.setFrame(Frame(x: 0, y: 0, width: 390, height: 844))
    builder.beginElement(class: "NSKVONotifying_UIButton")
    builder.addAttribute(.title, "加入购物车")
    builder.endElement()
    builder.beginElement(class: "ProductCell")
    builder.addAttribute(.superclasses, "UITableViewCell UIView")
    let tree = builder.finish()

    print("\(tree.header.app ?? "?"): \(tree.count) elements")
    for element in tree.elements {
      let indent = String(repeating: "  ", count: depth(of: element, in: tree))
      let attributes = tree.attributes(of: element).map { " \($0.name)=\($0.value)" }.joined()
      print("\(indent)\(element) \(RuntimeSubclass.writtenClass(of: tree.className(of: element)))\(attributes)")
    }
    print("UISwitch is a UIControl: \(ClassHierarchy.builtIn.isClass("UISwitch", kindOf: "UIControl"))")
  }

  private static func depth(of element: ElementID, in tree: ViewTree) -> Int {
    sequence(first: element) { tree.parent(of: $0) }.reduce(-1) { depth, _ in depth + 1 }
  }
}
