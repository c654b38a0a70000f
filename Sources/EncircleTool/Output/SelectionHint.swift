import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Prints to standard error why a selector matches nothing in captures, and which selector may have been intended.
struct SelectionHint {
  private let selector: ElementSelector
  private let style: PathStyleName
  private var paths = ElementPaths()
  private var hierarchy = ClassHierarchy.builtIn
  private var hasMatch = false
  private var hasCapture = false
  // This is true if SDKs send events for an element that the selector matches. Otherwise, `untracked` has the first match, and the
  // element around it that SDKs track.
  private var isTracked = false
  private var untracked: (className: String, around: String?)?

  init(_ selector: ElementSelector, style: PathStyleName) {
    // If the style reads it in several ways, the first one is explained.
    self.selector = selector.read(in: style)[0]
    self.style = style
  }

  private mutating func noteTracking(of elements: [ElementID], in screen: IdentifiedTree) {
    let hierarchy = ClassHierarchy(of: screen)
    let events = style.isAndroid ? ElementEvents(of: screen, style: style) : nil
    for element in elements {
      guard case .none(let around) = ElementTracking(of: element, in: screen, style, events, hierarchy) else {
        isTracked = true
        return
      }
      if untracked == nil { untracked = (screen.className(of: element), around?.className) }
    }
  }

  /// Adds a capture and the elements in it that the selector matches. Only the paths of elements are kept, until an element
  /// matches.
  mutating func add(_ screen: IdentifiedTree, name: String, matches elements: [ElementID]) {
    hasCapture = true
    if !elements.isEmpty, !isTracked { noteTracking(of: elements, in: screen) }
    if !elements.isEmpty, !hasMatch {
      hasMatch = true
      paths = ElementPaths()
    }
    guard !hasMatch, ElementPaths.giveReasons(in: style) else { return }
    paths.add(screen, name: name, style: style)
    _ = hierarchy.insertClasses(of: screen)
  }

  /// Prints the hint unless an element matches.
  func print() {
    if hasMatch, !isTracked, let untracked {
      printError(
        "note: no SDK sends events for \(untracked.className)"
          + (untracked.around.map { "; a tap on it is one on the \($0) around it" } ?? ""))
    }
    guard hasCapture, !hasMatch else { return }
    guard ElementPaths.giveReasons(in: style) else { return printError("note: no element matches the selector") }
    var loosener = SelectorLoosener(paths, hierarchy: hierarchy)
    let repair = loosener.repair(selector, in: style)
    printError("note: no element matches the selector" + (repair.sentence.map { ": \($0)" } ?? ""))
    if let example = repair.example {
      let count = counted(repair.count, "element")
      printError("note: \(repair.selector.map { "\($0)" } ?? "without that, it") matches \(count), such as \(example)")
      return
    }
    guard !style.isWeb else { return }
    for (name, near) in loosener.unknownClasses(of: selector) {
      let nearest = "; the nearest \(near.count == 1 ? "is" : "are") \(near.joined(separator: ", "))"
      printError("note: there is no class \(name)" + (near.isEmpty ? " in the captures" : nearest))
    }
    if let end = repair.matchingEnd, let example = repair.endExample {
      printError("note: of the selector, only \(end) matches, such as \(example)")
    }
  }
}
