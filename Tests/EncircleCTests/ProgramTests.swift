#if os(Linux)
  import EncircleRuleFiles
  import EncircleRules
  import EncircleTestSupport
  import Foundation
  import Testing

  /// A program in C with the address sanitizer, linked to the library.
  @Suite struct ProgramTests {
    static let rules = """
      {"version": 1, "rules": [
        {"id": "click", "emit": "Click", "include": {"event": "$AppClick"}},
        {"id": "yes", "include": {"where": {"p": "yes"}}},
        {"id": "not", "exclude": {"where": {"p": "no"}}}
      ]}

      """

    @Test(
      "a program in C that uses every function, with right and with wrong arguments, fails nowhere and leaks nothing")
    func everyFunction() throws {
      let library = try #require(BuiltTool.products)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-c-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let source = folder.appendingPathComponent("rules.json")
      try Data(Self.rules.utf8).write(to: source)
      let compiled = folder.appendingPathComponent("compiled.rules")
      let bytes = try Matcher(try RuleFiles(text: Self.rules).ruleSet()).compiled()
      try Data(bytes).write(to: compiled)
      let compressed = folder.appendingPathComponent("compiled.rules.gz")
      try Data(gzip(bytes)).write(to: compressed)
      let program = folder.appendingPathComponent("program").path
      let root = PackageFolder.root.path
      let built = try run([
        "clang", "-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=address", "-fuse-ld=lld",
        "-I\(root)/Sources/CEncircle",
        "\(root)/Tests/EncircleCTests/Program/every_function.c", "-L\(library.path)", "-lEncircleShared",
        "-Wl,-rpath,\(library.path)", "-o", program,
      ])
      try #require(built.status == 0, "\(built.output)")
      let result = try run([program, source.path, compiled.path, compressed.path])
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("every function does what encircle.h says"))
    }

    private func run(_ words: [String]) throws -> (status: Int32, output: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
  }
#endif
