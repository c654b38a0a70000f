import EncircleEvents
import Testing

/// Checks values against a JSON Schema (draft 7), with the keywords that the schema of sessions has.
struct SchemaValidator {
  let root: EventObject

  // What says nothing about validity.
  private static let annotations: Set<String> = ["$schema", "title", "description", "examples", "definitions"]

  /// Returns whether a value is valid.
  func accepts(_ value: EventValue) throws -> Bool { try accepts(value, .object(root)) }

  private func accepts(_ value: EventValue, _ schema: EventValue) throws -> Bool {
    guard case .object(let schema) = schema else {
      Issue.record("a schema is an object")
      return false
    }
    for keyword in schema.members {
      if try !accepts(value, keyword.name, keyword.value) { return false }
    }
    return true
  }

  private func accepts(_ value: EventValue, _ keyword: String, _ wanted: EventValue) throws -> Bool {
    switch keyword {
    case "$ref": return try accepts(value, try resolved(wanted))
    case "allOf": return try list(wanted).allSatisfy { try accepts(value, $0) }
    case "anyOf": return try list(wanted).contains { try accepts(value, $0) }
    case "not": return try !accepts(value, wanted)
    case "const": return value == wanted
    case "enum": return try list(wanted).contains(value)
    case "type": return try hasType(value, wanted)
    case "required", "properties", "dependencies":
      guard case .object(let object) = value else { return true }
      return try accepts(object, keyword, wanted)
    case "items", "minItems", "maxItems":
      guard case .list(let items) = value else { return true }
      if keyword == "items" { return try items.allSatisfy { try accepts($0, wanted) } }
      let count = Double(items.count)
      return try keyword == "minItems" ? count >= number(wanted) : count <= number(wanted)
    case "minimum", "maximum":
      guard case .number = value else { return true }
      return try keyword == "minimum" ? number(value) >= number(wanted) : number(value) <= number(wanted)
    default:
      #expect(Self.annotations.contains(keyword), "the keyword \(keyword) is not known here")
      return true
    }
  }

  private func accepts(_ object: EventObject, _ keyword: String, _ wanted: EventValue) throws -> Bool {
    switch keyword {
    case "required": return try list(wanted).allSatisfy { object[try text($0)] != nil }
    case "properties":
      return try self.object(wanted).members.allSatisfy { member in
        try object[member.name].map { try accepts($0, member.value) } ?? true
      }
    default:
      return try self.object(wanted).members.allSatisfy { member in
        try object[member.name] == nil || list(member.value).allSatisfy { object[try text($0)] != nil }
      }
    }
  }

  /// Returns what a reference such as `#/definitions/view` stands for.
  func resolved(_ reference: EventValue) throws -> EventValue {
    var value = EventValue.object(root)
    for name in try text(reference).split(separator: "/").dropFirst() {
      value = try #require(try object(value)[String(name)], "\(reference)")
    }
    return value
  }

  private func hasType(_ value: EventValue, _ wanted: EventValue) throws -> Bool {
    switch (try text(wanted), value) {
    case ("object", .object), ("array", .list), ("string", .string), ("boolean", .bool), ("number", .number): true
    case ("integer", .number): try number(value).rounded() == number(value)
    default: false
    }
  }

  func object(_ value: EventValue?) throws -> EventObject {
    if case .object(let object)? = value { return object }
    throw SchemaProblem()
  }

  func list(_ value: EventValue?) throws -> [EventValue] {
    if case .list(let list)? = value { return list }
    throw SchemaProblem()
  }

  func text(_ value: EventValue?) throws -> String {
    if case .string(let text)? = value { return text }
    throw SchemaProblem()
  }

  private func number(_ value: EventValue) throws -> Double {
    if case .number(let number) = value { return try #require(Double(number.description)) }
    throw SchemaProblem()
  }

  private struct SchemaProblem: Error {}
}
