import EncircleText
import EncircleTree

/// The kinds of an object, by its classes.
struct ObjectKinds {
  var views: ViewKinds
  var isController = false
  /// This is true if the text is the object's own, rather than its subviews': labels and buttons.
  var hasOwnText = false
  /// The state of a control, which the SDK does not send.
  var state: State?
  var isSegmentedControl = false
  /// This is true if the object is a window, scroll view or plain view. The content of these always comes from their subviews.
  var isContainer = false

  /// A control whose content is its state.
  enum State {
    /// `checked` or `unchecked`.
    case toggle
    /// A number.
    case number
  }
}

/// Finds the kinds for lists of classes, once for each list.
struct ObjectKindTable {
  private var known: [[String]: ObjectKinds] = [:]

  mutating func kinds(of object: SnapshotObject) -> ObjectKinds {
    if let kinds = known[object.classes] { return kinds }
    let kinds = Self.find(object.classes)
    known[object.classes] = kinds
    return kinds
  }

  private static func find(_ classes: [String]) -> ObjectKinds {
    var name = classes.first ?? "UIView"
    var superclasses = classes.dropFirst().joined(separator: " ")
    let views = name.withUTF8 { name in
      superclasses.withUTF8 { ViewKinds(class: name, superclasses: $0.isEmpty ? nil : $0) }
    }
    func isKind(_ base: String) -> Bool {
      classes.contains { $0 == base || ClassHierarchy.builtIn.isClass($0, kindOf: base) }
    }
    var kinds = ObjectKinds(views: views)
    kinds.isController = isKind("UIViewController")
    kinds.isSegmentedControl = isKind("UISegmentedControl")
    kinds.hasOwnText =
      ["UILabel", "UIButton", "YYLabel", "RTLabel"].contains(where: isKind)
      || classes.contains { $0.utf8.starts(with: "RCT".utf8) || $0.utf8.starts(with: "RN".utf8) }
    if isKind("UISwitch") {
      kinds.state = .toggle
    } else if ["UIStepper", "UISlider", "UIPageControl"].contains(where: isKind) {
      kinds.state = .number
    }
    kinds.isContainer = !views.isDisjoint(with: [.window, .scrollView]) || name == "UIView"
    return kinds
  }
}
