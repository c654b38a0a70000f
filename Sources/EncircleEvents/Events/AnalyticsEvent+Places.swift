import EncircleText

extension AnalyticsEvent {
  /// Returns the value at a place; nil if there is none.
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

  /// Returns the place that a reference to nothing in this event probably means, as it is written in rules: a member of the event
  /// itself that is written like a property, or the reverse; a part of an object that is written with dots; a property with a
  /// similar name; or properties that are a text in place of an object. Nil if there is none.
  package func placeMeant(by place: PropertyReference) -> String? {
    switch place {
    case .property(let name):
      // Tables often have properties in a column of texts, which exports write in quotes.
      if case .string? = members["properties"] { return "properties as a text" }
      let part = "/properties/" + name.text.replacingBytes(of: ".", with: "/")
      if let known = [JSONPointer.member(name.text, of: ""), part].first(where: has) { return known }
      let names = ["properties", "attributes"].flatMap { container -> [String] in
        if case .object(let object)? = members[container] { object.members.map(\.name) } else { [] }
      }
      return Diagnostic.nearest(to: name.text, among: names, within: 2)
    case .pointer(let pointer):
      let part = "/properties" + pointer.description
      guard has(part) else { return nil }
      return place.memberOfEvent.map { PropertyReference.text(ofKey: $0) } ?? part
    case .textsWithin: return nil
    }
  }

  /// Returns whether a pointer leads to a value.
  private func has(_ pointer: String) -> Bool { JSONPointer(parsing: pointer).flatMap { value(at: $0) } != nil }

  /// Puts a value where a reference looks for it.
  ///
  /// Elements of lists are replaced. Objects on the way are made where they are missing, in place of other values.
  package mutating func set(_ value: EventValue, at place: PropertyReference) {
    switch place {
    case .property(let name): set(value, at: [("properties", nil), (name.text, nil)])
    case .pointer(let pointer):
      let steps = pointer.steps.map { (name: String(decoding: $0.name, as: UTF8.self), position: $0.position) }
      if !steps.isEmpty { set(value, at: steps) }
    case .textsWithin: break
    }
  }

  private mutating func set(_ value: EventValue, at steps: [(name: String, position: Int?)]) {
    // From the root down, each object or list is taken out of the one around it, so that it is not copied when it is changed.
    var around: [EventValue] = []
    var container = EventValue.object(members)
    members = EventObject()
    for step in steps.dropLast() {
      let inner = container.replaceValue(named: step.name, at: step.position, with: .null)
      around.append(container)
      container = inner ?? .null
    }
    var value = value
    for step in steps.reversed() {
      _ = container.replaceValue(named: step.name, at: step.position, with: value)
      value = container
      container = around.popLast() ?? .null
    }
    if case .object(let object) = value { members = object }
  }
}

extension EventValue {
  /// Replaces the element of a list or the member of an object that a step of a pointer leads to, and returns the old value. Other
  /// values become an object.
  fileprivate mutating func replaceValue(named name: String, at position: Int?, with value: EventValue) -> EventValue? {
    if case .list(var elements) = self, let position, position < elements.count {
      self = .null
      let old = elements[position]
      elements[position] = value
      self = .list(elements)
      return old
    }
    var object = EventObject()
    if case .object(let own) = self { object = own }
    self = .null
    let old = object[name]
    object[name] = value
    self = .object(object)
    return old
  }
}
