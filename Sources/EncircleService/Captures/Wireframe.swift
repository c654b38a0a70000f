import EncircleIdentity
import EncircleTree
import Foundation

/// A thumbnail of a screen as SVG, for captures without a picture. It consists of rectangles only and contains no text of the
/// capture. The page draws the screen in full from the list of its elements.
struct Wireframe {
  /// The maximum number of rectangles of the drawing; a thumbnail shows no more.
  private static let mostBoxes = 500
  /// The maximum number of rows of an outline, of which the beginning is enough for a thumbnail.
  private static let mostRows = 48

  private var boxes: [(frame: Frame, look: Look)] = []
  private var width: Double
  private var height: Double

  /// How a rectangle is drawn.
  private enum Look {
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
  init(of screen: IdentifiedTree) {
    let elements = ScreenElements(of: screen)
    let size = ScreenSize(of: screen.tree)
    width = size?.width ?? 0
    height = size?.height ?? 0
    if size != nil { draw(elements) }
    if boxes.isEmpty { drawOutline(of: elements) }
  }

  private mutating func draw(_ elements: ScreenElements) {
    let tree = elements.screen.tree
    var drawn: [(element: ElementID, frame: Frame, look: Look)] = []
    // The visible parts of the ancestors.
    var clips = AncestorStack<Frame>()
    let whole = Frame(x: 0, y: 0, width: width, height: height)
    for element in tree.elements {
      clips.removeNonAncestors(of: element)
      let clip = clips.values.last ?? whole
      guard let frame = elements.frames[element] else { continue }
      let seen = Self.intersection(frame, clip)
      if tree.firstChild(of: element) != nil {
        clips.push(seen ?? Frame(x: 0, y: 0, width: 0, height: 0), for: element, of: tree)
      }
      guard let seen, !elements.hidden[element.index] else { continue }
      let isTracked = elements.types[element.index] != nil
      // An element that fills the screen is its background.
      guard isTracked || seen.width < 0.99 * width || seen.height < 0.99 * height else { continue }
      // A large element without children is a background, too.
      let isLeaf = tree.firstChild(of: element) == nil && seen.width * seen.height < 0.25 * width * height
      // Containers would hide the fill of the button or cell that they lie in.
      guard isTracked || isLeaf || elements.tracked[element.index] < 0 else { continue }
      // A view that catches the taps beside a sheet covers what is beneath, but hides none of it.
      let isCurtain = isTracked && seen.width * seen.height > 0.6 * width * height
      drawn.append((element, seen, isCurtain ? .curtain : isTracked ? .tracked : isLeaf ? .leaf : .container))
    }
    if drawn.count > Self.mostBoxes {
      // Tracked elements first, then the largest.
      func rank(_ box: (element: ElementID, frame: Frame, look: Look)) -> (Int, Double) {
        (box.look == .tracked ? 0 : 1, -box.frame.width * box.frame.height)
      }
      drawn.sort { rank($0) < rank($1) }
      drawn.removeLast(drawn.count - Self.mostBoxes)
      drawn.sort { $0.element < $1.element }
    }
    boxes = drawn.map { ($0.frame, $0.look) }
  }

  private static func intersection(_ a: Frame, _ b: Frame) -> Frame? {
    let left = max(a.x, b.x)
    let top = max(a.y, b.y)
    let width = min(a.x + a.width, b.x + b.width) - left
    let height = min(a.y + a.height, b.y + b.height) - top
    return width >= 1 && height >= 1 ? Frame(x: left, y: top, width: width, height: height) : nil
  }

  /// One bar for each element, below one another and indented by depth.
  private mutating func drawOutline(of elements: ScreenElements) {
    (width, height) = (390, 844)
    let tree = elements.screen.tree
    var rows = tree.elements.filter { !elements.hidden[$0.index] }
    if rows.count > Self.mostRows {
      // Elements that are tracked, and places where the tree branches, show the shape best.
      let significant = rows.filter { element in
        elements.types[element.index] != nil
          || tree.firstChild(of: element).map { tree.nextSibling(of: $0) != nil } ?? false
      }
      rows = Array((significant.isEmpty ? rows : significant).prefix(Self.mostRows))
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
  var svg: String {
    var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.text(width)) \(Self.text(height))\">"
    text += "<rect width=\"100%\" height=\"100%\" fill=\"#eef2f7\"/>"
    // Lines of one width, whatever the units of the capture.
    let scale = width / 390
    text += "<g stroke-width=\"\(Self.text(scale * 1.5))\">"
    for (frame, look) in boxes {
      let radius = min(4 * scale, frame.width / 4, frame.height / 4)
      text += "<rect x=\"\(Self.text(frame.x))\" y=\"\(Self.text(frame.y))\" width=\"\(Self.text(frame.width))\" "
      text += "height=\"\(Self.text(frame.height))\" rx=\"\(Self.text(radius))\" \(look.attributes)/>"
    }
    return text + "</g></svg>\n"
  }

  /// A number with at most one decimal.
  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : String(format: "%.1f", Double(tenths) / 10)
  }
}
