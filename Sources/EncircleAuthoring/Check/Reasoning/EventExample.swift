import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// An event that is known only in the dimensions that matter for a comparison of rules.
struct EventExample {
  /// A value in one dimension.
  enum Value {
    case path(ElementPath)
    case eventID(EventID)
    case value(ValueClasses.Example)
  }

  /// A dimension, and the value that the event has there.
  typealias Entry = (dimension: Dimension, value: Value)

  var values: [Entry] = []

  /// The path; nil if the example has none.
  var path: ElementPath? {
    for case (_, .path(let path)) in values { return path }
    return nil
  }

  /// Returns the event in words: `an event with path A/B, page "Home"`.
  func text(_ fields: EventFields) -> String {
    let words = values.map { dimension, value in
      let name = dimension.name(fields)
      switch value {
      case .path(let path): return "path \(path.written(.slashes))"
      case .eventID(let id): return "event ID \(id)"
      case .value(.absent): return "no \(name)"
      case .value(.value(let value)): return "\(name) \(String(decoding: value.json, as: UTF8.self))"
      case .value(.unknown(let tests)):
        return tests.isEmpty ? "some other \(name)" : "\(name) that \(tests.joined(separator: " and "))"
      }
    }
    return words.isEmpty ? "any event" : "an event with " + words.joined(separator: ", ")
  }

  /// Returns the event itself.
  ///
  /// - Parameter text: Returns the text for a value that is known only by the tests that it passes.
  func event(_ fields: EventFields, text: ([String]) -> String) -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    for (dimension, value) in values {
      let json: EventValue
      switch value {
      case .path(let path): json = .string(path.written(.slashes))
      case .eventID(let id): json = .string(id.description)
      case .value(.absent): continue
      case .value(.value(let value)): json = value
      case .value(.unknown(let tests)): json = .string(text(tests))
      }
      // If the example has a value in the field's first place, the field is in another place.
      let taken = values.map(\.dimension).filter { $0 != dimension }
      guard let place = dimension.places(fields).first(where: { !taken.contains(.place($0)) }) else { continue }
      event.set(json, at: place)
    }
    return event
  }
}

extension Dimension {
  /// Returns the places where an event may have the value, the first choice first.
  func places(_ fields: EventFields) -> [PropertyReference] {
    switch self {
    case .path: fields.places(of: .path)
    case .eventID: fields.places(of: .eventID)
    case .page: fields.places(of: .page)
    case .field(let field): fields.places(of: field)
    case .place(let place): [place]
    }
  }

  /// Returns the first place where an event may have the value.
  func place(_ fields: EventFields) -> PropertyReference {
    places(fields).first ?? .property(UTF8String(name(fields)))
  }

  /// Returns the place that gives the dimension its value in every event with a value there; nil if the dimension is not
  /// a text, or is itself a place.
  func firstPlace(_ fields: EventFields) -> Dimension? {
    switch self {
    case .path, .eventID, .place: nil
    case .page, .field: places(fields).first.map { .place($0) }
    }
  }

  /// Returns the name of the dimension for people.
  func name(_ fields: EventFields) -> String {
    switch self {
    case .path: return "path"
    case .eventID: return "event ID"
    case .page: return "page"
    case .field(let field): return field.rawValue
    case .place(let place):
      for field in [EventFields.Field.event, .time, .app] where fields.places(of: field) == [place] {
        return field.rawValue
      }
      return place.description
    }
  }
}

extension EventExample {
  /// The example with each number of its path one higher, as far as there is a higher one.
  var withNextNumbers: EventExample {
    func next(_ number: Int) -> Int { number == .max ? number : number + 1 }
    var result = self
    for (i, (_, value)) in values.enumerated() {
      guard case .path(var path) = value else { continue }
      for j in path.components.indices {
        switch path.components[j].locator {
        case .none, .position: continue
        case .index(let index): path.components[j].locator = .index(next(index))
        case .row(let section, let row): path.components[j].locator = .row(section: section, row: next(row))
        case .item(let section, let item): path.components[j].locator = .item(section: section, item: next(item))
        }
      }
      result.values[i].value = .path(path)
    }
    return result
  }
}
