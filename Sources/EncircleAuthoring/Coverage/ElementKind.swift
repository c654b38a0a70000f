import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A unit of counting: the elements at the same place in all rows of a list, on one page.
struct ElementKind: Hashable, Sendable {
  let page: UTF8String?
  /// The selector of the element in any row, or the event ID if nothing else is known of the element.
  let selector: UTF8String
  /// The values that distinguish elements with equal paths: the actions or the text of an item of a bar, the texts of
  /// an alert.
  let distinction: [UTF8String?]

  /// The same element on any page.
  var onAnyPage: ElementKind { ElementKind(page: nil, selector: selector, distinction: distinction) }

  /// Returns the kind of an element of a capture in `hubbledata`. A row whose place the capture lacks counts as any row,
  /// because its index is the order in which the list re-used its views.
  ///
  /// - Complexity: O(depth).
  func inAnyRow(of element: ElementID, in screen: IdentifiedTree) -> ElementKind {
    guard let path = screen.pathInUnplacedRows(of: element) else { return self }
    return ElementKind(
      page: page, selector: UTF8String(ElementKindReader.selector(of: path).description), distinction: distinction)
  }

  /// The memory of its texts, in bytes.
  var byteCount: Int {
    (page?.text.utf8.count ?? 0) + selector.text.utf8.count + distinction.reduce(0) { $0 + ($1?.text.utf8.count ?? 0) }
  }
}

/// Finds the kinds of the elements of events in one style. For the elements of a capture it is given the events that taps on them
/// cause, so that captures and events give the same kinds.
struct ElementKindReader: Sendable {
  private struct PathKey: Hashable {
    let path: UTF8String
    let indexes: UTF8String?
    let position: UTF8String?
  }

  private struct Place {
    let selector: UTF8String
    let isInBar: Bool
    let isOption: Bool
    let showsState: Bool
    let mayBeTyped: Bool
  }

  // Paths are read once, as most events are on few elements.
  private var places: [PathKey: Place] = [:]
  private var byteCount = 0
  private static let maximumBytes = 64 << 20

  let style: PathStyleName
  let fields: EventFields
  private let hierarchy: ClassHierarchy

  /// - Parameter hierarchy: The classes that rules and captures name, which say where an index on Android is a row.
  init(_ style: PathStyleName, _ fields: EventFields, _ hierarchy: ClassHierarchy) {
    self.style = style
    self.fields = fields
    self.hierarchy = hierarchy
  }

  /// Returns the kind of an event's element, and whether people may have typed its text; nil if the event has no path.
  ///
  /// - Complexity: O(length of the path) for a new path.
  mutating func kind(of event: AnalyticsEvent) -> (kind: ElementKind, mayBeTyped: Bool)? {
    func text(_ field: EventFields.Field) -> UTF8String? { event.text(field, fields).map { UTF8String($0) } }
    guard let path = text(.path), !path.text.isEmpty else { return nil }
    let key = PathKey(
      path: path, indexes: text(.pathIndexes),
      position: event.value(of: .position, fields).map { UTF8String(String(decoding: $0.json, as: UTF8.self)) })
    let place = places[key] ?? place(of: event, path)
    if byteCount < Self.maximumBytes, places.updateValue(place, forKey: key) == nil {
      byteCount += path.text.utf8.count + place.selector.text.utf8.count + 200
    }
    var distinction: [UTF8String?] = []
    let (title, message) = (text(.alertTitle), text(.alertMessage))
    if place.isOption || title != nil || message != nil {
      distinction = [title, message, text(.content)]
    } else if place.isInBar {
      distinction = [text(.actions) ?? (place.showsState ? nil : text(.content))]
    }
    let kind = ElementKind(
      page: text(.page).flatMap { $0.text.isEmpty ? nil : $0 }, selector: place.selector, distinction: distinction)
    return (kind, place.mayBeTyped)
  }

  private func place(of event: AnalyticsEvent, _ written: UTF8String) -> Place {
    guard let path = EventSubject.pathInAnyRow(of: event, style, fields, lists: hierarchy) else {
      return Place(selector: written, isInBar: false, isOption: false, showsState: false, mayBeTyped: false)
    }
    let names = path.components.map { UTF8String($0.className) }
    let own = names.last?.text ?? ""
    return Place(
      selector: UTF8String(Self.selector(of: path).description),
      isInBar: names.dropLast().contains(where: Suggester.isBar),
      isOption: EventSuggester.isAlertOption(names.last, in: style),
      showsState: ClassHierarchy.builtIn.showsState(own),
      mayBeTyped: Self.inputs.contains { ClassHierarchy.builtIn.isClass(own, kindOf: $0) }
        || own.endsWithBytes(of: "EditText"))
  }

  /// Returns the selector of a path in any row.
  fileprivate static func selector(of path: ElementPath) -> ElementSelector {
    let facts = path.components.compactMap(\.texts?.web)
    guard facts.isEmpty || facts.count < path.components.count else { return PageSelectors.inAnyRow(facts) }
    return ElementSelector(exactly: path.withoutRows(.all) ?? path).withoutStates
  }

  private static let inputs = ["UITextField", "UITextView", "UISearchBar"]
}

extension IdentifiedTree {
  /// Returns the path of an element with any place in each row that has only an index in the capture; nil if there is no such row.
  fileprivate func pathInUnplacedRows(of element: ElementID) -> ElementPath? {
    guard isInUnknownPlace(element) else { return nil }
    var path = path(of: element)
    var isOpen = false
    for (i, view) in zip(path.components.indices.reversed(), tree.inclusiveAncestors(of: element)) {
      guard let place = unknownPlace(of: view) else { continue }
      path.components[i].locator = place
      if case .index = place { isOpen = true }
    }
    return isOpen ? path : nil
  }
}

extension ElementSelector {
  /// The selector without texts that are states of controls: a switch is one element, whether on or off.
  fileprivate var withoutStates: ElementSelector {
    var result = self
    for (i, step) in steps.enumerated() {
      guard case .component(.name(let name), .texts(let tests)?) = step,
        ClassHierarchy.builtIn.showsState(name.text)
      else { continue }
      result.steps[i] = .component(.name(name), .texts(tests.filter { $0.field != .text }))
    }
    return result
  }
}
