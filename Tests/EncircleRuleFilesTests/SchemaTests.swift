import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

enum RuleSchema {
  /// The JSON Schema of rule files, by which editors complete them; nil where there is none.
  static let file: URL? = {
    let file = PackageFolder.root.appendingPathComponent("docs/rules.schema.json")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }()
}

@Suite(.enabled(if: RuleSchema.file != nil, "there is no docs/rules.schema.json yet"))
struct SchemaTests {
  @Test(
    "the schema has the keys that the loader knows",
    arguments: [
      (["properties"], RuleFileKeys.file),
      (["definitions", "rule", "properties"], RuleFileKeys.rule),
      (["definitions", "clause", "properties"], RuleFileKeys.clause),
      (["definitions", "test", "properties"], RuleFileKeys.test),
      (["definitions", "pageTest", "properties"], RuleFileKeys.pageTest),
      (["properties", "pages", "properties"], RuleFileKeys.pages),
      (["properties", "fields", "properties"], RuleFileKeys.fields),
      (["definitions", "givenProperty", "anyOf", "1", "properties"], RuleFileKeys.property),
      (["definitions", "checks", "properties"], RuleFileKeys.checks),
      (["definitions", "nameTest", "properties"], RuleFileKeys.nameTest),
      (["definitions", "window", "properties"], RuleFileKeys.window),
      (["definitions", "rule", "properties", "origin", "properties"], RuleFileKeys.origin),
      (["definitions", "clause", "properties", "within", "properties"], RuleFileKeys.within),
      (["definitions", "saysTest", "properties"], RuleFileKeys.saysTest),
      (["definitions", "excludedPage", "properties"], RuleFileKeys.excludedPage),
      (["properties", "define", "properties"], RuleFileKeys.define),
    ])
  func keys(place: [String], known: [String]) throws {
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: try #require(RuleSchema.file)))
    var value = try #require(schema as? [String: Any])
    var list: [Any] = []
    for name in place {
      if let number = Int(name) {
        value = try #require(list[number] as? [String: Any])
      } else if let next = value[name] as? [Any] {
        list = next
      } else {
        value = try #require(value[name] as? [String: Any], "#/\(place.joined(separator: "/"))")
      }
    }
    #expect(value.keys.sorted() == known.sorted(), "#/\(place.joined(separator: "/"))")
  }

  @Test("the schema refuses keys unknown to the loader")
  func closed() throws {
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: try #require(RuleSchema.file)))
    let root = try #require(schema as? [String: Any])
    let definitions = try #require(root["definitions"] as? [String: [String: Any]])
    for object in [root] + ["rule", "clause", "test", "pageTest", "nameTest", "window"].compactMap({ definitions[$0] })
    {
      #expect(object["additionalProperties"] as? Bool == false)
    }
  }
}
