#if canImport(UIKit)
  import UIKit

  /// Writes views as the elements of view-tree XML.
  @MainActor struct ViewWriter {
    private(set) var xml = XMLText()
    private var places = ListPlaces()
    private var sdks: SDKAttributes?
    private let imageName: (@MainActor (UIImage) -> String?)?

    /// - Parameter imageName: Returns the app's names of its images, in addition to their accessibility identifiers.
    init(imageName: (@MainActor (UIImage) -> String?)?) { self.imageName = imageName }

    /// Writes a document.
    ///
    /// - Parameter header: The attributes of the root element.
    mutating func write(_ tree: WindowTree, header: [(name: String, value: String?)]) {
      sdks = SDKAttributes(of: tree)
      xml.beginTag("viewTree", depth: 0)
      for (name, value) in header { xml.attribute(name, value) }
      xml.endTag(isEmpty: false)
      // The depths of the open elements.
      var open: [Int] = []
      for node in tree.nodes {
        while let depth = open.last, depth >= node.depth {
          xml.endElement("view", depth: depth)
          open.removeLast()
        }
        xml.beginTag("view", depth: node.depth)
        writeAttributes(of: node)
        xml.endTag(isEmpty: !node.hasSubviews)
        if node.hasSubviews { open.append(node.depth) }
      }
      while let depth = open.popLast() { xml.endElement("view", depth: depth) }
      xml.endElement("viewTree", depth: 0)
    }

    private mutating func writeAttributes(of node: WindowTree.Node) {
      let view = node.view
      xml.attribute("class", node.classNames.first ?? "UIView")
      xml.attribute("superclasses", words(node.classNames.dropFirst()))
      writeController(of: node)
      xml.attribute("indexPath", places.indexPath(of: node))
      if let (section, role) = places.section(of: node) {
        xml.attribute("section", "\(section)")
        xml.attribute("role", role.rawValue)
      }
      xml.attribute("frame", numbers([view.frame.minX, view.frame.minY, view.frame.width, view.frame.height]))
      if let scroll = view as? UIScrollView, scroll.contentOffset != .zero {
        xml.attribute("contentOffset", numbers([scroll.contentOffset.x, scroll.contentOffset.y]))
      }
      writeTexts(of: node)
      if let control = view as? UIControl { xml.attribute("actions", words(Handlers.actions(of: control)[...])) }
      xml.attribute("gestures", words(Handlers.gestures(of: view)[...]))
      writeState(of: node)
      if node.privacy != .insideInput { xml.attribute("identifier", view.accessibilityIdentifier) }
      if view.tag != 0 { xml.attribute("tag", "\(view.tag)") }
      for name in ["reactTag", "nativeID", "growingUniqueTag", "postHogLabel"] {
        xml.attribute(name, Runtime.property(name, of: view))
      }
      if let sdks { writeSDKAttributes(of: node, sdks) }
    }

    /// Writes the attributes that only the styles of some SDKs need.
    private mutating func writeSDKAttributes(of node: WindowTree.Node, _ sdks: SDKAttributes) {
      let view = node.view
      if let control = view as? UIControl { xml.attribute("actionEvents", words(sdks.actionEvents(of: control)[...])) }
      xml.attribute("tapCount", sdks.tapCount(of: view).map { "\($0)" })
      xml.attribute("userInteractionEnabled", sdks.takesTouches(view).map { "\($0)" })
      xml.attribute("textContentType", sdks.contentType(of: view))
      xml.attribute("actionIndex", sdks.actionIndex(of: node).map { "\($0)" })
      let policy = Runtime.property("growingViewIgnorePolicy", of: view)
      if policy != "0" { xml.attribute("growingViewIgnorePolicy", policy) }
      guard node.privacy == .open else { return }
      xml.attribute("growingViewCustomContent", Runtime.property("growingViewCustomContent", of: view))
      if let button = view as? UIButton {
        xml.attribute("selectedTitle", XMLText.shortened(sdks.selectedTitle(of: button)))
      }
      if let picker = view as? UIPickerView, let rows = sdks.rows(of: picker) {
        xml.attribute("pickerRows", rows.titles)
        xml.attribute("pickerSelected", rows.selected)
      }
    }

    /// Writes the view controller whose root view a view is.
    private mutating func writeController(of node: WindowTree.Node) {
      guard let controller = node.view.next as? UIViewController, controller.viewIfLoaded === node.view else { return }
      let classNames = Runtime.classNames(of: controller).upTo("UIViewController")
      xml.attribute("controller", classNames.first)
      xml.attribute("controllerSuperclasses", words(classNames.dropFirst()))
      xml.attribute("controllerSiblingsBefore", words((sdks?.siblingsBefore(controller) ?? [])[...]))
      guard node.privacy == .open, !(controller is UIAlertController) else { return }
      // Only if there is a bar, because the first access to a navigation item creates it.
      let barTitle = controller.navigationController == nil ? nil : controller.navigationItem.title
      xml.attribute("controllerTitle", XMLText.shortened(controller.title ?? barTitle))
    }

    private mutating func writeTexts(of node: WindowTree.Node) {
      let view = node.view
      if view is UITextField || view is UISearchBar, node.privacy == .input {
        xml.attribute(
          "placeholder", XMLText.shortened((view as? UITextField)?.placeholder ?? (view as? UISearchBar)?.placeholder))
      }
      let isSecure = (view as? UITextField)?.isSecureTextEntry ?? (view as? UITextView)?.isSecureTextEntry ?? false
      if isSecure { xml.attribute("secure", "true") }
      guard node.privacy == .open else { return }
      if let alert = view.next as? UIAlertController, alert.viewIfLoaded === view {
        // Not shortened, because identities contain them.
        xml.attribute("title", alert.title)
        xml.attribute("message", alert.message)
      } else if let button = view as? UIButton {
        xml.attribute("title", XMLText.shortened(title(of: button)))
      } else if let label = view as? UILabel {
        xml.attribute("text", XMLText.shortened(label.text))
      } else if node.classNames.contains(where: { Self.otherLabels.contains($0) }) {
        xml.attribute("text", XMLText.shortened(Runtime.property("text", of: view)))
      }
      // The label of a view may consist of the labels inside it.
      if !node.holdsInput { xml.attribute("label", XMLText.shortened(view.accessibilityLabel)) }
      writeLooks(of: view)
    }

    /// Classes of libraries that draw text without being labels of UIKit.
    private static let otherLabels: Set = ["YYLabel", "RTLabel"]

    private func title(of button: UIButton) -> String? {
      if let title = button.currentTitle ?? button.currentAttributedTitle?.string { return title }
      if #available(iOS 15, tvOS 15, *) { return button.configuration?.title }
      return nil
    }

    private mutating func writeLooks(of view: UIView) {
      if let button = view as? UIButton {
        if title(of: button) != nil { xml.attribute("titleColor", rgba(button.currentTitleColor)) }
        xml.attribute("imageName", name(of: button.currentImage))
      } else if let imageView = view as? UIImageView {
        xml.attribute("imageName", name(of: imageView.image))
      }
    }

    private func name(of image: UIImage?) -> String? {
      guard let image else { return nil }
      return imageName?(image) ?? image.accessibilityIdentifier
    }

    /// Returns a color as CSS writes it: three numbers up to 255, and an opacity up to 1.
    private func rgba(_ color: UIColor) -> String? {
      var red: CGFloat = 0
      var green: CGFloat = 0
      var blue: CGFloat = 0
      var alpha: CGFloat = 0
      guard color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
      let parts = [red, green, blue].compactMap { XMLText.number(Double($0 * 255).rounded()) }
      guard parts.count == 3, let opacity = XMLText.number(Float(alpha)) else { return nil }
      return "rgba(\(parts.joined(separator: ", ")), \(opacity))"
    }

    private mutating func writeState(of node: WindowTree.Node) {
      let view = node.view
      if node.privacy == .open { writeValue(of: view) }
      if let control = view as? UIControl {
        if control.isSelected { xml.attribute("selected", "true") }
        if !control.isEnabled { xml.attribute("enabled", "false") }
      }
      if view.isHidden { xml.attribute("hidden", "true") }
      if view.alpha < 1 { xml.attribute("alpha", XMLText.number(Float(view.alpha))) }
    }

    private mutating func writeValue(of view: UIView) {
      switch view {
      case let control as UISwitch: xml.attribute("on", "\(control.isOn)")
      case let control as UISegmentedControl:
        if control.selectedSegmentIndex >= 0 { xml.attribute("selectedIndex", "\(control.selectedSegmentIndex)") }
      case let control as UIPageControl: xml.attribute("selectedIndex", "\(control.currentPage)")
      case let control as UIStepper: xml.attribute("value", XMLText.number(control.value))
      case let control as UISlider: xml.attribute("value", XMLText.number(control.value))
      case let bar as UITabBar:
        xml.attribute("selectedIndex", bar.items?.firstIndex { $0 === bar.selectedItem }.map { "\($0)" })
      default: break
      }
    }

    private func words(_ words: ArraySlice<String>) -> String? {
      words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns numbers with spaces between them; nil if one is not finite.
    private func numbers(_ values: [CGFloat]) -> String? {
      let texts = values.compactMap { XMLText.number(Double($0)) }
      return texts.count == values.count ? texts.joined(separator: " ") : nil
    }
  }
#endif
