import EncircleText
import EncircleTree

/// The state and appearance of an element, as HubbleData's SDK sends them with a tap. Each is nil if the capture does not
/// give it, or where it may be private.
public struct ElementProperties: Sendable {
  /// The colour of a button's title, `rgba(r, g, b, alpha)`.
  public var titleColor: String?
  /// The name of the image.
  public var imageName: String?
  /// The frame in the superview's coordinates.
  public var frame: Frame?
  /// This is true if a switch is on.
  public var switchState: Bool?
  /// The number of the selected segment, page or tab, from 0.
  public var selectedIndex: Int?
  /// The value of a slider, stepper or other control.
  public var value: Double?
  /// The typed text in the field of a search bar, if it is not empty. No other field has its text here.
  public var searchText: String?
  /// The title of the page's view controller.
  public var screenTitle: String?
}

extension Frame {
  /// The frame as SDKs send it: `rect(x, y, width, height)`.
  public var rectText: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    func add(_ start: StaticString, _ number: Double) {
      append(start, to: &bytes)
      JSONText.append(number, to: &bytes)
    }
    add("rect(", x)
    add(", ", y)
    add(", ", width)
    add(", ", height)
    bytes.append(UInt8(ascii: ")"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension IdentifiedTree {
  /// Returns the state and appearance of an element.
  ///
  /// - Parameter style: The style of the SDK, which determines the page and therefore its title.
  /// - Complexity: O(attributes of the element and of the page's root view).
  public func properties(of element: ElementID, in style: PathStyleName = .hubbleData) -> ElementProperties {
    var properties = ElementProperties()
    properties.frame = tree.frame(of: element)
    properties.screenTitle = pageTitle(of: element, in: style)
    properties.searchText = searchText(of: element)
    guard !holdsTypedText(element) else { return properties }
    func text(_ name: AttributeName?) -> String? {
      name.flatMap { tree.value($0, of: element) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    properties.titleColor = text(structure.appearance.titleColor).map { ColorText.rgba($0) ?? $0 }
    properties.imageName = text(structure.appearance.imageName)
    if kinds(of: element).contains(.switchControl), tree.valueID(.on, of: element) != nil {
      properties.switchState = tree.isTrue(.on, of: element)
    }
    properties.selectedIndex = text(structure.appearance.selectedIndex).flatMap { Int($0) }
    properties.value = tree.value(.value, of: element).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    return properties
  }

  private func searchText(of element: ElementID) -> String? {
    guard tree.format == .viewTree || tree.format == .recursiveDescription,
      kinds(of: element).contains(.textField), !kinds(of: element).contains(.secureField), !tree.isSecure(element),
      structure.places[element.index].contains(.searchBar)
    else { return nil }
    return tree.value(.text, of: element).flatMap { $0.isEmpty ? nil : $0 }
  }
}
