import EncircleEvents

/// The places of an event's fields, as numbers of properties.
struct FieldTable: Sendable {
  // By field, the numbers of its places: numbers[starts[f] ..< starts[f + 1]].
  private let numbers: FrozenArray<Int>
  private let starts: FrozenArray<Int>
  // Whether the position says which row stands for `[-]` in the path.
  private let completesPath: Bool
  // Whether the title of the page is part of identities.
  private let titlesCount: Bool

  /// Gives the places of fields the first numbers.
  init(_ settings: MatcherSettings, _ properties: inout PropertyNumbers) {
    self.init(
      EventFields.Field.allCases.map { field in settings.fields.places(of: field).map { properties.number(of: $0) } },
      completesPath: settings.style.positionCompletesPath, titlesCount: !settings.identity.screenTitle.isEmpty)
  }

  private init(_ numbersOfFields: [[Int]], completesPath: Bool, titlesCount: Bool) {
    self.completesPath = completesPath
    self.titlesCount = titlesCount
    var numbers: [Int] = []
    var starts = [0]
    for field in numbersOfFields {
      numbers += field
      starts.append(numbers.count)
    }
    self.numbers = FrozenArray(numbers)
    self.starts = FrozenArray(starts)
  }

  subscript(field: EventFields.Field) -> UnsafeBufferPointer<Int> {
    numbers[starts[field.ordinal]..<starts[field.ordinal + 1]]
  }

  /// The first value that an event has among the places of a field; missing if it has none.
  @inline(__always) func value(of field: EventFields.Field, _ event: borrowing ProjectedEvent) -> ProjectedValue {
    let last = starts[field.ordinal + 1] - 1
    for i in starts[field.ordinal]..<last {
      let value = event[numbers[i]]
      if value.kind != .missing { return value }
    }
    return event[numbers[last]]
  }

  /// The properties that tell the element, and others that rules about elements mostly test: events that agree in them share
  /// an entry of the ``ElementCache``.
  var elementProperties: [Int] {
    var fields: [EventFields.Field] = [
      .path, .page, .event, .eventID, .pathIndexes, .actions, .alertMessage, .alertTitle, .app,
    ]
    if completesPath { fields.append(.position) }
    if titlesCount { fields.append(.title) }
    var result: [Int] = []
    for field in fields { for number in self[field] where !result.contains(number) { result.append(number) } }
    return result
  }
}
