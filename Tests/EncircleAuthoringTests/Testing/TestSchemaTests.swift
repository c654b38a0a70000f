import EncircleRuleFiles
import EncircleAuthoring
import EncircleSessions
import EncircleTestSupport
import Foundation
import Testing

/// The JSON Schemas that editors use for completion and explanations.
@Suite struct TestSchemaTests {
  private static func schema(_ name: String) throws -> [String: Any] {
    let file = PackageFolder.root.appendingPathComponent("docs/\(name)")
    return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
  }

  @Test(
    "the schema of tests has exactly the keys that the reader knows",
    arguments: [
      ([], RuleTestKeys.file), (["definitions", "test"], RuleTestKeys.test),
      (["definitions", "expectation"], RuleTestKeys.expectation),
    ] as [([String], [String])])
  func keys(place: [String], known: [String]) throws {
    var value = try Self.schema("rule-tests.schema.json")
    for name in place { value = try #require(value[name] as? [String: Any]) }
    let properties = try #require(value["properties"] as? [String: Any])
    #expect(properties.keys.sorted() == known.sorted())
    #expect(value["additionalProperties"] as? Bool == false)
  }

  @Test("the schema of coverage has exactly the keys that the reader knows")
  func coverageKeys() throws {
    let schema = try Self.schema("coverage.schema.json")
    let item = (schema["definitions"] as? [String: Any])?["item"] as? [String: Any]
    for (value, known) in [(schema, CoverageKeys.file), (try #require(item), CoverageKeys.item)] {
      let properties = try #require(value["properties"] as? [String: Any])
      #expect(properties.keys.sorted() == known.sorted())
      #expect(value["additionalProperties"] as? Bool == false)
    }
  }

  @Test("the schema of plans has exactly the keys and words that the reader knows")
  func planKeys() throws {
    let schema = try Self.schema("plan.schema.json")
    let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
    func properties(_ value: [String: Any]?) -> [String: [String: Any]] {
      value?["properties"] as? [String: [String: Any]] ?? [:]
    }
    for (value, known) in [
      (schema, PlanKeys.file), (definitions["event"] ?? [:], PlanKeys.event),
      (definitions["property"] ?? [:], PlanKeys.property),
    ] {
      #expect(properties(value).keys.sorted() == known.sorted())
      #expect(value["additionalProperties"] as? Bool == false)
    }
    func words(_ value: [String: Any]?) -> [String]? { value?["enum"] as? [String] }
    #expect(words(definitions["platform"]) == PlannedEvent.Platform.allCases.map(\.rawValue))
    let event = properties(definitions["event"])
    #expect(words(event["tracking"]) == PlannedEvent.Tracking.allCases.map(\.rawValue))
    #expect(words(event["status"]) == PlannedEvent.Status.allCases.map(\.rawValue))
    let type = properties(definitions["property"])["type"]
    #expect(words(type) == PlannedProperty.ValueType.allCases.map(\.rawValue))
  }

  @Test("the schema of imports has exactly the existing results, codes and changes")
  func importWords() throws {
    let definitions = try #require(try Self.schema("import.schema.json")["definitions"] as? [String: [String: Any]])
    func words(_ definition: String, _ property: String? = nil) -> [String]? {
      guard let property else { return definitions[definition]?["enum"] as? [String] }
      let properties = definitions[definition]?["properties"] as? [String: [String: Any]]
      return properties?[property]?["enum"] as? [String]
    }
    #expect(words("result") == ImportGrade.allCases.map(\.rawValue))
    #expect(words("form") == ImportedForm.Kind.allCases.map(\.rawValue))
    #expect(words("reason", "code") == ImportReason.Code.allCases.map(\.rawValue))
    #expect(words("definition", "tool") == ImportTool.allCases.map(\.rawValue))
    let changes = ImportMerge.Change.allCases.filter { $0 != .vanished }.map(\.rawValue)
    #expect(words("definition", "change") == changes)
  }

  @Test("the schema of tests has exactly the SDKs with a model")
  func sdks() throws {
    let definitions = try #require(try Self.schema("rule-tests.schema.json")["definitions"] as? [String: Any])
    let test = try #require((definitions["test"] as? [String: Any])?["properties"] as? [String: Any])
    let names = try #require((test["sdk"] as? [String: Any])?["enum"] as? [String])
    #expect(names == SessionSDK.allCases.map(\.rawValue))
  }

  @Test(
    "every key of every schema has a text that editors show",
    arguments: [
      "rules.schema.json", "rule-tests.schema.json", "coverage.schema.json", "plan.schema.json", "import.schema.json",
      "export.schema.json",
    ])
  func descriptions(name: String) throws {
    let root = try Self.schema(name)
    func resolved(_ value: Any?) throws -> [String: Any] {
      var value = try #require(value as? [String: Any])
      // Keywords beside a reference are ignored.
      while let reference = value["$ref"] as? String {
        var target: Any? = root
        for name in reference.split(separator: "/").dropFirst() {
          let name = String(name).replacing("~1", with: "/").replacing("~0", with: "~")
          target = (target as? [String: Any])?[name]
        }
        value = try #require(target as? [String: Any], "\(reference)")
      }
      return value
    }
    var count = 0
    func walk(_ value: Any, _ place: String) throws {
      if let list = value as? [Any] { for (i, item) in list.enumerated() { try walk(item, "\(place)/\(i)") } }
      guard let object = value as? [String: Any] else { return }
      for (key, property) in object["properties"] as? [String: Any] ?? [:] {
        let text = try resolved(property)["description"] as? String
        #expect(text.map { $0.utf8.count > 8 } ?? false, "\(place)/properties/\(key) has no description")
        count += 1
      }
      // A condition has no description.
      for (key, item) in object where !["examples", "default", "enum", "const", "if", "not"].contains(key) {
        // The keys of these are names, and one may be a keyword.
        if ["properties", "patternProperties", "definitions"].contains(key), let named = item as? [String: Any] {
          for (name, schema) in named { try walk(schema, "\(place)/\(key)/\(name)") }
        } else {
          try walk(item, "\(place)/\(key)")
        }
      }
    }
    try walk(root, "#")
    #expect(count >= 15)
  }

  @Test("the shipped rules and tests name an existing schema", arguments: shipped)
  func modelines(file: URL) throws {
    let text = String(decoding: try PackageFolder.bytes(file), as: UTF8.self)
    let line = text.split(separator: "\n").first.map(String.init)
    let kinds = [".test.yaml": "rule-tests", ".plan.yaml": "plan"]
    let kind = kinds.first { file.lastPathComponent.hasSuffix($0.key) }?.value ?? "rules"
    #expect(line == "# yaml-language-server: $schema=../docs/\(kind).schema.json")
  }

  private static let shipped: [URL] = {
    let folder = PackageFolder.root.appendingPathComponent("Rules")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appendingPathComponent($0) }
  }()
}
