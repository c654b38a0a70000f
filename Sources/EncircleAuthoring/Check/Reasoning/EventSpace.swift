import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The classes and the path style for dividing values and paths, and the work budget.
struct SpaceContext {
  var hierarchy: ClassHierarchy
  var style: PathStyleName
  var budget = WordClasses.Budget()
  /// The places of fields in events.
  var fields = EventFields()
  /// The divisions that have been made already.
  let divisions = Divisions()
}

/// All events, divided by the boxes that they are in.
///
/// Each dimension is divided separately, except that a field and the first place where events have it are divided
/// together; the parts are then combined. Other constraints in different dimensions are treated as independent, even if
/// they are about the same value. So every existing part is found, but a part that is found may be impossible.
struct EventSpace {
  /// Events that are in the same boxes.
  struct Part {
    /// The boxes that the events are in.
    let boxes: Bits
    /// One of the events.
    let example: EventExample
  }

  let parts: [Part]

  /// The maximum number of parts; beyond these the division is given up.
  private static let limit = 4_096
  /// The maximum number of boxes that are compared at once.
  static let maximumBoxes = 1_000
  // The maximum number of dimensions in which boxes are compared.
  private static let maximumDimensions = 200

  /// Divides the events that are in the first of the boxes; nil if that takes too long.
  init?(of boxes: [Box], _ context: SpaceContext) {
    var dimensions: [Dimension] = []
    var known: Set<Dimension> = []
    guard boxes.count <= Self.maximumBoxes, context.budget.allows(boxes.count * 4) else { return nil }
    for box in boxes {
      guard box.constraints.count <= Self.maximumDimensions else { return nil }
      for dimension in box.dimensions where known.insert(dimension).inserted {
        dimensions.append(dimension)
      }
    }
    guard dimensions.count <= Self.maximumDimensions, context.budget.allows(dimensions.count * boxes.count) else {
      return nil
    }
    var parts: [(boxes: Bits, example: EventExample)] = [(Bits(all: boxes.count), EventExample())]
    let places = Set(dimensions.compactMap { $0.firstPlace(context.fields) }.filter { known.contains($0) })
    for dimension in dimensions where !places.contains(dimension) {
      let place = dimension.firstPlace(context.fields).flatMap { places.contains($0) ? $0 : nil }
      let division =
        if let place {
          Self.divide(dimension, at: place, boxes, context)
        } else {
          Self.divide(dimension, boxes, context)
        }
      guard let division else { return nil }
      guard context.budget.allows(parts.count * division.count * (1 + boxes.count / 64)) else { return nil }
      var known: [Bits: Int] = [:]
      var next: [(boxes: Bits, example: EventExample)] = []
      for part in parts {
        for (bits, values) in division {
          var common = part.boxes
          common.formIntersection(bits)
          guard common[0] else { continue }
          var example = part.example
          example.values += values
          if let place = known[common] {
            if next[place].example.isUncertain, !example.isUncertain { next[place].example = example }
          } else {
            known[common] = next.count
            next.append((common, example))
          }
        }
      }
      guard next.count <= Self.limit else { return nil }
      parts = next
    }
    self.parts = parts.map { Part(boxes: $0.boxes, example: $0.example) }
  }

  /// Returns the parts of one dimension. Each has the boxes whose constraint it meets, and a value.
  private static func divide(
    _ dimension: Dimension, _ boxes: [Box], _ context: SpaceContext
  ) -> [(Bits, [EventExample.Entry])]? {
    // Equal constraints are divided once.
    var numbers: [UTF8String: Int] = [:]
    var constraints: [Constraint] = []
    let ofBox = boxes.map { box -> Int? in
      guard let constraint = box.constraints[dimension], let key = box.keys[dimension] else { return nil }
      if let known = numbers[key] { return known }
      numbers[key] = constraints.count
      constraints.append(constraint)
      return constraints.count - 1
    }
    let key = numbers.sorted { $0.value < $1.value }.map(\.key)
    let divided: [(Bits, EventExample.Value)]
    if let known = context.divisions.division(of: constraints, key) {
      divided = known
    } else if let new = divide(constraints, context) {
      divided = new
      context.divisions.keep(new, of: constraints, key)
    } else {
      return nil
    }
    return divided.map { met, value in
      var bits = Bits(count: boxes.count)
      for (i, constraint) in ofBox.enumerated() { bits[i] = constraint.map { met[$0] } ?? true }
      return (bits, [(dimension, value)])
    }
  }

