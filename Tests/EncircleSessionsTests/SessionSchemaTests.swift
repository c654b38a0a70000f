import EncircleEvents
import EncircleSessions
import EncircleTestSupport
import Foundation
import Testing

/// The JSON Schema of sessions says what the parser does.
@Suite struct SessionSchemaTests {
  private static func schema() throws -> SchemaValidator {
    let bytes = try PackageFolder.bytes(PackageFolder.root.appending(path: "docs/session.schema.json"))
    guard case .object(let root) = try EventValue(json: bytes) else { throw CocoaError(.coderReadCorrupt) }
    return SchemaValidator(root: root)
  }

  /// Returns the definitions of signals by their actions.
  private static func actions(_ schema: SchemaValidator) throws -> [(name: String, definition: EventObject)] {
    let definitions = try schema.object(schema.root["definitions"])
    return try schema.object(definitions["actions"]).members.map { ($0.name, try schema.object($0.value)) }
  }

  private static let folders = [
    PackageFolder.viewTrees.appending(path: "sessions"), PackageFolder.shared?.appending(path: "sessions"),
  ].compactMap { $0 }

  @Test("All sessions are valid and have only members of the schema")
  func sessionsAreValid() throws {
    let schema = try Self.schema()
    let definitions = try schema.object(schema.root["definitions"])
    var members = Dictionary(
      uniqueKeysWithValues: try Self.actions(schema).map { name, definition in
        (name, Set(try schema.object(definition["properties"]).members.map(\.name) + ["time", "uptime", "sameTurn"]))
      })
    let config = try schema.object(schema.object(definitions["config"])["properties"])
    members["config"] = Set(config.members.map(\.name))
    var lines = 0
    for session in Self.folders.flatMap({ SessionFiles.all(in: $0, suffix: "") }) {
      for (i, line) in try Data(contentsOf: URL(filePath: session.path)).split(separator: 0x0A).enumerated() {
        let value = try EventValue(json: line)
        #expect(try schema.accepts(value), "\(session.name):\(i + 1)")
        let object = try schema.object(value)
        let known = members[try schema.text(object["action"])] ?? []
        #expect(object.members.allSatisfy { known.contains($0.name) }, "\(session.name):\(i + 1)")
        lines += 1
      }
    }
    #expect(lines > 200)
  }

  @Test("The schema has the actions that the parser knows, and no others")
  func actionsAgree() throws {
    let schema = try Self.schema()
    let named = try Self.actions(schema).map(\.name) + ["config"]
    #expect(named.sorted() == Signal.actionNames.sorted())
    // Each is also among the alternatives.
    let definitions = try schema.object(schema.root["definitions"])
    let alternatives = try schema.list(schema.object(definitions["action"])["anyOf"]).map { alternative in
      try schema.text(schema.object(alternative)["$ref"])
    }
    #expect(alternatives.sorted() == (try Self.actions(schema).map { "#/definitions/actions/\($0.name)" }.sorted()))
  }

  @Test("The parser takes the examples of every member, and refuses other types of it")
  func membersAgree() throws {
    let schema = try Self.schema()
    var count = 0
    for (number, (name, definition)) in try Self.actions(schema).enumerated() {
      let properties = try schema.object(definition["properties"]).members.filter { $0.name != "action" }
      var full: EventObject = ["time": 1, "uptime": 1, "action": .string(name)]
      for property in properties {
        full[property.name] = try Self.example(of: property.value, named: property.name, schema)
      }
      #expect(try schema.accepts(.object(full)), "\(name)")
      #expect(Self.problem(full) == nil, "\(name)")
      for property in TestSize.part(properties, of: number) {
        var wrong = full
        wrong[property.name] = .list([.list([])])
        #expect(Self.problem(wrong) != nil, "\(name).\(property.name)")
        #expect(try !schema.accepts(.object(wrong)), "\(name).\(property.name)")
        count += 1
      }
    }
    #expect(count > (TestSize.isFull ? 150 : 50))
  }

  @Test("The reader takes the examples of the configuration, and refuses other types of them")
  func configurationAgrees() throws {
    let schema = try Self.schema()
    let config = try schema.object(schema.object(schema.root["definitions"])["config"])
    let properties = try schema.object(config["properties"]).members.filter { $0.name != "action" }
    #expect(properties.count > 15)
    for property in properties {
      let example = try Self.example(of: property.value, named: property.name, schema)
      for (value, isValid) in [(example, true), (EventValue.list([.list([])]), false)] {
        let line = EventValue.object(["action": "config", property.name: value])
        #expect(try schema.accepts(line) == isValid, "\(property.name)")
        #expect(((try? SessionReader(line.json)) != nil) == isValid, "\(property.name)")
      }
    }
  }

  @Test("Every member has a text that editors show")
  func descriptions() throws {
    let schema = try Self.schema()
    for (name, definition) in try Self.actions(schema) {
      for property in try schema.object(definition["properties"]).members {
        let text = try Self.definition(property.value, schema)["description"]
        #expect(try schema.text(text).utf8.count > 5, "\(name).\(property.name)")
      }
    }
  }

  @Test(
    "Sessions refused by the parser are invalid in the schema, too",
    arguments: [
      #"{"action":"track","event":"E"}"#, #"{"time":1,"uptime":1}"#, #"{"time":1,"uptime":1,"action":"tarck"}"#,
      #"{"time":1,"uptime":1,"action":"tap"}"#, #"{"time":1,"uptime":1,"action":"tap","capture":"a.xml"}"#,
      #"{"time":1,"uptime":1,"action":"tap","view":"a","element":1}"#,
      #"{"time":1,"uptime":1,"action":"tap","view":"a","effect":[{"action":"kill"}]}"#,
      #"{"time":1,"uptime":1,"action":"select","view":"a"}"#, #"{"time":1,"uptime":1,"action":"receiver","status":99}"#,
      #"{"time":1,"uptime":1,"action":"gesture","view":"a","recognizer":"R"}"#,
    ])
  func refusals(line: String) throws {
    #expect(try !Self.schema().accepts(EventValue(json: line.utf8)))
    let bytes = Array("{\"action\":\"config\"}\n\(line)".utf8)
    #expect(throws: SessionError.self) {
      let reader = try SessionReader(bytes)
      while try reader.next() != nil {}
    }
  }

  /// Returns the error that the parser has for a signal; nil if it takes it.
  private static func problem(_ signal: EventObject) -> String? {
    do throws(SessionError) {
      let reader = try SessionReader(Array("{\"action\":\"config\"}\n".utf8) + EventValue.object(signal).json)
      while try reader.next() != nil {}
      return nil
    } catch {
      return error.description
    }
  }

  private static func definition(_ value: EventValue, _ schema: SchemaValidator) throws -> EventObject {
    let object = try schema.object(value)
    return try object["$ref"].map { try schema.object(schema.resolved($0)) } ?? object
  }

  private static func example(
    of value: EventValue, named name: String, _ schema: SchemaValidator
  ) throws -> EventValue {
    if name == "capture" { return .string(PackageFolder.viewTrees.appending(path: "home-feed.xml").path) }
    let definition = try definition(value, schema)
    if let values = definition["enum"] { return try schema.list(values)[0] }
    if definition["type"] == "boolean" { return true }
    guard let examples = definition["examples"] else {
      #expect(definition["type"] == "string", "\(name) has no example")
      return "x"
    }
    return try #require(try schema.list(examples).first)
  }
}
