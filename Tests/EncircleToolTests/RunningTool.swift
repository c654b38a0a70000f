import EncircleTestSupport
import Foundation
import Testing

/// A running tool, with a pipe to its standard input.
///
/// Other tests start processes at the same time, which may inherit the ends of the pipe. So nothing here waits for the
/// end of a pipe: what the tool writes goes to files, and it is ended by a signal.
struct RunningTool {
  private let process = Process()
  private let input = Pipe()
  private let output: URL
  private let errors: URL

  init(_ arguments: [String], in folder: URL) throws {
    output = folder.appendingPathComponent("stdout")
    errors = folder.appendingPathComponent("stderr")
    for file in [output, errors] { try Data().write(to: file) }
    process.executableURL = Tool.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Returns the output as soon as it has a number of lines, or when the tool ends or minutes have passed.
  func lines(_ count: Int) async throws -> [Substring] {
    for _ in 0..<30_000 {
      let bytes = try PackageFolder.bytes(output)
      if bytes.count(where: { $0 == 0x0A }) >= count || !process.isRunning { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    return String(decoding: try PackageFolder.bytes(output), as: UTF8.self).split(separator: "\n")
  }

  /// Sends a signal, once or several times in quick succession, and waits for the end.
  func end(_ signal: Int32, times: Int = 1) throws -> ToolResult {
    let number = process.processIdentifier
    try #require(number > 0 && process.isRunning, "the tool has ended by itself")
    for _ in 1..<times {
      kill(number, signal)
      // Signals that are pending at once would arrive as one.
      usleep(500)
    }
    kill(number, signal)
    process.waitForEnd()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return ToolResult(
      status: status, output: try PackageFolder.bytes(output),
      errors: String(decoding: try PackageFolder.bytes(errors), as: UTF8.self))
  }
}
