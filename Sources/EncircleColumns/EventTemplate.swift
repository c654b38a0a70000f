import EncircleEvents
import EncircleRules
import EncircleText

/// Writes the columns of a row as the JSON event that they stand for, with each field at the place where the rules look for it
/// first: so rows are decided by the same code as events, with the same results.
///
/// The nesting of the places is computed once, as a list of steps.
struct EventTemplate: Equatable {
  private enum Step: Equatable {
    /// The name of an object in JSON, with its colon, and the brace; without a name for the event itself.
    case open([UInt8])
    /// The end of an object. If `nameCount` is not 0, an empty object is omitted, because it would hide one with the same name in a
    /// column of properties; then `nameCount` is the length of its name in `open`.
    case close(nameCount: Int)
    /// The name of a value in JSON, with its colon, and the number of its column.
    case value([UInt8], column: Int, isNumber: Bool)
    /// All names and values of a column.
    case members(column: Int)
  }

  /// An object or a value of the event. It is a class because several columns build one object.
  private final class Node {
    let name: [UInt8]
    var children: [Node] = []
    var column: Int?
    var isNumber = false

    init(name: [UInt8]) { self.name = name }

    func child(_ name: [UInt8]) -> Node {
      if let known = children.first(where: { $0.name == name }) { return known }
      let new = Node(name: name)
      children.append(new)
      return new
    }
  }

  private static let propertiesName = Array("properties".utf8)
  private var steps: [Step] = []

  /// - Parameter fields: The places of the fields that the rules test.
  init(_ columns: [EventColumn], fields: EventFields) {
    let root = Node(name: [])
    var members: Int?
    for (number, column) in columns.enumerated() {
      switch column {
      case .event: break
      case .properties, .propertiesJSON:
        _ = root.child(Self.propertiesName)
        members = number
      case .field(let field):
        for place in Self.places(of: field, fields) {
          var node = root
          switch place {
          case .property(let name): node = root.child(Self.propertiesName).child(Array(name.text.utf8))
          case .pointer(let pointer): for step in pointer.steps { node = node.child(step.name) }
          case .textsWithin: continue
          }
          node.column = number
          node.isNumber = field == .time
        }
      }
    }
    // The nesting is as deep as the pointers in the rules, so a stack is used instead of recursion.
    var pending: [(node: Node, isLeft: Bool)] = [(root, false)]
    while let (node, isLeft) = pending.popLast() {
      if isLeft {
        let isKept = node === root || node.name == Self.propertiesName
        steps.append(.close(nameCount: isKept ? 0 : Self.label(node.name).count))
        continue
      }
      if let column = node.column {
        steps.append(.value(Self.label(node.name), column: column, isNumber: node.isNumber))
        continue
      }
      steps.append(.open(node === root ? [] : Self.label(node.name)))
      // The members of the column come first: if a name occurs twice, the last value counts, and that must be the value of the
      // field's own column.
      if let members, node !== root, node.name == Self.propertiesName { steps.append(.members(column: members)) }
      pending.append((node, true))
      pending.append(contentsOf: node.children.reversed().map { ($0, false) })
    }
  }

  /// Returns the places of the value of a column: where the rules look for the field first. A type is also put where it makes
  /// an event without a name a tap, as HubbleData's events have it.
  private static func places(of field: EventFields.Field, _ fields: EventFields) -> [PropertyReference] {
    let tapTypes = field == .type ? fields.style.eventShape.tapTypePlaces : []
    return Array(fields.places(of: field).prefix(1) + tapTypes.prefix(1))
  }

  private static func label(_ name: [UInt8]) -> [UInt8] {
    var label: [UInt8] = []
    name.withUnsafeBufferPointer { JSONText.append($0, to: &label) }
    label.append(UInt8(ascii: ":"))
    return label
  }

  /// Replaces `json` by the event of a row.
  ///
  /// - Complexity: O(length of the values).
  func write(_ row: borrowing EventRow, to json: inout [UInt8]) {
    json.removeAll(keepingCapacity: true)
    for step in steps {
      switch step {
      case .open(let label):
        Self.separate(&json)
        json.append(contentsOf: label)
        json.append(UInt8(ascii: "{"))
      case .close(let nameCount):
        if nameCount > 0, json.last == UInt8(ascii: "{") {
          json.removeLast(nameCount + 1)
          if json.last == UInt8(ascii: ",") { json.removeLast() }
        } else {
          json.append(UInt8(ascii: "}"))
        }
      case .value(let label, let column, let isNumber):
        guard let text = row.text(column) else { continue }
        Self.separate(&json)
        json.append(contentsOf: label)
        if isNumber, DecimalNumber(text) != nil {
          json.append(contentsOf: text)
        } else {
          JSONText.append(text, to: &json)
        }
      case .members(let column): appendMembers(row, column, to: &json)
      }
    }
  }

  private func appendMembers(_ row: borrowing EventRow, _ column: Int, to json: inout [UInt8]) {
    if let object = row.text(column) {
      json.append(contentsOf: object)
      return
    }
    for pair in row.pairs {
      Self.separate(&json)
      JSONText.append(pair.name, to: &json)
      json.append(UInt8(ascii: ":"))
      JSONText.append(pair.value, to: &json)
    }
  }

  private static func separate(_ json: inout [UInt8]) {
    if let last = json.last, last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
  }
}
