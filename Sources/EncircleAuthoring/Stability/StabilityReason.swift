import EncircleRules
import EncircleText

/// A reason why a selector may stop matching its element without an intended change to the element.
///
/// `step` and `steps` are indexes of the selector's steps.
public enum StabilityReason: Hashable, Sendable {
  /// The selector begins at a window, so that every container in between must stay.
  case anchored
  /// It names private views that only hold others.
  case wrappers(steps: [Int])
  /// It names layouts that only hold others.
  case layouts(steps: [Int])
  /// It depends on the index of an element among the siblings of its class; `siblings` is their number, if known.
  case siblingIndex(step: Int, indexes: ElementSelector.NumberTest, siblings: Int?)
  /// It names certain rows or items of a list, whose content moves.
  case exactRow(step: Int)
  /// It takes any row of a list, because the capture does not have the element's row.
  case unknownRow(step: Int)
  /// It depends on the position of a child page in its scroll view.
  case pagePosition(step: Int)
  /// It names a class that only some releases of the system have.
  case someReleases(step: Int, UTF8String, ClassReleases)
  /// It has a class name that the compiler made, for a generic or private type.
  case generatedName(step: Int)
  /// It names a private control of the system.
  case privateControl(step: Int)
  /// It names element types of a test driver. Events of an app have classes instead, so the selector matches none.
  case elementTypes(steps: [Int])
  /// It has many steps.
  case longChain(steps: Int)
  /// It has a `**`, which matches any containers, so that other elements may come to match.
  case gap(step: Int)
  /// It matches any element of a common class, or of classes with a part of a name.
  case broadElement(step: Int)
  /// Above the element, it names only classes that occur everywhere, such as `UIView`.
  case plainPlace(step: Int)
  /// It names no class of the app.
  case noAppClass
  /// It distinguishes an item of a bar or menu, or an option of an alert, only by its class or its place.
  case barPlace
  /// The rule needs the page in addition to the selector.
  case page(UTF8String)
  /// The rule tests a text on the screen; a localised text is another one in another language.
  case text(isLocalised: Bool)
  /// The rule tests the names of actions, which developers give.
  case actions
  /// The rule names the identity of an item of a navigation bar, which has neither a page nor its own index.
  case barIdentity
  /// The rule needs the event ID in addition to the selector, and so the exact path.
  case eventID
  /// The rule tests the developer's own id, which the SDK must send.
  case developerID
  /// The rule tests the resource id of an Android element, which the SDK sends.
  case resourceID
  /// It names an id, a class or a value of a web page that a build tool seems to generate, with another result in each release.
  case generatedPageName(step: Int, UTF8String)
  /// It names a class of a web page that describes the look of the element.
  case lookClass(step: Int, UTF8String)
  /// It names a class of a web page that describes the state of the element.
  case stateClass(step: Int, UTF8String)
  /// The rule tests a text around the element, which captures must know at its place.
  case textAround

  /// The number of points that the reason costs of a score of 100.
  public var penalty: Int {
    switch self {
    case .anchored: 15
    case .wrappers(let steps): min(45, 6 * steps.count)
    case .layouts(let steps): min(30, 4 * steps.count)
    case .siblingIndex(_, let indexes, let siblings):
      siblings == 1 ? 4 : indexes == .range(lower: 0, upper: 0) && siblings == nil ? 6 : 9
    case .exactRow: 20
    case .unknownRow: 2
    case .pagePosition: 12
    case .someReleases: 25
    case .generatedName: 20
    case .privateControl: 5
    case .elementTypes: 30
    case .longChain(let steps): max(0, min(20, 2 * (steps - Self.shortChain)))
    case .gap: 4
    case .broadElement, .plainPlace, .barPlace: 15
    case .noAppClass: 8
    case .page: 2
    case .text(let isLocalised): isLocalised ? 15 : 8
    case .actions, .resourceID: 3
    case .barIdentity: 10
    case .eventID: 35
    case .developerID: 40
    case .generatedPageName: 30
    case .lookClass: 12
    case .stateClass: 15
    case .textAround: 30
    }
  }

  /// The stable names of reasons, for translation by clients.
  package enum Code: String, CaseIterable, Sendable {
    case anchored, wrappers, layouts
    case onlySibling = "only-sibling"
    case siblingIndex = "sibling-index"
    case exactRow = "exact-row"
    case unknownRow = "unknown-row"
    case pagePosition = "page-position"
    case someReleases = "some-releases"
    case generatedName = "generated-name"
    case privateControl = "private-control"
    case elementTypes = "element-types"
    case longChain = "long-chain"
    case gap
    case broadElement = "broad-element"
    case plainPlace = "plain-place"
    case barPlace = "bar-place"
    case noAppClass = "no-app-class"
    case page, text
    case localisedText = "localised-text"
    case actions
    case barIdentity = "bar-identity"
    case eventID = "event-id"
    case developerID = "developer-id"
    case resourceID = "resource-id"
    case generatedPageName = "generated-page-name"
    case lookClass = "look-class"
    case stateClass = "state-class"
    case textAround = "text-around"
  }

