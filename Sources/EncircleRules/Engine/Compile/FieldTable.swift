import EncircleEvents
import EncircleIdentity

/// The places of an event's fields, as numbers of properties.
struct FieldTable: Sendable {
  // For each field, the numbers of its places: numbers[starts[f] ..< starts[f + 1]].
  private let numbers: FrozenArray<Int>
  private let starts: FrozenArray<Int>
  // This is true if the position supplies the row for `-` in the path.
  private let completesPath: Bool
  // This is true if the title of the page is part of identities.
  private let titlesCount: Bool
  // The places of the type that makes an event without a name a tap, and the name that such an event gets.
  private let tapTypes: FrozenArray<Int>
  private let tapName: FrozenArray<UInt8>
  /// Places that also identify the element, but only in events that have no value at the first place of a field. Other SDKs may
  /// send a property of the same name that has nothing to do with elements.
  let fallbacks: [EventProjection.KeyFallback]
  /// The properties in which events of style `sensors-web` describe their element besides its path, in the order of
  /// ``WebProperties/names``; empty in other styles.
  let webProperties: [Int]

  /// Gives the places of fields the first numbers.
  init(_ settings: MatcherSettings, _ properties: inout PropertyNumbers) {
    let shape = settings.style.eventShape
    let numbersOfFields = EventFields.Field.allCases.map { field in
      settings.fields.places(of: field).map { properties.number(of: $0) }
    }
    webProperties =
      settings.style == .sensorsWeb
      ? WebProperties.names.compactMap { PropertyReference(parsing: $0) }.map { properties.number(of: $0) } : []
    tapTypes = FrozenArray(shape.tapTypePlaces.map { properties.number(of: $0) })
    tapName = FrozenArray(Array(shape.tapName.utf8))
    completesPath = settings.style.positionCompletesPath
    titlesCount = !settings.identity.screenTitle.isEmpty
    var numbers: [Int] = []
    var starts = [0]
    for field in numbersOfFields {
      numbers += field
      starts.append(numbers.count)
    }
    self.numbers = FrozenArray(numbers)
    self.starts = FrozenArray(starts)
    var fallbacks: [EventProjection.KeyFallback] = []
    func addFallback(_ place: Int, of field: EventFields.Field) {
      let first = numbersOfFields[field.ordinal][0]
      if place != first { fallbacks.append(EventProjection.KeyFallback(place: place, first: first)) }
    }
    for place in shape.tapTypePlaces { addFallback(properties.number(of: place), of: .event) }
    for place in shape.lastPlaces[.page] ?? [] where settings.fields.places(of: .page).contains(place) {
      addFallback(properties.number(of: place), of: .page)
    }
    self.fallbacks = fallbacks
  }

  subscript(field: EventFields.Field) -> UnsafeBufferPointer<Int> {
    numbers[starts[field.ordinal]..<starts[field.ordinal + 1]]
  }

  /// Returns the value of a field in an event, from the first of its places that has one; missing if none has. If an event
  /// without a name has the type of a tap, its name is the name of a tap.
  @inline(__always) func value(of field: EventFields.Field, _ event: borrowing ProjectedEvent) -> ProjectedValue {
    if field == .event {
      let own = event[numbers[starts[field.ordinal]]]
      return own.kind == .missing ? otherName(event) : own
    }
    return firstValue(of: field, event)
  }

  /// Returns the name of an event that has none in the first place.
  private func otherName(_ event: borrowing ProjectedEvent) -> ProjectedValue {
    for number in tapTypes.all {
      let type = event[number]
      if type.kind == .string, EventShape.isTapType(type.bytes) { return ProjectedValue(string: tapName.all) }
    }
    return firstValue(of: .event, event)
  }

  @inline(__always)
  private func firstValue(of field: EventFields.Field, _ event: borrowing ProjectedEvent) -> ProjectedValue {
    let last = starts[field.ordinal + 1] - 1
    for i in starts[field.ordinal]..<last {
      let value = event[numbers[i]]
      if value.kind != .missing { return value }
    }
    return event[numbers[last]]
  }

  /// Returns the numbers of the first place of each field that events of this shape leave to their event ID.
  func numbersByEventID(_ shape: EventShape) -> Set<Int> { Set(shape.fieldsByEventID.map { self[$0][0] }) }

  /// The properties that identify the element, and others that rules about elements usually test. Events with equal values in them
  /// share an entry of the ``ElementCache``.
  var elementProperties: [Int] {
    var fields: [EventFields.Field] = [
      .path, .page, .event, .eventID, .pathIndexes, .actions, .alertMessage, .alertTitle, .app,
    ]
    if completesPath { fields.append(.position) }
    if titlesCount { fields.append(.title) }
    var result: [Int] = []
    for field in fields {
      for number in self[field] where !result.contains(number) {
        let isFallback = fallbacks.contains { $0.place == number && $0.first == self[field][0] }
        if !isFallback { result.append(number) }
      }
    }
    for number in webProperties where !result.contains(number) { result.append(number) }
    return result
  }
}
