import EncircleIdentity
import EncircleText
import EncircleTree

/// Names elements of a capture by a ``NameTemplate``.
struct ElementNames {
  /// The facts about one element, which may be in several rows.
  struct Subject {
    /// Its places, the first one first; not empty.
    let elements: [ElementID]
    let page: String?
    let type: TrackingType
    /// This is true if the element is in the rows of a list.
    let isInRows: Bool
    /// Its text, if it is the same in all its places; nil if it differs, or if people may have typed it.
    let text: String?
    /// Its number among the elements of its type on the page, from 1 on.
    let number: Int
  }

  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let words: WordList
  private let hierarchy: ClassHierarchy

  /// - Complexity: O(classes of the capture).
  init(_ screen: IdentifiedTree, style: PathStyleName, words: WordList) {
    self.screen = screen
    self.style = style
    self.words = words
    hierarchy = ClassHierarchy(of: screen)
  }

  /// Returns the name of an element by a template; never an empty one.
  ///
  /// - Complexity: O(places of the element), plus the look-up of the texts in the word list.
  func name(of subject: Subject, by template: NameTemplate) -> String {
    let name = template.name { value($0, of: subject) }
    return NameSlug.isMeaningful(name) ? name : plain(subject)
  }

  private func value(_ placeholder: NameTemplate.Placeholder, of subject: Subject) -> String {
    switch placeholder {
    case .page: page(of: subject)
    case .pageTitle:
      screen.pageTitle(of: subject.elements[0], in: style).flatMap { words.name(for: $0) } ?? page(of: subject)
    case .element: element(of: subject)
    case .type: Self.name(of: subject.type)
    case .text: subject.text.flatMap { words.name(for: $0) } ?? plain(subject)
    case .action: Self.action(on: subject.type)
    case .row: subject.isInRows ? "row" : ""
    }
  }

  /// Returns a name made of only the type and a number, such as `button_2`.
  private func plain(_ subject: Subject) -> String { "\(Self.name(of: subject.type))_\(subject.number)" }

  // MARK: - Pages

  private func page(of subject: Subject) -> String {
    guard let page = subject.page else { return "" }
    if let word = words.word(for: page) { return word }
    // A class gives its own name, a fragment in an activity the name of the fragment, and an address the end of its path.
    let name = NameSlug.withoutSuffix(NameSlug.lastPart(of: page, after: style.isWeb ? ["/"] : ["|", "."]))
    if let word = words.name(for: name) { return word }
    return screen.pageTitle(of: subject.elements[0], in: style).flatMap { words.name(for: $0) } ?? "page"
  }

  // MARK: - Elements

  private func element(of subject: Subject) -> String {
    if let word = subject.text.flatMap({ words.word(for: $0) }) { return word }
    if let own = common(subject, { SuggestedRule.ownName(of: $0, in: screen) }) {
      let slug = words.word(for: own) ?? Self.slug(own)
      if NameSlug.isMeaningful(slug) { return slug }
    }
    if let name = subject.text.flatMap({ words.name(for: $0) }) { return name }
    if let actions = common(subject, { screen.tree.value(.actions, of: $0) }) {
      let slug = Self.slug(actions)
      if actions.utf8.first != UInt8(ascii: "_"), NameSlug.isMeaningful(slug) { return slug }
    }
    let name = screen.className(of: subject.elements[0])
    if screen.tree.web == nil, ClassOrigin(of: UTF8String(name), in: hierarchy) == .app {
      let slug = Self.slug(String(name.splitBytes(at: ".").last ?? name[...]))
      if NameSlug.isMeaningful(slug) { return slug }
    }
    return plain(subject)
  }

  /// Returns the value that an element has in all its places; nil if the values differ.
  private func common(_ subject: Subject, _ value: (ElementID) -> String?) -> String? {
    guard let first = value(subject.elements[0]) else { return nil }
    return subject.elements.dropFirst().allSatisfy { value($0)?.hasSameBytes(as: first) ?? false } ? first : nil
  }

  private static func slug(_ text: String) -> String { NameSlug.slug(text, separator: "_", keepsDots: false) }

  // MARK: - Types

  private static func name(of type: TrackingType) -> String {
    switch type {
    case .button: "button"
    case .switchControl: "switch"
    case .searchBar: "search_bar"
    case .tableViewSelect: "row"
    case .collectionViewSelect: "item"
    case .gestureTap, .gestureLongPress: "view"
    case .alert: "option"
    case .control: "control"
    }
  }

  private static func action(on type: TrackingType) -> String {
    switch type {
    case .switchControl: "switch"
    case .searchBar: "search"
    case .tableViewSelect, .collectionViewSelect: "select"
    case .gestureLongPress: "long_press"
    case .button, .gestureTap, .alert, .control: "click"
    }
  }
}
