import EncircleEvents
import EncircleText

/// A value in a file of definitions, with its place.
struct DefinitionNode {
  let value: EventValue
  /// The JSON Pointer of the value.
  let pointer: String
  /// This is true if the value is a list that was made from a single definition, which is the whole file.
  private let isOnlyOne: Bool

  init(_ value: EventValue, pointer: String = "", isOnlyOne: Bool = false) {
    self.value = value
    self.pointer = pointer
    self.isOnlyOne = isOnlyOne
  }

  /// The member with the name; nil if it is missing or null.
  subscript(name: String) -> DefinitionNode? {
    guard case .object(let object) = value, let member = object[name], member != .null else { return nil }
    return DefinitionNode(member, pointer: JSONPointer.member(name, of: pointer))
  }

  var isList: Bool { if case .list = value { true } else { false } }
  var isObject: Bool { if case .object = value { true } else { false } }

  /// The items of a list; empty for any other value.
  var items: [DefinitionNode] {
    guard case .list(let values) = value else { return [] }
    return values.enumerated().map { DefinitionNode($1, pointer: isOnlyOne ? pointer : "\(pointer)/\($0)") }
  }

  /// A text, or nil.
  var text: String? { if case .string(let text) = value { text } else { nil } }

  /// A text that is not empty, or nil.
  var words: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  /// A text, or a number as text; nil if it is neither or empty.
  var label: String? {
    if case .number(let number) = value { return number.description }
    return words
  }

  /// A whole number from 0 on, which may be written as a text.
  var count: Int? { label.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }

  /// This is true if the value is `true` or 1.
  var isTrue: Bool { value == .bool(true) || value == 1 }

  /// Returns the first of these members whose value has a wrong type. Ignoring it would lose a condition.
  ///
  /// - Parameters:
  ///   - texts: Members that must be texts.
  ///   - labels: Members that must be texts or numbers.
  ///   - flags: Members that must be true or false, or 1 or 0.
  func mistyped(texts: [String] = [], labels: [String] = [], flags: [String] = []) -> DefinitionNode? {
    func first(_ names: [String], _ isRight: (EventValue) -> Bool) -> DefinitionNode? {
      names.lazy.compactMap { self[$0] }.first { !isRight($0.value) }
    }
    func isText(_ value: EventValue) -> Bool { if case .string = value { true } else { false } }
    func isNumber(_ value: EventValue) -> Bool { if case .number = value { true } else { false } }
    return first(texts, isText) ?? first(labels) { isText($0) || isNumber($0) }
      ?? first(flags) { [.bool(true), .bool(false), 0, 1].contains($0) }
  }
}
