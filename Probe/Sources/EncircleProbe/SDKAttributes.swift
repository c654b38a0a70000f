#if canImport(UIKit)
  import UIKit

  /// Finds the attributes of a view that only the styles of some SDKs need: the events of its actions, its place among siblings
  /// that are not on the screen, and the rows of a picker.
  @MainActor struct SDKAttributes {
    // The views of the capture.
    private let captured: Set<ObjectIdentifier>
    // Longer lists are omitted.
    private static let maximumRows = 200

    init(of tree: WindowTree) { captured = Set(tree.nodes.map { ObjectIdentifier($0.view) }) }

    // MARK: - Controllers and alerts

    /// Returns the classes of a controller's earlier siblings that are not in the capture, such as the pages beneath the top one
    /// of a navigation controller.
    func siblingsBefore(_ controller: UIViewController) -> [String] {
      guard let children = controller.parent?.children, let place = children.firstIndex(where: { $0 === controller })
      else { return [] }
      return children[..<place].filter { child in
        child.viewIfLoaded.map { !captured.contains(ObjectIdentifier($0)) } ?? true
      }.compactMap { Runtime.classNames(of: $0).first }
    }

    /// Returns the number of an alert's option among the alert's actions; nil for other views, and where two actions have the
    /// option's title.
    func actionIndex(of node: WindowTree.Node) -> Int? {
      guard node.classNames.first == "_UIAlertControllerActionView", let title = firstText(in: node.view) else {
        return nil
      }
      var next: UIResponder? = node.view
      while let responder = next, !(responder is UIAlertController) { next = responder.next }
      let actions = (next as? UIAlertController)?.actions ?? []
      let places = actions.indices.filter { actions[$0].title == title }
      return places.count == 1 ? places[0] : nil
    }

    private func firstText(in view: UIView) -> String? {
      var open = [view]
      while let next = open.popLast() {
        if let text = (next as? UILabel)?.text { return text }
        open += next.subviews.reversed()
      }
      return view.accessibilityLabel
    }

    // MARK: - Controls

    /// Returns the names of the events for which a control's action selectors are registered.
    func actionEvents(of control: UIControl) -> [String] {
      let events = Handlers.events(of: control)
      return Self.events.filter { events.contains($0.event) }.map(\.name)
    }

    private static let events: [(event: UIControl.Event, name: String)] = [
      (.touchDown, "touchDown"), (.touchDownRepeat, "touchDownRepeat"), (.touchDragInside, "touchDragInside"),
      (.touchDragOutside, "touchDragOutside"), (.touchDragEnter, "touchDragEnter"), (.touchDragExit, "touchDragExit"),
      (.touchUpInside, "touchUpInside"), (.touchUpOutside, "touchUpOutside"), (.touchCancel, "touchCancel"),
      (.valueChanged, "valueChanged"), (.primaryActionTriggered, "primaryActionTriggered"),
      (.editingDidBegin, "editingDidBegin"), (.editingChanged, "editingChanged"), (.editingDidEnd, "editingDidEnd"),
      (.editingDidEndOnExit, "editingDidEndOnExit"),
    ]

    /// Returns the number of taps that the first tap recognizer of a view requires; nil for one tap, or without a recognizer.
    func tapCount(of view: UIView) -> Int? {
      let taps = (view.gestureRecognizers ?? []).lazy.compactMap { $0 as? UITapGestureRecognizer }.first
      return taps.flatMap { $0.numberOfTapsRequired == 1 ? nil : $0.numberOfTapsRequired }
    }

    /// Returns whether a view takes touches; nil if it has the default of its class.
    func takesTouches(_ view: UIView) -> Bool? {
      let isUsual = view.isUserInteractionEnabled == !(view is UILabel || view is UIImageView)
      return isUsual ? nil : view.isUserInteractionEnabled
    }

    /// Returns the declared content type of a field, such as `password`.
    func contentType(of view: UIView) -> String? {
      ((view as? UITextField)?.textContentType ?? (view as? UITextView)?.textContentType)?.rawValue
    }

    /// Returns the title of a button that has one only while it is selected.
    func selectedTitle(of button: UIButton) -> String? {
      button.title(for: .normal) == nil ? button.title(for: .selected) : nil
    }

    // MARK: - Pickers

    /// Returns the titles of a picker's rows and the numbers of the selected ones; nil if it has no rows or too many, or if a
    /// title contains a separator.
    func rows(of picker: UIPickerView) -> (titles: String, selected: String)? {
      guard picker.numberOfComponents > 0 else { return nil }
      var columns: [String] = []
      var selected: [String] = []
      for component in 0..<picker.numberOfComponents {
        let count = picker.numberOfRows(inComponent: component)
        guard count <= Self.maximumRows else { return nil }
        var titles: [String] = []
        for row in 0..<count {
          let title = Runtime.title(ofRow: row, component, of: picker) ?? ""
          guard !title.contains(where: { $0 == "," || $0 == "|" }) else { return nil }
          titles.append(title)
        }
        columns.append(titles.joined(separator: ","))
        selected.append("\(picker.selectedRow(inComponent: component))")
      }
      return (columns.joined(separator: "|"), selected.joined(separator: " "))
    }
  }
#endif
