import EncircleTestSupport
import Foundation
import Testing

/// A run of the tool to its end.
struct ToolRun {
  var status: Int32
  var output: String
  var errors: String

  init(_ arguments: [String]) throws {
    let tool = try #require(BuiltTool.url, "the tool has not been built")
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Neither is longer than what a pipe holds.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
