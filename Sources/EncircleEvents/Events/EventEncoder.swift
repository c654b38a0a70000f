import EncircleText

/// A type with a better representation in events than its `encode(to:)` gives.
///
/// ``AnalyticsEvent/init(encoding:)`` asks this first. `import Encircle` provides it for types of Foundation: a `Decimal` becomes a
/// number with all its digits, a `Date` the milliseconds since 1970, as usual in events, a `URL` its text, and `Data` its Base64.
public protocol EventValueConvertible {
  /// The value in an event.
  var eventValue: EventValue { get }
}

extension AnalyticsEvent {
  /// Creates an event from a value that encodes itself with keys, as in JSON.
  ///
  /// Integers of every size keep their exact value, and floating-point numbers become their shortest decimal text. Members keep the
  /// order in which the value encodes them.
  ///
  /// - Throws: The errors of the value's `encode(to:)`; `EncodingError` for a number that is infinite or not a number, for
  ///   values nested deeper than 512 levels, and for a value that is not encoded with keys.
  /// - Complexity: O(*n*), *n* values.
  public init(encoding value: some Encodable) throws {
    guard case .object(let members) = try EventValue(encoding: value) else {
      let context = EncodingError.Context(codingPath: [], debugDescription: "an event must be encoded with keys")
      throw EncodingError.invalidValue(value, context)
    }
    self.members = members
  }
}

extension EventValue {
  /// Creates the value that an encodable value has in JSON.
  ///
  /// - Throws: As ``AnalyticsEvent/init(encoding:)``.
  public init(encoding value: some Encodable) throws {
    let place = EncodedPlace()
    try EventEncoder(place, []).encode(value)
    self = place.value
  }
}

/// A place for a value that is being encoded. Containers keep a reference to it and write into it at any time.
private final class EncodedPlace {
  enum Content {
    case nothing
    case value(EventValue)
    case list([EncodedPlace])
    case object([(name: String, place: EncodedPlace)])
  }

  var content = Content.nothing

  /// The value that has been encoded; an empty object if nothing was encoded, as in JSON.
  var value: EventValue {
    switch content {
    case .nothing: .object(EventObject())
    case .value(let value): value
    case .list(let places): .list(places.map(\.value))
    case .object(let members): .object(EventObject(members.map { .init(name: $0.name, value: $0.place.value) }))
    }
  }

  func beginList() {
    if case .list = content { return }
    content = .list([])
  }

  func beginObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// Adds an element to a list.
  func append() -> EncodedPlace {
    let place = EncodedPlace()
    if case .list(var places) = content {
      content = .nothing
      places.append(place)
      content = .list(places)
    }
    return place
  }

  /// Adds a member to an object.
  func append(_ name: String) -> EncodedPlace {
    let place = EncodedPlace()
    if case .object(var members) = content {
      content = .nothing
      members.append((name, place))
      content = .object(members)
    }
    return place
  }

  var count: Int { if case .list(let places) = content { places.count } else { 0 } }
}

/// Encodes a value into a place.
private struct EventEncoder: Encoder, SingleValueEncodingContainer {
  let place: EncodedPlace
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ place: EncodedPlace, _ codingPath: [any CodingKey]) {
    self.place = place
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.beginObject()
    return KeyedEncodingContainer(EncodedObject<Key>(place: place, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.beginList()
    return EncodedList(place: place, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // MARK: Single values

  func encodeNil() { place.content = .value(.null) }
  func encode(_ value: Bool) { place.content = .value(.bool(value)) }
  func encode(_ value: String) { place.content = .value(.string(value)) }
  func encode(_ value: Double) throws { try encode(number: value) }
  func encode(_ value: Float) throws { try encode(number: value) }
  func encode(_ value: Int) { encode(integer: value) }
  func encode(_ value: Int8) { encode(integer: value) }
  func encode(_ value: Int16) { encode(integer: value) }
  func encode(_ value: Int32) { encode(integer: value) }
  func encode(_ value: Int64) { encode(integer: value) }
  func encode(_ value: UInt) { encode(integer: value) }
  func encode(_ value: UInt8) { encode(integer: value) }
  func encode(_ value: UInt16) { encode(integer: value) }
  func encode(_ value: UInt32) { encode(integer: value) }
  func encode(_ value: UInt64) { encode(integer: value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: Int128) { encode(integer: value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: UInt128) { encode(integer: value) }

  func encode<T: Encodable>(_ value: T) throws {
    if let value = value as? any EventValueConvertible {
      place.content = .value(value.eventValue)
      return
    }
    guard codingPath.count < JSONTape.defaultDepthLimit else {
      throw failure(value, "nested deeper than \(JSONTape.defaultDepthLimit) levels")
    }
    try value.encode(to: self)
  }

  private func encode(integer: some BinaryInteger) { place.content = .value(.number(DecimalNumber(integer))) }

  private func encode(number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    guard number.isFinite, let decimal = DecimalNumber(number.description) else {
      throw failure(number, "a number in an event must be finite")
    }
    place.content = .value(.number(decimal))
  }

  private func failure(_ value: Any, _ reason: String) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
  }
}

/// Encodes the members of an object.
private struct EncodedObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: EncodedPlace
  let codingPath: [any CodingKey]

  private func encoder(_ key: some CodingKey) -> EventEncoder {
    EventEncoder(place.append(key.stringValue), codingPath + [key])
  }

  func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try encoder(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try encoder(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { encoder(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) { encoder(key).encode(value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: Int128, forKey key: Key) { encoder(key).encode(value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: UInt128, forKey key: Key) { encoder(key).encode(value) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder(key).encode(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder(PlainKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// Encodes the elements of an array.
private struct EncodedList: UnkeyedEncodingContainer {
  let place: EncodedPlace
  let codingPath: [any CodingKey]

  var count: Int { place.count }

  private func encoder() -> EventEncoder { EventEncoder(place.append(), codingPath + [PlainKey(index: count)]) }

  func encodeNil() { encoder().encodeNil() }
  func encode(_ value: Bool) { encoder().encode(value) }
  func encode(_ value: String) { encoder().encode(value) }
  func encode(_ value: Double) throws { try encoder().encode(value) }
  func encode(_ value: Float) throws { try encoder().encode(value) }
  func encode(_ value: Int) { encoder().encode(value) }
  func encode(_ value: Int8) { encoder().encode(value) }
  func encode(_ value: Int16) { encoder().encode(value) }
  func encode(_ value: Int32) { encoder().encode(value) }
  func encode(_ value: Int64) { encoder().encode(value) }
  func encode(_ value: UInt) { encoder().encode(value) }
  func encode(_ value: UInt8) { encoder().encode(value) }
  func encode(_ value: UInt16) { encoder().encode(value) }
  func encode(_ value: UInt32) { encoder().encode(value) }
  func encode(_ value: UInt64) { encoder().encode(value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: Int128) { encoder().encode(value) }
  @available(macOS 15, iOS 18, *) func encode(_ value: UInt128) { encoder().encode(value) }
  func encode<T: Encodable>(_ value: T) throws { try encoder().encode(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }
}

/// The key of an element, or of the superclass.
private struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(index: intValue) }
}
