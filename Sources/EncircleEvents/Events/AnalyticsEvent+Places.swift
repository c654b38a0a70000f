import EncircleText

extension AnalyticsEvent {
  /// Returns the value that a reference finds; nil if there is none.
  package func value(at place: PropertyReference) -> EventValue? {
    switch place {
    case .pointer(let pointer): return value(at: pointer)
    case .property(let name):
      for container in ["properties", "attributes"] {
        if case .object(let object)? = members[container], let value = object[name.text] { return value }
      }
      return nil
    case .textsWithin: return nil
    }
  }

  func value(at pointer: JSONPointer) -> EventValue? {
    var value = EventValue.object(members)
    for step in pointer.steps {
      switch value {
      case .object(let object):
        guard let member = object[String(decoding: step.name, as: UTF8.self)] else { return nil }
        value = member
      case .list(let elements):
        guard let position = step.position, position < elements.count else { return nil }
        value = elements[position]
      default: return nil
      }
    }
    return value
  }

  /// Puts a value where a reference looks for it.
  ///
  /// Objects on the way are made where they are missing, in place of other values.
  package mutating func set(_ value: EventValue, at place: PropertyReference) {
    switch place {
    case .property(let name): set(value, at: ["properties", name.text])
    case .pointer(let pointer):
      let names = pointer.steps.map { String(decoding: $0.name, as: UTF8.self) }
      if !names.isEmpty { set(value, at: names) }
    case .textsWithin: break
    }
  }

  private mutating func set(_ value: EventValue, at names: [String]) {
    // From the root down, each object is taken out of the one around it, so that it is not copied when the value is put in.
    var around: [EventObject] = []
    var object = members
    members = EventObject()
    for name in names.dropLast() {
      var inner = EventObject()
      if case .object(let found)? = object[name] {
        object[name] = .null
        inner = found
      }
      around.append(object)
      object = inner
    }
    var value = value
    for name in names.reversed() {
      object[name] = value
      value = .object(object)
      if let outer = around.popLast() { object = outer }
    }
    if case .object(let object) = value { members = object }
  }
}
