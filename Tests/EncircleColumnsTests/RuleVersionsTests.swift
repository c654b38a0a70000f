import Testing

@testable import EncircleColumns

/// The versions of rules in a folder, of which each row names one.
@Suite struct RuleVersionsTests {
  @Test("each row is decided by its own version")
  func versions() throws {
    let other = "version: 1\nrules:\n  - { id: everything, include: { event: x } }\n"
    let folder = try VersionsFolder(["v1": VersionsFolder.rules, "v2": other, "v3": other, "v4": other])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event)]
    let versions = ["v1", "v2", "v3", "v4", "v1", "v2", "v2", "v9", "v1"]
    let rows = versions.map { TestRow(version: $0, values: ["x"]) }
    var transformer = RowTransformer(.rowBinary, columns, rules: folder.url.path, versionCapacity: 2)
    try rows.flatMap { $0.bytes(.rowBinary, columns) }.withUnsafeBufferPointer { try transformer.append($0) }
    let answers = try #require(TestAnswer.read(transformer.output, .rowBinary))
    #expect(answers.map(\.version) == versions)
    #expect(answers.map { $0.rules.count } == [0, 1, 1, 1, 0, 1, 1, 0, 0])
    #expect(answers[7].error == "rules_version v9: there is no file \(folder.url.path)/v9.rules")
  }

  @Test(
    "the name of a version cannot leave the folder",
    arguments: ["", "..", "../v1", "/etc/passwd", "a/b", "v1\0", ".v1", String(repeating: "v", count: 129)])
  func names(version: String) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let answers = try folder.answers(
      .rowBinary, [.event], TestRow(version: version, values: ["{}"]).bytes(.rowBinary, [.event]))
    #expect(
      answers.map(\.error) == [
        "rules_version: expected a name of letters, digits, '.', '_', '-' and '@', of at most 128 bytes"
      ])
  }

  @Test("a version may have the name that the service gives it")
  func nameOfService() throws {
    let folder = try VersionsFolder(["default@3": VersionsFolder.rules])
    defer { folder.remove() }
    let answers = try folder.answers(
      .rowBinary, [.event], TestRow(version: "default@3", values: ["{}"]).bytes(.rowBinary, [.event]))
    #expect(answers == [TestAnswer(version: "default@3")])
  }

  @Test("a half-written file is an error, is found once complete, and does not change from then on")
  func replacement() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let whole = try VersionsFolder.compiled(VersionsFolder.rules)
    let versions = RuleVersions(folder: folder.url.path, columns: [.event], capacity: 2, retryInterval: .zero)
    func problem() -> String? {
      Array("v2".utf8).withUnsafeBufferPointer { name in
        if case .failure(let problem) = versions.decider(of: name) { problem.message } else { nil }
      }
    }
    #expect(problem() == "rules_version v2: there is no file \(folder.url.path)/v2.rules")
    for part in [[], Array("rules: []\n".utf8), Array(whole.prefix(whole.count / 2))] {
      try folder.write("v2", part)
      #expect(problem()?.hasPrefix("rules_version v2: \(folder.url.path)/v2.rules: ") == true)
    }
    try folder.write("v2", whole)
    #expect(problem() == nil)
    try folder.write("v2", Array("nothing".utf8))
    #expect(problem() == nil)
  }
}
