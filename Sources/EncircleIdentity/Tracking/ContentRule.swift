import EncircleText
import EncircleTree

/// The rule for finding the content of a view, by its class.
///
/// Source: sa-sdk-ios 4.8.3, UIView+SAElementContent.m and UIView+SARNView.m.
enum ContentRule: Sendable {
  /// The view's text, else the contents of its subviews.
  case text
  /// `checked` or `unchecked`.
  case switchState
  /// The value as C's `%g` writes it.
  case stepper
  /// The value as C's `%f` writes it.
  case slider
  /// The number of the current page.
  case pageControl
  /// The title of the selected segment; without one, the contents of the subviews.
  case segmentedControl
  /// The accessibility label without white space around it, else as ``text``.
  case reactNative
  /// The accessibility value without white space around it, else as ``text``.
  case weex
}

extension ContentRule {
  /// Chooses the rule for a class: its own, or the rule of the nearest superclass that has one.
  ///
  /// - Parameter superclasses: The superclasses in the capture, separated by white space.
  init(class name: String, superclasses: String?) {
    var rule: ContentRule?
    func look(at name: String) {
      guard rule == nil else { return }
      rule = Self.byClass[UTF8String(name)]
      for superclass in ClassHierarchy.builtIn.superclasses(of: name) where rule == nil {
        rule = Self.byClass[UTF8String(superclass)]
      }
    }
    look(at: name)
    for word in superclasses?.utf8.split(whereSeparator: isWhiteSpace) ?? [] { look(at: String(Substring(word))) }
    self = rule ?? .text
  }

  private static let byClass: [UTF8String: ContentRule] = {
    var rules: [UTF8String: ContentRule] = [
      "UISwitch": .switchState, "UIStepper": .stepper, "UISlider": .slider, "UIPageControl": .pageControl,
      "UISegmentedControl": .segmentedControl, "WXView": .weex, "WXImageView": .weex, "WXText": .weex,
    ]
    let reactNative: [UTF8String] = [
      "RCTSurfaceView", "RCTSurfaceHostingView", "RCTFPSGraph", "RCTModalHostView", "RCTView", "RCTTextView",
      "RCTRootView", "RCTInputAccessoryView", "RCTInputAccessoryViewContent", "RNSScreenContainerView", "RNSScreen",
      "RCTVideo", "RNGestureHandlerButton", "RNCSlider", "RNCSegmentedControl",
    ]
    for name in reactNative { rules[name] = .reactNative }
    return rules
  }()
}
