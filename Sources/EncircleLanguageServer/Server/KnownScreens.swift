import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The screens of the captures, and the names and values in them.
struct KnownScreens: Sendable {
  /// The parts of a rule set that determine how captures are read.
  struct Settings: Hashable, Sendable {
    let styles: [PathStyleName]
    /// The places of fields in the events of each style.
    let fields: [PathStyleName: EventFields]
    let identity: IdentityOptions

    init(_ ruleSet: RuleSet) {
      styles = ruleSet.styles
      fields = Dictionary(styles.map { ($0, ruleSet.fields(of: $0)) }) { first, _ in first }
      identity = ruleSet.identity
    }

    /// Returns the style of the events of a capture's elements.
    func style(of screen: IdentifiedTree) -> PathStyleName { screen.eventStyle(among: styles) ?? styles[0] }
  }

  /// A capture.
  struct Screen: Sendable {
    let path: String
    let screen: IdentifiedTree
    /// The pages that elements of the capture are on.
    fileprivate(set) var pages: Set<UTF8String> = []
    /// The capture's file without its directories.
    var name: String { FilePath.name(of: path) }
  }

  /// An element of a capture.
  struct Place: Sendable {
    let screen: Int
    let element: ElementID
  }

  /// The maximum number of values that are kept for a property.
  static let maximumValues = 1_000
  // Longer texts are not useful in a list of completions.
  private static let longestValue = 200

  let settings: Settings
  private(set) var screens: [Screen]
  /// The elements of the dictionary file.
  let dictionary: ElementDictionary?
  /// The first element with each event ID.
  private(set) var places: [EventID: Place] = [:]
  /// The number of elements of each class.
  private(set) var classes: [UTF8String: Int] = [:]
  /// The number of elements of each page.
  private(set) var pages: [UTF8String: Int] = [:]
  private(set) var controllers: Set<UTF8String> = []
  private(set) var apps: Set<UTF8String> = []
  private(set) var actions: [UTF8String: Int] = [:]
  /// The texts of elements, including elements that send no events.
  private(set) var shownTexts: Set<UTF8String> = []
  /// The identities of the tracked elements.
  private(set) var identities: [UTF8String: Place] = [:]
  /// The number of events of tracked elements for each value of each property.
  private(set) var values: [UTF8String: [Scalar: Int]] = [:]

  /// Creates a value without any screens.
  init() {
    settings = Settings(RuleSet())
    screens = []
    dictionary = nil
  }

  var isEmpty: Bool { screens.isEmpty && dictionary == nil }

  /// The properties that identify one element. Their values are not useful in a list of completions.
  private var naming: [UTF8String] {
    var names: [UTF8String] = []
    for fields in settings.fields.values {
      for field in [EventFields.Field.eventID, .path, .pathIndexes] {
        for case .property(let name) in fields.places(of: field) { names.append(name) }
      }
    }
    return names
  }

  /// Collects the names and values in captures.
  ///
  /// - Complexity: O(elements × depth).
  init(_ files: ScreenFiles, _ settings: Settings) {
    self.settings = settings
    dictionary = files.dictionaryElements
    screens = files.trees.map { Screen(path: $0.path, screen: IdentifiedTree($0.tree, options: settings.identity)) }
    for i in screens.indices { add(i) }
    if let dictionary {
      for name in dictionary.vocabulary.added { classes[UTF8String(name), default: 0] += 1 }
      dictionary.forEachEntry { _, entry in
        if let page = entry.page { pages[UTF8String(page), default: 0] += 1 }
      }
    }
  }

  private mutating func add(_ number: Int) {
    let screen = screens[number].screen
    if let app = screen.tree.header.app { apps.insert(UTF8String(app)) }
    screen.forEachIdentity { element, _, _, eventID in
      if places[eventID] == nil { places[eventID] = Place(screen: number, element: element) }
    }
    let naming = naming
    let style = settings.style(of: screen)
    let fields = settings.fields[style] ?? EventFields(style: style)
    let canBeSent = style.style.unmetRequirement(for: screen) == nil
    let events = canBeSent ? ElementEvents(of: screen, style: style, fields: fields) : nil
    for element in screen.tree.elements {
      classes[UTF8String(screen.className(of: element)), default: 0] += 1
      if let page = screen.page(of: element, in: style) {
        pages[UTF8String(page), default: 0] += 1
        screens[number].pages.insert(UTF8String(page))
      }
      for name in [AttributeName.text, .title, .label]
      where shownTexts.count < Self.maximumValues && !screen.holdsTypedText(element) {
        guard let text = screen.tree.value(name, of: element), text.utf8.count <= Self.longestValue else { continue }
        shownTexts.insert(UTF8String(text))
      }
      if let controller = screen.controller(of: element) { controllers.insert(UTF8String(controller)) }
      if let list = screen.tree.value(.actions, of: element) {
        for action in list.utf8.split(whereSeparator: isWhiteSpace) {
          actions[UTF8String(String(Substring(action))), default: 0] += 1
        }
      }
      let type =
        if let events { events.trackingType(of: element) } else { screen.trackingType(of: element, in: style) }
      guard type != nil else { continue }
      let identity = UTF8String(screen.identity(of: element))
      if identities.count < Self.maximumValues, identities[identity] == nil {
        identities[identity] = Place(screen: number, element: element)
      }
      if let events { add(events.event(of: element), without: naming) }
    }
  }

  private mutating func add(_ event: AnalyticsEvent, without naming: [UTF8String]) {
    guard case .object(let properties)? = event.members["properties"] else { return }
    for member in properties.members {
      let name = UTF8String(member.name)
      guard !naming.contains(name), let value = Scalar(member.value) else { continue }
      if case .string(let text) = value, text.text.utf8.count > Self.longestValue { continue }
      if let count = values[name]?[value] {
        values[name]?[value] = count + 1
      } else if values[name]?.count ?? 0 < Self.maximumValues {
        values[name, default: [:]][value] = 1
      }
    }
  }
}

extension Scalar {
  /// Creates the scalar of a value; nil for a list or an object.
  init?(_ value: EventValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(UTF8String(value))
    case .list, .object: return nil
    }
  }
}
