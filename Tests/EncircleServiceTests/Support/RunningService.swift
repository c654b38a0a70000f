import EncircleTestSupport
import Foundation
import Testing

/// A service or collector of the built tool, in a separate directory, on a free port of the loopback address. It ends with its last use.
final class RunningService: Sendable {
  /// It ended before it listened.
  struct NotListening: Error {
    var status: Int32
    var log: String
  }

  let port: Int
  let directory: URL
  private let process: Process
  private let keepsDirectory: Bool
  private let logFile: URL

  /// The limits of time are so long that no test reaches them, however busy the machine is. A test that is about one of
  /// them sets it, or gives the code its own clock.
  private static let patientLimits = [
    "app_link_seconds": 86_400, "app_idle_seconds": 86_400, "app_total_seconds": 604_800, "idle_seconds": 3_600,
    "stall_seconds": 3_600, "bytes_per_second": 1, "work_seconds": 3_600, "answer_seconds": 3_600, "stop_seconds": 600,
  ]

  /// - Parameters:
  ///   - directory: The directory of an earlier service; none for a new one, which is removed at the end.
  ///   - limits: The limits of the configuration by their names.
  ///   - command: The command in a directory.
  ///   - arguments: Further arguments of the command. With `--config`, only the limits of that file count.
  init(
    directory: URL? = nil, limits: [String: Int] = [:],
    command: (URL) -> [String] = { ["serve", "--data", $0.path] }, _ arguments: [String] = []
  ) throws {
    let tool = try #require(BuiltTool.url, "the tool has not been built")
    keepsDirectory = directory != nil
    self.directory = try directory ?? Self.newDirectory()
    process = Process()
    process.executableURL = tool
    var arguments = arguments
    let configuration = FileManager.default.temporaryDirectory.appendingPathComponent(
      "encircle-\(UUID().uuidString).yaml")
    // It has been read when the service listens.
    defer { try? FileManager.default.removeItem(at: configuration) }
    if !arguments.contains("--config") {
      let limits = Self.patientLimits.merging(limits) { $1 }.map { "\($0): \($1)" }.joined(separator: ", ")
      try Data("limits: { \(limits) }\n".utf8).write(to: configuration)
      arguments += ["--config", configuration.path]
    }
    process.arguments = command(self.directory) + ["--port", "0"] + arguments
    let output = Pipe()
    process.standardOutput = output
    logFile = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString).log")
    try Data().write(to: logFile)
    process.standardError = try FileHandle(forWritingTo: logFile)
    try process.run()
    var line = Data()
    var arriving = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    // A service that prints nothing for ten minutes never will.
    while poll(&arriving, 1, 600_000) != 0, let byte = try output.fileHandleForReading.read(upToCount: 1),
      !byte.isEmpty, byte != Data("\n".utf8)
    {
      line += byte
    }
    // encircle: listening on http://127.0.0.1:40123/
    let text = String(decoding: line, as: UTF8.self)
    guard let port = Int(text.split(separator: ":").last?.filter(\.isNumber) ?? "") else {
      process.waitForEnd()
      let log = (try? String(contentsOf: logFile, encoding: .utf8)) ?? ""
      try? FileManager.default.removeItem(at: logFile)
      throw NotListening(status: process.terminationStatus, log: log)
    }
    self.port = port
  }

  deinit {
    kill(SIGKILL)
    try? FileManager.default.removeItem(at: logFile)
    if !keepsDirectory { try? FileManager.default.removeItem(at: directory) }
  }

  /// Asks the process to end, and waits until it has; its exit status.
  @discardableResult
  func stop() -> Int32 {
    kill(SIGTERM)
    process.waitForEnd()
    return process.terminationStatus
  }

  /// The lines that it has logged.
  func log() throws -> [String] {
    try String(contentsOf: logFile, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Ends the process at once, as a crash does.
  func crash() {
    kill(SIGKILL)
    process.waitForEnd()
  }

  private func kill(_ signal: Int32) {
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
  }

  static func newDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
  }
}
