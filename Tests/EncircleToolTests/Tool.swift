import EncircleTestSupport
import Foundation
import Testing

/// The result of a run of the tool.
struct ToolResult {
  var status: Int32
  var output: [UInt8]
  var errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
  var lines: [Substring] { text.split(separator: "\n") }
}

/// Runs of the `encircle` that was built together with these tests.
enum Tool {
  static let executable = BuiltTool.url

  /// Runs the tool in a folder, with `input` as its standard input.
  static func run(
    _ arguments: [String], in folder: URL = PackageFolder.viewTrees, input: [UInt8] = []
  ) throws -> ToolResult {
    let executable = try #require(Self.executable, "the tool has not been built")
    return try run(executable, arguments, in: folder, input: input)
  }

  /// Runs the tool with a pipe as its standard output whose reader has ended already.
  static func run(intoClosedPipe arguments: [String], in folder: URL) throws -> ToolResult {
    let executable = try #require(Self.executable, "the tool has not been built")
    // The first descriptor has both ends, because opening one end alone would wait for the other.
    let script = "mkfifo pipe; exec 3<>pipe; exec 4>pipe; exec 3<&-; rm pipe; exec \"$0\" \"$@\" >&4 4>&-"
    return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, executable.path] + arguments, in: folder)
  }

  /// Runs any program.
  static func run(_ executable: URL, _ arguments: [String], in folder: URL, input: [UInt8] = []) throws -> ToolResult {
    // Files rather than pipes, which would have to be emptied while the program runs.
    let scratch = try TemporaryFolder()
    defer { scratch.remove() }
    let input = try scratch.write("in", input)
    let output = try scratch.write("out", [])
    let errors = try scratch.write("err", [])
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return ToolResult(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try PackageFolder.bytes(output), errors: String(decoding: try PackageFolder.bytes(errors), as: UTF8.self))
  }
}

/// A folder for one test.
struct TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }

  func text(_ name: String) throws -> String {
    String(decoding: try PackageFolder.bytes(url.appendingPathComponent(name)), as: UTF8.self)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
