import Foundation

/// The result of a run of the tool.
public struct ToolResult {
  public var status: Int32
  public var output: [UInt8]
  public var errors: String

  public init(status: Int32, output: [UInt8], errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  public var text: String { String(decoding: output, as: UTF8.self) }
  public var lines: [Substring] { text.split(separator: "\n") }
}

/// Runs of the `encircle` that was built together with these tests.
public enum Tool {
  public static let executable = BuiltTool.url

  private struct NotBuilt: Error, CustomStringConvertible {
    var description: String { "the tool has not been built" }
  }

  /// Runs the tool in a folder, with `input` as its standard input.
  public static func run(
    _ arguments: [String], in folder: URL = PackageFolder.viewTrees, input: [UInt8] = []
  ) throws -> ToolResult {
    guard let executable else { throw NotBuilt() }
    return try run(executable, arguments, in: folder, input: input)
  }

  /// Runs the tool with a pipe as its standard output whose reader has ended already.
  public static func run(intoClosedPipe arguments: [String], in folder: URL) throws -> ToolResult {
    guard let executable else { throw NotBuilt() }
    // The first descriptor has both ends, because opening one end alone would wait for the other.
    let script = "mkfifo pipe; exec 3<>pipe; exec 4>pipe; exec 3<&-; rm pipe; exec \"$0\" \"$@\" >&4 4>&-"
    return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, executable.path] + arguments, in: folder)
  }

  /// Runs any program.
  public static func run(
    _ executable: URL, _ arguments: [String], in folder: URL, input: [UInt8] = []
  ) throws -> ToolResult {
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
    process.waitForEnd()
    return ToolResult(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try PackageFolder.bytes(output), errors: String(decoding: try PackageFolder.bytes(errors), as: UTF8.self))
  }
}
