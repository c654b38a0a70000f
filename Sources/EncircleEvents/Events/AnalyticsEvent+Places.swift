import EncircleText

extension AnalyticsEvent {
  /// Puts a value where a reference looks for it.
  ///
  /// Objects on the way are made where they are missing, in place of other values.
  package mutating func set(_ value: EventValue, at place: PropertyReference) {
    switch place {
    case .property(let name): set(value, at: ["properties", name.text])
    case .pointer(let pointer):
      let names = pointer.steps.map { String(decoding: $0.name, as: UTF8.self) }
      if !names.isEmpty { set(value, at: names) }
    }
  }

  private mutating func set(_ value: EventValue, at names: [String]) {
    // From the root down what is there, and back up with the value in it.
    var objects = [members]
    for name in names.dropLast() {
      if case .object(let object)? = objects[objects.count - 1][name] {
        objects.append(object)
      } else {
        objects.append(EventObject())
      }
    }
    var value = value
    for (name, object) in zip(names, objects).reversed() {
      var object = object
      object[name] = value
      value = .object(object)
    }
    if case .object(let object) = value { members = object }
  }
}
