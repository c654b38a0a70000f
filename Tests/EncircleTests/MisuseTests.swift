import Encircle
import Foundation
import Testing

/// Programs that would be unsafe do not compile: a decider cannot be used with another matcher than its own.
@Suite("Misuse of the library does not compile", .enabled(if: Compiler.isAvailable, "needs swiftc and a SwiftPM build"))
struct MisuseTests {
  private static let start = """
    import EncircleEvents
    import EncircleRules
    func use(_ a: Matcher, _ b: Matcher, _ event: AnalyticsEvent) {
      var decider = Decider(a)

    """

  @Test("a decider decides by its own matcher")
  func proper() throws {
    #expect(try Compiler.errors(in: Self.start + "  _ = decider.decide(event)\n}") == [])
  }

  @Test(
    "no other matcher can be given to a decider, and none to its state",
    arguments: [
      ("_ = b.decide(event, using: &decider)", "extra argument 'using' in call"),
      ("_ = decider.decide(event, by: b)", "extra argument 'by' in call"),
      ("decider.matcher = b", "cannot assign to property: 'matcher' setter is inaccessible"),
      ("_ = decider.engine", "'engine' is inaccessible due to 'private' protection level"),
      ("_ = EventMatcher(b, cacheLimit: 0)", "cannot find 'EventMatcher' in scope"),
    ])
  func otherMatcher(statement: String, error: String) throws {
    let errors = try Compiler.errors(in: Self.start + "  \(statement)\n  _ = decider.decide(event)\n}")
    #expect(errors.contains { $0.contains(error) }, "\(errors)")
  }

  @Test("a decider cannot be shared: neither copied nor sent to two tasks")
  func sharing() throws {
    let copied = try Compiler.errors(
      in: Self.start + "  var other = decider\n  _ = other.decide(event)\n  _ = decider.decide(event)\n}")
    #expect(copied.contains { $0.contains("'decider' used after consume") }, "\(copied)")
    let sent = try Compiler.errors(
      in: Self.start + "  Task { _ = decider.decide(event) }\n  _ = decider.decide(event)\n}")
    #expect(!sent.isEmpty)
  }
}

#if compiler(>=6.2)
  @Suite("Misuse that compiles is stopped before memory is read")
  struct StoppedMisuseTests {
    @Test("a reader that has returned a rejection, or nothing, has no event to decide")
    func noEvent() async {
      await #expect(processExitsWith: .failure) {
        let matcher = Matcher(RuleSet())
        var decider = Decider(matcher)
        var reader = EventReader(bytes: "{}\nno event\n".utf8, projection: matcher.projection)
        _ = try reader.next()
        _ = decider.decide(eventOf: reader)
        _ = try reader.next()
        _ = decider.decide(eventOf: reader)
        exit(EXIT_SUCCESS)
      }
      await #expect(processExitsWith: .failure) {
        var decider = Decider(Matcher(RuleSet()))
        let reader = EventReader(bytes: "{}\n".utf8)
        _ = decider.selects(eventOf: reader)
        exit(EXIT_SUCCESS)
      }
    }

    @Test("values extracted for another matcher, and numbers without a rule, are refused")
    func otherMatcher() async {
      await #expect(processExitsWith: .failure) {
        var decider = Decider(Matcher(RuleSet()))
        _ = decider.decide(ProjectedEvent(Matcher(RuleSet()).projection))
        exit(EXIT_SUCCESS)
      }
      await #expect(processExitsWith: .failure) {
        _ = Matcher(RuleSet()).ruleID(0)
        exit(EXIT_SUCCESS)
      }
    }
  }
#endif

/// Checks programs against the modules that the tests were built with.
private enum Compiler {
  private static let build: URL? = {
    // The test bundle lies with the modules.
    var folder = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    folder = folder.map { $0.deletingLastPathComponent() }
    return folder.first {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent("Modules/EncircleRules.swiftmodule").path)
    }
  }()

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static var isAvailable: Bool { build != nil && (try? run(["--version"])) != nil }

  static func errors(in program: String) throws -> [String] {
    let build = try #require(build)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString).swift")
    try Data(program.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // Ownership is checked behind type checking, when intermediate code is made.
    var arguments = [
      "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-I", build.path + "/Modules",
    ]
    for module in ["CJSONEvent", "CProcessor", "CRE2"] {
      arguments += ["-Xcc", "-fmodule-map-file=\(build.path)/\(module).build/module.modulemap"]
      arguments += ["-Xcc", "-I\(root.path)/Sources/\(module)/include"]
    }
    for module in ["CZlib", "CLibcrypto"] {
      arguments += ["-Xcc", "-fmodule-map-file=\(root.path)/Sources/\(module)/module.modulemap"]
    }
    let output = try run(arguments + [file.path])
    return output.split(separator: "\n").filter { $0.contains("error: ") }.map { String($0) }
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus != 127 else { throw CocoaError(.fileNoSuchFile) }
    return String(decoding: data, as: UTF8.self)
  }
}
