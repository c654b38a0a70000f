import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleTree

/// Says on standard error why a selector matches nothing in captures, and what it may have been meant to be.
struct SelectionHint {
  private let selector: ElementSelector
  private let style: PathStyleName
  private var paths = ElementPaths()
  private var hierarchy = ClassHierarchy.builtIn
  private var hasMatch = false
  private var hasCapture = false
  // Whether SDKs send events of some element that the selector matches; else the first one, and the element around it that they
  // track.
  private var isTracked = false
  private var untracked: (className: String, around: String?)?

  init(_ selector: ElementSelector, style: PathStyleName) {
    self.selector = selector
    self.style = style
  }

  private mutating func noteTracking(of elements: [ElementID], in screen: IdentifiedTree) {
    var hierarchy = ClassHierarchy.builtIn
    _ = hierarchy.insertClasses(of: screen)
    for element in elements {
      guard case .none(let around) = ElementTracking(of: element, in: screen, style, hierarchy) else {
        isTracked = true
        return
      }
      if untracked == nil { untracked = (screen.className(of: element), around?.className) }
    }
  }

  /// Notes a capture and its elements that the selector matches. Captures are not kept, only the paths of their
  /// elements, until one matches.
  mutating func add(_ screen: IdentifiedTree, name: String, matches elements: [ElementID]) {
    hasCapture = true
    if !elements.isEmpty, !isTracked { noteTracking(of: elements, in: screen) }
    if !elements.isEmpty, !hasMatch {
      hasMatch = true
      paths = ElementPaths()
    }
    guard !hasMatch, style == .hubbleData else { return }
    paths.add(screen, name: name)
    _ = hierarchy.insertClasses(of: screen)
  }

  /// Prints the hint, unless some element matches.
  func print() {
    if hasMatch, !isTracked, let untracked {
      printError(
        "note: no SDK sends events for \(untracked.className)"
          + (untracked.around.map { "; a tap on it is one on the \($0) around it" } ?? ""))
    }
    guard hasCapture, !hasMatch else { return }
    // Here, selectors are only tried on paths of the style hubbledata.
    guard style == .hubbleData else { return printError("note: no element matches the selector") }
    var loosener = SelectorLoosener(paths, hierarchy: hierarchy)
    let repair = loosener.repair(selector)
    printError("note: no element matches the selector" + (repair.sentence.map { ": \($0)" } ?? ""))
    if let example = repair.example {
      let count = "\(repair.count) element\(repair.count == 1 ? "" : "s")"
      printError("note: \(repair.selector.map { "\($0)" } ?? "without that, it") matches \(count), such as \(example)")
      return
    }
    for (name, near) in loosener.unknownClasses(of: selector) {
      let nearest = "; the nearest \(near.count == 1 ? "is" : "are") \(near.joined(separator: ", "))"
      printError("note: there is no class \(name)" + (near.isEmpty ? " in the captures" : nearest))
    }
    if let end = repair.matchingEnd, let example = repair.endExample {
      printError("note: of the selector, only \(end) matches, such as \(example)")
    }
  }
}
