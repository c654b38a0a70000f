import EncircleTestSupport
import Foundation
import Testing

/// Input of earlier versions is read, decided and answered alike: the promises of `docs/compatibility.md`.
@Suite struct CompatibilityTests {
  @Test("each promise has recorded answers of earlier versions")
  func isThere() {
    #expect(EarlierVersion.all.count >= 2)
    let promises = Set(EarlierVersion.all.flatMap(\.commands).map(\.promise))
    #expect(
      promises == ["identities", "csv", "rule files", "decisions", "json", "codes", "exit status", "anchors"])
  }

  @Test("a command answers as in an earlier version", arguments: EarlierVersion.all.flatMap(\.commands))
  func command(_ command: EarlierVersion.Command) throws {
    let result = try Tool.run(command.arguments, in: command.version.folder)
    let announced = command.version.announced(for: command.name)
    if announced.isEmpty {
      #expect(result.status == command.status, "\(command.arguments.joined(separator: " ")): \(result.errors)")
    }
    guard command.comparison != "none" else { return }
    let old = try command.version.text("answers/\(command.name)")
    let breaches =
      switch command.comparison {
      case "ndjson": JSONPromise.breaches(of: try JSONPromise.lines(old), by: try JSONPromise.lines(result.text))
      case "json": JSONPromise.breaches(of: try Self.json(old), by: try Self.json(result.text))
      default: Self.breaches(ofTable: old, by: result.text)
      }
    let unexpected = breaches.filter { breach in !announced.contains { breach.hasPrefix($0) } }
    #expect(unexpected.isEmpty, "\(unexpected.prefix(10).joined(separator: "\n"))")
    for place in announced {
      #expect(breaches.contains { $0.hasPrefix(place) }, "\(place) is as it was: take it out of announced.txt")
    }
  }

  @Test(
    "compiled rules of another version decide alike, or are an error that says what to do",
    arguments: EarlierVersion.all)
  func compiled(version: EarlierVersion) throws {
    let result = try Tool.run(["match", "--rules", "rules.compiled", "rules/events/shop.ndjson"], in: version.folder)
    if result.status == 0 {
      let written = try Tool.run(["match", "--rules", "rules", "rules/events/shop.ndjson"], in: version.folder)
      #expect(written.output == result.output && !result.output.isEmpty)
    } else {
      #expect(result.status == 65 && result.output.isEmpty)
      #expect(result.errors.contains("compile the rules again"), "\(result.errors)")
    }
  }

  @Test(
    "a dictionary of an earlier version is read, or the message says how to rebuild it", arguments: EarlierVersion.all
  )
  func dictionary(version: EarlierVersion) throws {
    let result = try Tool.run(
      ["lookup", "--dictionary", "captures.dictionary", "--format", "json", "19fcd72be0e5"], in: version.folder)
    if result.status == 0 {
      #expect(result.text.contains("HomeViewController"))
    } else {
      #expect(result.status == 65 && result.errors.contains("encircle index"), "\(result.errors)")
    }
  }

  @Test("functions of the C ABI stay as they are", arguments: EarlierVersion.all)
  func header(version: EarlierVersion) throws {
    guard let old = try? version.text("encircle.h") else { return }
    let new = String(
      decoding: try PackageFolder.bytes(PackageFolder.root.appendingPathComponent("Sources/CEncircle/encircle.h")),
      as: UTF8.self)
    let declarations = Self.declarations(old)
    #expect(declarations.count > 10)
    #expect(declarations.subtracting(Self.declarations(new)).isEmpty)
  }

  @Test("a breach of the promise is found")
  func wrong() throws {
    let old = try Self.json(#"{"a": 1, "b": [{"c": "x", "message": "old"}], "d": null}"#)
    func breaches(_ new: String) throws -> [String] { JSONPromise.breaches(of: old, by: try Self.json(new)) }
    #expect(try breaches(#"{"e": 5, "a": 1, "b": [{"f": 1, "c": "x", "message": "new"}], "d": null}"#).isEmpty)
    #expect(try breaches(#"{"a": 1, "b": [{"c": "x"}], "d": null}"#) == ["/b/0/message: is missing"])
    #expect(try breaches(#"{"a": "1", "b": [], "d": null}"#) == ["/a: 1 is now 1", "/b/: 1 items were there, now 0"])
    #expect(try breaches(#"{"a": 1, "b": {}, "d": 0}"#).count == 2)
    #expect(Self.breaches(ofTable: "a,b\n1,2\n", by: "a,b,c\n1,2,3\n").isEmpty)
    #expect(Self.breaches(ofTable: "a,b\n1,2\n", by: "b,a\n2,1\n").count == 2)
    #expect(Self.declarations("int encircle_a(int,\n  char);\nstatic x;") == ["int encircle_a(int, char);"])
  }

  private static func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  /// The lines of a table that no longer begin as they did: columns may come at the end.
  private static func breaches(ofTable old: String, by new: String) -> [String] {
    let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
    let length = old.count == new.count ? [] : ["\(old.count) lines were there, now \(new.count)"]
    return length + zip(old, new).filter { $0 != $1 && !$1.hasPrefix($0 + ",") }.map { "\($0) is now \($1)" }
  }

  /// The declarations of functions, each on one line with single spaces.
  private static func declarations(_ header: String) -> Set<String> {
    let code = header.replacing(#/(?s)/\*.*?\*//#, with: "").split(separator: "\n").filter { !$0.hasPrefix("#") }
    let statements = code.joined(separator: " ").split(separator: ";").map { statement in
      statement.split(separator: " ").joined(separator: " ") + ";"
    }
    return Set(statements.filter { $0.contains("encircle_") && $0.contains("(") })
  }
}
