import EncircleIdentity
import EncircleText
import EncircleTree

/// A drawing of a screen as SVG, for captures without a picture: rectangles and, on request, the texts of the capture, without
/// those that people may have typed.
package struct Wireframe {
  /// The maximum number of rectangles of the drawing; a thumbnail shows no more.
  private static let maximumBoxes = 500
  /// The maximum number of rows of an outline; the beginning is enough for a thumbnail.
  private static let maximumRows = 48

  private var boxes: [(frame: Frame, style: BoxStyle)] = []
  private var texts: [(frame: Frame, text: String)] = []
  package private(set) var width: Double
  package private(set) var height: Double

  /// The styles of rectangles.
  private enum BoxStyle {
    case container, leaf, tracked, curtain

    /// The attributes in SVG. Elements above hide most of those beneath, as on a screen.
    var attributes: StaticString {
      switch self {
      case .container: "fill=\"#fff\" fill-opacity=\".6\" stroke=\"#cbd5e1\""
      case .leaf: "fill=\"#cbd5e1\" fill-opacity=\".85\""
      case .tracked: "fill=\"#dbe8ff\" fill-opacity=\".9\" stroke=\"#4c82ee\""
      case .curtain: "fill=\"#dbe8ff\" fill-opacity=\".4\" stroke=\"#4c82ee\""
      }
    }
  }

  /// Draws a screen to scale; one without frames as the outline of its tree.
  ///
  /// - Complexity: O(elements · log(elements)).
  package init(of screen: IdentifiedTree) { self.init(of: ScreenElements(of: screen), withTexts: false) }

  /// - Parameter withTexts: True if it shows the texts of elements, which costs space and time.
  package init(of elements: ScreenElements, withTexts: Bool) {
    let screen = elements.screen
    let size = ScreenSize(of: screen.tree)
    width = size?.width ?? 0
    height = size?.height ?? 0
    if size != nil { draw(elements, withTexts: withTexts) }
    if boxes.isEmpty { drawOutline(of: elements) }
  }

  private mutating func draw(_ elements: ScreenElements, withTexts: Bool) {
    let tree = elements.screen.tree
    var drawn: [(element: ElementID, frame: Frame, style: BoxStyle)] = []
    let visible = VisibleFrames(of: elements, width: width, height: height)
    for element in tree.elements {
      let seen = visible[element]
      guard let seen, !elements.hidden[element.index] else { continue }
      let isTracked = elements.types[element.index] != nil
      // An element that fills the screen is its background.
      guard isTracked || seen.width < 0.99 * width || seen.height < 0.99 * height else { continue }
      // A large element without children is a background, too.
      let isLeaf = tree.firstChild(of: element) == nil && seen.width * seen.height < 0.25 * width * height
      // Containers would hide the fill of the button or cell that they lie in.
      guard isTracked || isLeaf || elements.tracked[element.index] < 0 else { continue }
      // A view that catches the taps next to a sheet covers the views beneath, but does not hide them.
      let isCurtain = isTracked && seen.width * seen.height > 0.6 * width * height
      drawn.append((element, seen, isCurtain ? .curtain : isTracked ? .tracked : isLeaf ? .leaf : .container))
    }
    if drawn.count > Self.maximumBoxes {
      // Tracked elements come first, then the largest others.
      func rank(_ box: (element: ElementID, frame: Frame, style: BoxStyle)) -> (Int, Double) {
        (box.style == .tracked ? 0 : 1, -box.frame.width * box.frame.height)
      }
      drawn.sort { rank($0) < rank($1) }
      drawn.removeLast(drawn.count - Self.maximumBoxes)
    }
    drawn.sort { elements.zOrder[$0.element.index] < elements.zOrder[$1.element.index] }
    boxes = drawn.map { ($0.frame, $0.style) }
    guard withTexts else { return }
    for box in drawn where tree.firstChild(of: box.element) == nil {
      if let text = elements.content(of: box.element) { texts.append((box.frame, text)) }
    }
  }

  /// Draws one bar for each element. The bars are below one another and indented by depth.
  private mutating func drawOutline(of elements: ScreenElements) {
    (width, height) = (390, 844)
    let tree = elements.screen.tree
    var rows = tree.elements.filter { !elements.hidden[$0.index] }
    if rows.count > Self.maximumRows {
      // Elements that are tracked, and places where the tree branches, show the shape best.
      let significant = rows.filter { element in
        elements.types[element.index] != nil
          || tree.firstChild(of: element).map { tree.nextSibling(of: $0) != nil } ?? false
      }
      rows = Array((significant.isEmpty ? rows : significant).prefix(Self.maximumRows))
    }
    // The rows that contain the current one.
    var around = AncestorStack<Void>()
    let step = (height - 32) / Double(max(rows.count, 12))
    for (number, element) in rows.enumerated() {
      around.removeNonAncestors(of: element)
      let depth = around.values.count
      around.push((), for: element, of: tree)
      let indent = 16 + min(Double(depth) * 14, 220)
      // Longer names make longer bars, so that screens look different.
      let length = 60 + min(Double(elements.screen.className(of: element).utf8.count) * 7, 300)
      boxes.append(
        (
          Frame(
            x: indent, y: 16 + Double(number) * step, width: min(length, width - 16 - indent), height: step * 0.7),
          elements.types[element.index] != nil ? .tracked : tree.firstChild(of: element) == nil ? .leaf : .container
        ))
    }
  }

  /// The drawing.
  package var svg: String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.text(width)) \(Self.text(height))\">\(shapes)</svg>\n"
  }

  /// The elements inside the `svg`, so that a larger drawing can contain them.
  package var shapes: String {
    var text = "<rect width=\"100%\" height=\"100%\" fill=\"#eef2f7\"/>"
    // Lines have the same width in all units of captures.
    let scale = width / 390
    text += "<g stroke-width=\"\(Self.text(scale * 1.5))\">"
    for (frame, style) in boxes {
      let radius = min(4 * scale, frame.width / 4, frame.height / 4)
      text += "<rect \(Self.attributes(frame)) rx=\"\(Self.text(radius))\" \(style.attributes)/>"
    }
    text += "</g>"
    for (frame, content) in texts {
      // A nested drawing clips text that is longer than its frame.
      let size = min(13 * scale, 0.8 * frame.height)
      text += "<svg \(Self.attributes(frame))><text x=\"2\" y=\"\(Self.text(frame.height / 2 + 0.35 * size))\" "
      text += "font-size=\"\(Self.text(size))\">\(XMLText.escaped(content, isAttribute: false))</text></svg>"
    }
    return text
  }

  private static func attributes(_ frame: Frame) -> String {
    "x=\"\(text(frame.x))\" y=\"\(text(frame.y))\" width=\"\(text(frame.width))\" height=\"\(text(frame.height))\""
  }

  /// Returns a number with at most one decimal place.
  package static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    let whole = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)"
    return tenths % 10 == 0 ? whole : "\(whole).\(abs(tenths) % 10)"
  }
}