  /// Returns the name of the reason, and the arguments of its sentence: classes, steps, numbers.
  ///
  /// - Parameter selector: The selector that has the reason; a step that it lacks is written as `?`.
  package func coded(of selector: ElementSelector) -> (code: Code, arguments: [String]) {
    func text(_ step: Int) -> String { selector.steps.indices.contains(step) ? "\(selector.steps[step])" : "?" }
    func texts(_ steps: [Int]) -> [String] { [steps.prefix(3).map(text).joined(separator: ", ")] }
    return switch self {
    case .anchored: (.anchored, [])
    case .wrappers(let steps): (.wrappers, texts(steps))
    case .layouts(let steps): (.layouts, texts(steps))
    case .siblingIndex(let step, _, let siblings): (siblings == 1 ? .onlySibling : .siblingIndex, [text(step)])
    case .exactRow(let step): (.exactRow, [text(step)])
    case .unknownRow(let step): (.unknownRow, [text(step)])
    case .pagePosition(let step): (.pagePosition, [text(step)])
    case .someReleases(_, let name, let releases): (.someReleases, [name.text, "\(releases)"])
    case .generatedName(let step): (.generatedName, [text(step)])
    case .privateControl(let step): (.privateControl, [text(step)])
    case .elementTypes: (.elementTypes, [])
    case .longChain(let steps): (.longChain, [String(steps)])
    case .gap: (.gap, [])
    case .broadElement(let step): (.broadElement, [text(step)])
    case .plainPlace(let step): (.plainPlace, [text(step)])
    case .barPlace: (.barPlace, [])
    case .noAppClass: (.noAppClass, [])
    case .page(let page): (.page, [page.text])
    case .text(let isLocalised): (isLocalised ? .localisedText : .text, [])
    case .actions: (.actions, [])
    case .barIdentity: (.barIdentity, [])
    case .eventID: (.eventID, [])
    case .developerID: (.developerID, [])
    case .resourceID: (.resourceID, [])
    case .generatedPageName(_, let name): (.generatedPageName, [name.text])
    case .lookClass(_, let name): (.lookClass, [name.text])
    case .stateClass(_, let name): (.stateClass, [name.text])
    case .textAround: (.textAround, [])
    }
  }

  /// The greatest number of steps that does not count as a long chain.
  public static let shortChain = 5

  /// Returns the reason as a sentence about the selector, without a full stop.
  ///
  /// - Parameter selector: The selector that has the reason; a step that it lacks is written as `?`.
  public func description(of selector: ElementSelector) -> String {
    func text(_ step: Int) -> String { selector.steps.indices.contains(step) ? "\(selector.steps[step])" : "?" }
    func className(_ step: Int) -> String {
      guard selector.steps.indices.contains(step), case .component(let pattern, _) = selector.steps[step] else {
        return "?"
      }
      return "\(pattern)"
    }
    func classNames(_ steps: [Int]) -> String {
      steps.prefix(3).map(className).joined(separator: ", ") + (steps.count > 3 ? ", … (\(steps.count) of them)" : "")
    }
    switch self {
    case .anchored: return "begins at the window: every container on the way must stay"
    case .wrappers(let steps):
      return "goes through private containers, which change with the system: \(classNames(steps))"
    case .layouts(let steps): return "goes through plain layouts, which change with the design: \(classNames(steps))"
    case .siblingIndex(let step, let indexes, let siblings):
      if siblings == 1 {
        return "\(text(step)) is the only \(className(step)) in its superview: another may come before it"
      }
      let number = siblings.map { " of \($0)" } ?? ""
      return "index \(indexes)\(number) among siblings of class \(className(step)): adding or moving one shifts it"
    case .exactRow(let step): return "\(text(step)) is a certain place in a list, whose content may move"
    case .unknownRow(let step):
      return
        "\(text(step)) is any row: the capture has no index path there, and the index of a re-used view says nothing"
    case .pagePosition(let step): return "\(text(step)) is where the child page lies in its scroll view"
    case .someReleases(_, let name, let releases):
      let counterpart = releases.counterpart.map { "; others have \($0)" } ?? ""
      return "only \(releases) \(releases.last == nil ? "has" : "had") \(name)\(counterpart)"
    case .generatedName(let step): return "\(className(step)) is a name that the compiler makes of types and files"
    case .privateControl(let step): return "\(className(step)) is a private class of the system"
    case .elementTypes: return "element types of a test driver, not classes: events of the app do not have them"
    case .longChain(let steps): return "\(steps) steps: each must stay"
    case .gap where selector.isCSS: return "a space passes over any elements: others of this kind may come to match"
    case .gap: return "** passes over any containers: others of this kind may come to match"
    case .broadElement(let step): return "\(text(step)) alone takes any such element that is added"
    case .plainPlace(let step):
      return "\(text(step)) lies in views that occur everywhere: one that is added elsewhere may have the same place"
    case .barPlace:
      return "differs from the other items of its bar, menu or alert in class or place only: items come and go"
    case .noAppClass where selector.isCSS: return "names no id, class or attribute that people seem to have given"
    case .noAppClass: return "names no class of the app's own"
    case .page(let page): return "differs from others in its page alone, \(page)"
    case .text(let isLocalised):
      return isLocalised ? "tests a text that is localised: another in other languages" : "tests a text on the screen"
    case .actions: return "tests the names of the actions, which developers may change"
    case .barIdentity: return "names the identity of an item of the navigation bar, in which the system's views are"
    case .eventID: return "needs the event ID: the whole path with every index, exactly"
    case .developerID: return "needs the developer's id, which not every SDK sends"
    case .resourceID: return "tests the resource id, which developers may change"
    case .generatedPageName(_, let name):
      return "\(name) looks made by a tool, which makes another one for the next release"
    case .lookClass(_, let name):
      return "\(name) says how the element looks: it changes with the design, and others have it"
    case .stateClass(_, let name): return "\(name) says in which state the element is, which changes"
    case .textAround:
      return "tests a text around the element: only captures that all say the same in this place decide it"
    }
  }
}
