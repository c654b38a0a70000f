import Foundation

open class UIAction: NSObject {}

open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchDown = Event(rawValue: 1 << 0)
    public static let touchDownRepeat = Event(rawValue: 1 << 1)
    public static let touchDragInside = Event(rawValue: 1 << 2)
    public static let touchDragOutside = Event(rawValue: 1 << 3)
    public static let touchDragEnter = Event(rawValue: 1 << 4)
    public static let touchDragExit = Event(rawValue: 1 << 5)
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let touchUpOutside = Event(rawValue: 1 << 7)
    public static let touchCancel = Event(rawValue: 1 << 8)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    public static let editingChanged = Event(rawValue: 1 << 17)
    public static let editingDidEnd = Event(rawValue: 1 << 18)
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
  }

  public struct State: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal: State = []
    public static let selected = State(rawValue: 1 << 2)
  }

  open var isEnabled = true
  open var isSelected = false
  private var handlers: [(action: UIAction?, target: NSObject?, selector: Selector?, events: Event)] = []

  open func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {
    handlers.append((nil, target as? NSObject, action, controlEvents))
  }

  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
    handlers.append((action, nil, nil, controlEvents))
  }

  open var allTargets: Set<AnyHashable> {
    Set(handlers.compactMap { $0.selector == nil ? nil : AnyHashable($0.target ?? NSNull()) })
  }

  open var allControlEvents: UIControl.Event { handlers.reduce(into: []) { $0.formUnion($1.events) } }

  open func actions(forTarget target: Any?, forControlEvent controlEvent: UIControl.Event) -> [String]? {
    let names = handlers.compactMap {
      $0.target === (target as? NSObject) && !$0.events.isDisjoint(with: controlEvent) ? $0.selector?.name : nil
    }
    return names.isEmpty ? nil : names
  }

  open func enumerateEventHandlers(
    _ iterator: (UIAction?, (Any?, Selector)?, UIControl.Event, inout Bool) -> Void
  ) {
    var stop = false
    for handler in handlers where !stop {
      iterator(handler.action, handler.selector.map { (handler.target, $0) }, handler.events, &stop)
    }
  }
}

open class UIButton: UIControl {
  public struct Configuration: Sendable {
    public var title: String?
    public static func plain() -> Configuration { Configuration() }
  }
  open var configuration: UIButton.Configuration?
  open var currentTitle: String?
  open var currentAttributedTitle: NSAttributedString?
  open var currentTitleColor = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
  open var currentImage: UIImage?
  public var standInTitles: [UIControl.State: String] = [:]
  open func title(for state: UIControl.State) -> String? { standInTitles[state] }
}

open class UISwitch: UIControl {
  open var isOn = false
}

open class UISegmentedControl: UIControl {
  open var selectedSegmentIndex = -1
}

open class UIPageControl: UIControl {
  open var currentPage = 0
}

open class UIStepper: UIControl {
  open var value = 0.0
}

open class UISlider: UIControl {
  open var value: Float = 0
}

open class UIPickerView: UIView {
  public var standInRows: [[String]] = []
  public var standInSelected: [Int] = []
  open var numberOfComponents: Int { standInRows.count }
  open func numberOfRows(inComponent component: Int) -> Int { standInRows[component].count }
  open func selectedRow(inComponent component: Int) -> Int { standInSelected[component] }
}