  /// Returns the parts of a field and the first place where events have it.
  ///
  /// If an event has a value in that place, the field has this value, except for a page that rules compare in another form.
  /// Otherwise the field may be anything.
  private static func divide(
    _ field: Dimension, at place: Dimension, _ boxes: [Box], _ context: SpaceContext
  ) -> [(Bits, [EventExample.Entry])]? {
    let changed = changedPages(in: context.style)
    var conditions: [Condition] = [.exists(true), changed.test]
    var numbers: [UTF8String: Int] = [:]
    func conditionsOfBoxes(_ dimension: Dimension) -> [Int?] {
      boxes.map { box in
        guard case .value(let condition)? = box.constraints[dimension], let key = box.keys[dimension] else {
          return nil
        }
        if let known = numbers[key] { return known }
        numbers[key] = conditions.count
        conditions.append(condition)
        return conditions.count - 1
      }
    }
    let (ofField, ofPlace) = (conditionsOfBoxes(field), conditionsOfBoxes(place))
    guard let values = ValueClasses(of: conditions, hierarchy: context.hierarchy, budget: context.budget) else {
      return nil
    }
    let classes = values.classes
    guard context.budget.allows(classes.count * 3 * (1 + boxes.count / 8)) else { return nil }
    var result: [(Bits, [EventExample.Entry])] = []
    func add(_ valueOfPlace: Bits, _ valueOfField: Bits, _ example: [EventExample.Entry]) {
      var bits = Bits(count: boxes.count)
      for i in boxes.indices {
        bits[i] = (ofField[i].map { valueOfField[$0] } ?? true) && (ofPlace[i].map { valueOfPlace[$0] } ?? true)
      }
      result.append((bits, example))
    }
    for part in classes {
      if !part.matching[0] {
        for other in classes {
          add(part.matching, other.matching, [(place, .value(.absent)), (field, .value(other.example))])
        }
      } else if field == .page, part.matching[1] {
        let example = [(place, EventExample.Value.value(.unknown([changed.words])))]
        for other in classes where other.matching[0] { add(part.matching, other.matching, example) }
      } else {
        add(part.matching, part.matching, [(place, .value(part.example))])
      }
    }
    return result
  }

  /// Returns the test that the pages of events pass which rules may compare in another form, also in words; see
  /// ``PathStyleName/page(ofEvent:)``.
  private static func changedPages(in style: PathStyleName) -> (test: Condition, words: String) {
    if style.isWeb {
      let signs: [UTF8String] = ["%", "?", "#", "://"]
      return (.any(signs.map { .text(.contains, $0, fold: false) }), "is not a plain path")
    }
    let observed = Condition.text(.prefix, "NSKVONotifying_", fold: false)
    guard style.hasIndexList else { return (observed, "begins with NSKVONotifying_") }
    return (.any([observed, .text(.prefix, "/", fold: false)]), "begins with / or NSKVONotifying_")
  }

  private static func divide(_ constraints: [Constraint], _ context: SpaceContext) -> [(Bits, EventExample.Value)]? {
    switch constraints.first {
    case nil: return []
    case .value:
      let conditions = constraints.compactMap { if case .value(let condition) = $0 { condition } else { nil } }
      guard let classes = ValueClasses(of: conditions, hierarchy: context.hierarchy, budget: context.budget) else {
        return nil
      }
      return classes.classes.map { ($0.matching, .value($0.example)) }
    case .eventID:
      var ids: [EventID] = []
      let count = constraints.reduce(0) { count, constraint in
        if case .eventID(let wanted) = constraint { count + wanted.count } else { count }
      }
      guard context.budget.allows(count * (8 + constraints.count)) else { return nil }
      for case .eventID(let wanted) in constraints { ids += wanted.sorted { $0.description < $1.description } }
      var result = ids.map { id in
        var bits = Bits(count: constraints.count)
        for case (let i, .eventID(let wanted)) in constraints.enumerated() { bits[i] = wanted.contains(id) }
        return (bits, EventExample.Value.eventID(id))
      }
      result.append((Bits(count: constraints.count), .value(.absent)))
      return result
    case .path: return paths(constraints, context)
    }
  }

  private static func paths(_ constraints: [Constraint], _ context: SpaceContext) -> [(Bits, EventExample.Value)]? {
    var selectors: [ElementSelector] = []
    var numbers: [ElementSelector: Int] = [:]
    // For each constraint, the lists of selectors: one of each list must match.
    let asked = constraints.map { constraint -> [[Int]] in
      guard case .path(let lists) = constraint else { return [] }
      return lists.map { list in
        list.map { selector in
          if let known = numbers[selector] { return known }
          numbers[selector] = selectors.count
          selectors.append(selector)
          return selectors.count - 1
        }
      }
    }
    guard
      let classes = PathClasses(
        of: selectors, hierarchy: context.hierarchy, style: context.style, budget: context.budget)
    else {
      return nil
    }
    var result = classes.classes.map { part in
      var bits = Bits(count: constraints.count)
      for (i, lists) in asked.enumerated() {
        bits[i] = lists.allSatisfy { $0.contains { part.matching[$0] } }
      }
      return (bits, EventExample.Value.path(part.path))
    }
    result.append((Bits(count: constraints.count), .value(.absent)))
    return result
  }
}
