import EncircleEvents
import EncircleText

extension EventObject {
  /// Appends a member that the object does not have yet.
  mutating func add(_ name: String, _ value: EventValue) { members.append(Member(name: name, value: value)) }

  /// Sets a member in its place, or appends it; nil removes the member.
  mutating func set(_ name: String, _ value: EventValue?) {
    let index = members.firstIndex { sameText($0.name, name) }
    switch (index, value) {
    case (let index?, let value?): members[index].value = value
    case (let index?, nil): members.remove(at: index)
    case (nil, let value?): add(name, value)
    case (nil, nil): break
    }
  }

  /// Sets all members of another object.
  mutating func merge(_ other: EventObject) {
    if members.isEmpty {
      self = other
      return
    }
    for member in other.members { set(member.name, member.value) }
  }

  /// Returns a member if it is a text.
  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { return text }
    return nil
  }

  /// Returns a member as a floating-point number if it is a number.
  func number(_ name: String) -> Double? {
    if case .number(let number)? = self[name] { return Double(number.description) }
    return nil
  }

  /// Returns a member if it is a Boolean.
  func flag(_ name: String) -> Bool? {
    if case .bool(let flag)? = self[name] { return flag }
    return nil
  }
}
