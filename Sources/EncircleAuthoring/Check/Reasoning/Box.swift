import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// The part of an event that a condition is about.
enum Dimension: Hashable {
  /// The path of the element.
  case path
  /// The event ID.
  case eventID
  /// The page, which may come from the dictionary.
  case page
  /// Another field that may be in several places.
  case field(EventFields.Field)
  /// One place.
  case place(PropertyReference)
}

/// A constraint on one dimension of an event.
enum Constraint {
  /// The value meets a condition.
  case value(Condition)
  /// At least one selector of each list matches.
  case path([[ElementSelector]])
  /// The event ID is one of these.
  case eventID(Set<EventID>)
}

/// The events that meet constraints in some dimensions; the other dimensions are free.
///
/// A clause is such a set: its tests, and the app and time of its rule.
struct Box {
  private(set) var constraints: [Dimension: Constraint] = [:]
  /// The dimensions of the constraints, the most familiar ones first.
  private(set) var dimensions: [Dimension] = []
  /// A key for each constraint; equal keys of constraints of one kind mean equal constraints.
  private(set) var keys: [Dimension: UTF8String] = [:]

  /// Adds a constraint.
  private mutating func add(_ condition: Condition, of dimension: Dimension) {
    var condition = condition
    if case .value(let other)? = constraints[dimension] { condition = .all([other, condition]) }
    set(.value(condition), of: dimension, key: condition.key)
  }

  private mutating func set(_ constraint: Constraint, of dimension: Dimension, key: String) {
    if constraints.updateValue(constraint, forKey: dimension) == nil { dimensions.append(dimension) }
    keys[dimension] = UTF8String(key)
  }

  private mutating func add(path selectors: [[ElementSelector]]) {
    let key = selectors.map { $0.map(\.description).joined(separator: "\n") }.joined(separator: "\n\n")
    set(.path(selectors), of: .path, key: key)
  }

  private mutating func add(eventIDs: Set<EventID>) {
    set(.eventID(eventIDs), of: .eventID, key: eventIDs.map(\.description).sorted().joined())
  }

  /// Creates the box of the events that match a clause of a rule, without regard to the rule's `unless`.
  init(_ clause: RuleClause, of rule: SelectionRule, _ fields: EventFields) {
    if let event = clause.event { add(event, of: Self.dimension(.event, fields)) }
    if let page = clause.page { add(page, of: .page) }
    for test in clause.properties { add(test.condition, of: .place(test.property)) }
    let selectors = [clause.selectors] + (clause.samePlace.map { [[$0]] } ?? [])
    let asked = selectors.filter { !$0.isEmpty }
    if !asked.isEmpty { add(path: asked) }
    if !clause.eventIDs.isEmpty { add(eventIDs: Set(clause.eventIDs.map(\.eventID))) }
    addWindow(of: rule, fields)
    sortDimensions()
  }

  /// Returns the events that are in both boxes.
  func intersection(_ other: Box) -> Box {
    var result = self
    for (dimension, constraint) in other.constraints {
      switch (constraint, result.constraints[dimension]) {
      case (.value(let condition), _): result.add(condition, of: dimension)
      case (.path(let selectors), .path(let own)?): result.add(path: own + selectors)
      case (.path(let selectors), _): result.add(path: selectors)
      case (.eventID(let ids), .eventID(let own)?): result.add(eventIDs: own.intersection(ids))
      case (.eventID(let ids), _): result.add(eventIDs: ids)
      }
    }
    result.sortDimensions()
    return result
  }

  /// Returns the box with each selector replaced by the result of `transform` for it.
  func mappingSelectors(_ transform: (ElementSelector) -> ElementSelector) -> Box {
    guard case .path(let selectors)? = constraints[.path] else { return self }
    var result = self
    result.add(path: selectors.map { $0.map(transform) })
    return result
  }

  /// Creates the box of the events on an excluded page.
  init(_ page: ExcludedPage, _ fields: EventFields) {
    add(.kindOf([page.name]), of: .page)
    if let app = page.app { add(Self.isApp([app]), of: Self.dimension(.app, fields)) }
    if page.scope == .pageViews {
      let names = ExcludedPage.pageViewEvents.map { Scalar.string($0) }
      add(.isOneOf(names, fold: false), of: Self.dimension(.event, fields))
    }
    sortDimensions()
  }

  /// Puts the dimensions in their order, once all constraints are there.
  private mutating func sortDimensions() {
    let ordered = dimensions.map { (order: UTF8String($0.order), dimension: $0) }.sorted { $0.order < $1.order }
    dimensions = ordered.map(\.dimension)
  }

  /// Adds the constraints that the rule has for every event: its time and app.
  private mutating func addWindow(of rule: SelectionRule, _ fields: EventFields) {
    let time = Self.dimension(.time, fields)
    if !rule.windows.isEmpty {
      add(
        .any(
          rule.windows.map { window in
            .all(
              (window.from.map { [.number(.greaterOrEqual, DecimalNumber($0))] } ?? [])
                + (window.to.map { [.number(.less, DecimalNumber(Int128($0) + 1))] } ?? []))
          }), of: time)
    }
    if let from = rule.from { add(.number(.greaterOrEqual, DecimalNumber(from)), of: time) }
    // The last millisecond is included as a whole.
    if let to = rule.to { add(.number(.less, DecimalNumber(Int128(to) + 1)), of: time) }
    if !rule.apps.isEmpty { add(Self.isApp(rule.apps), of: Self.dimension(.app, fields)) }
  }

  /// Returns the condition that an event is of one of some apps, or has no text as its app.
  private static func isApp(_ apps: [UTF8String]) -> Condition {
    .any([.isOneOf(apps.map { .string($0) }, fold: false), .not(.text(.glob, "*", fold: false))])
  }

  private static func dimension(_ field: EventFields.Field, _ fields: EventFields) -> Dimension {
    let places = fields.places(of: field)
    return places.count == 1 ? .place(places[0]) : .field(field)
  }
}

extension Box {
  /// A text that two boxes share only if their constraints are written alike.
  var key: String {
    keys.map { dimension, key in "\(dimension) \(key.text.utf8.count) \(key)" }.sorted().joined(separator: "\n")
  }
}

/// The events that match a rule: they are in one of the boxes, but in no box of `unless`.
struct RuleBoxes {
  let boxes: [Box]
  let unless: [Box]

  /// A text that two rules share only if they have the same clauses in any order.
  var key: String {
    (boxes.map { "any \($0.key)" }.sorted() + unless.map { "none \($0.key)" }.sorted()).joined(separator: "\n")
  }

  init(boxes: [Box], unless: [Box] = []) {
    self.boxes = boxes
    self.unless = unless
  }

  init(_ rule: SelectionRule, _ fields: EventFields, _ context: SameKindContext) {
    boxes = rule.clausesOfAnyRow(context).map { Box($0, of: rule, fields) }
    unless = rule.unless.map { Box($0, of: rule, fields) }
  }
}

extension Dimension {
  /// A sort key: the dimensions that people look at first come first.
  fileprivate var order: String {
    switch self {
    case .path: "0"
    case .eventID: "1"
    case .page: "2"
    case .field(let field): "3\(field.rawValue)"
    case .place(let place): "4\(place)"
    }
  }
}
