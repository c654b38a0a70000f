import EncircleEvents

/// The text that a view shows.
enum ShownText {
  /// Returns the text of a view: its own, else the texts of its visible subviews with `-` between them; nil for none.
  ///
  /// Typed text is never reported, so a field has no text.
  static func text(of index: Int, _ world: SessionWorld) -> String? {
    let view = world.views[index]
    if world.isView(index, kindOfAny: wordless) { return nil }
    if let element = view.element, !view.isDescribed, view.subviews.isEmpty {
      return element.properties(in: .hubbleData).text("$element_content")
    }
    if let own = ownText(of: index, world) { return own }
    var parts: [String] = []
    var open = [index]
    while let next = open.popLast() {
      if next != index, let own = ownText(of: next, world) {
        parts.append(own)
      } else if !world.isView(next, kindOfAny: fields) {
        open += world.views[next].subviews.filter { !world.views[$0].isHidden }.reversed()
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "-")
  }

  /// Controls whose state is not a text.
  private static let wordless = ["UISwitch", "UISlider", "UIStepper", "UIPageControl"]
  private static let fields = ["UITextField", "UITextView", "UISearchBar"]

  private static func ownText(of index: Int, _ world: SessionWorld) -> String? {
    guard !world.isView(index, kindOfAny: fields) else { return nil }
    let view = world.views[index]
    for name in ["title", "text"] {
      if let text = view.attributes.text(name), !text.utf8.isEmpty { return text }
    }
    guard world.isView(index, kindOf: "UISegmentedControl") else { return nil }
    return SensorsElements.segmentTitle(view)
  }
}
