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

  init(_ selector: ElementSelector, style: PathStyleName) {
    self.selector = selector
    self.style = style
  }

  /// Notes a capture and the number of its elements that the selector matches. Captures are not kept, only the paths of their
  /// elements, until one matches.
  mutating func add(_ screen: IdentifiedTree, name: String, matches: Int) {
    hasCapture = true
    if matches > 0, !hasMatch {
      hasMatch = true
      paths = ElementPaths()
    }
    guard !hasMatch, style == .hubbleData else { return }
    paths.add(screen, name: name)
    _ = hierarchy.insertClasses(of: screen)
  }

  /// Prints the hint, unless some element matches.
  func print() {
    guard hasCapture, !hasMatch else { return }
    // In other styles paths are not what selectors are tried on here.
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
      printError(
        "note: there is no class \(name)"
          + (near.isEmpty ? " in the captures" : "; the nearest are \(near.joined(separator: ", "))"))
    }
    if let end = repair.matchingEnd, let example = repair.endExample {
      printError("note: of the selector, only \(end) matches, such as \(example)")
    }
  }
}
