import EncircleTestSupport
import Foundation
import Testing

/// The running tool with a pipe to it and one from it.
struct RunningTool {
  let process = Process()
  let input = Pipe()
  let output = Pipe()
  private let errors: URL

  init(_ arguments: [String], in folder: URL) throws {
    errors = folder.appendingPathComponent("stderr")
    try Data().write(to: errors)
    process.executableURL = try #require(Tool.executable, "the tool has not been built")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Reads until there are so many lines.
  func readLines(_ count: Int) -> String {
    var data = Data()
    while data.count(where: { $0 == 0x0A }) < count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      data += more
    }
    return String(decoding: data, as: UTF8.self)
  }

  func finish() throws -> (output: String, errors: String, status: Int32) {
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return (String(decoding: rest, as: UTF8.self), String(decoding: try PackageFolder.bytes(errors), as: UTF8.self), status)
  }
}
