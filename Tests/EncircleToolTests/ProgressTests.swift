import EncircleTestSupport
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The progress of a command on a terminal.
@Suite(.enabled(if: Tool.executable != nil, "the tool has not been built")) struct ProgressTests {
  /// A command whose standard error is a terminal, and which waits for its input.
  private final class Terminal {
    private let main: Int32
    private let process = Process()
    private let input = Pipe()
    private(set) var text = ""

    init(_ arguments: [String], in folder: URL, showsOutput: Bool) throws {
      main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
      let terminal = try #require(Self.otherEnd(of: main).flatMap { FileHandle(forUpdatingAtPath: $0) })
      process.executableURL = Tool.executable
      process.arguments = arguments
      process.currentDirectoryURL = folder
      var environment = ProcessInfo.processInfo.environment
      environment["TERM"] = "xterm"
      process.environment = environment
      process.standardInput = input
      process.standardOutput = showsOutput ? terminal : FileHandle.nullDevice
      process.standardError = terminal
      try process.run()
    }

    deinit { close(main) }

    private static func otherEnd(of terminal: Int32) -> String? {
      #if canImport(Darwin)
        guard grantpt(terminal) == 0, unlockpt(terminal) == 0 else { return nil }
        return ptsname(terminal).map { String(cString: $0) }
      #else
        // Glibc's module hides the functions for it: TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>.
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else { return nil }
        return "/dev/pts/\(number)"
      #endif
    }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Reads until the terminal shows a text, or the command ends or minutes have passed.
    func wait(for shown: String) async throws {
      for _ in 0..<30_000 where process.isRunning && !text.contains(shown) {
        read()
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    /// Ends the input and waits for the end of the command.
    func end() throws -> String {
      try input.fileHandleForWriting.close()
      for _ in 0..<30_000 where process.isRunning {
        read()
        usleep(10_000)
      }
      process.waitForEnd()
      read()
      return text
    }

    private func read() {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = Self.read(main, &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
      buffer.withUnsafeMutableBytes { bytes in
        #if canImport(Darwin)
          Darwin.read(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        #else
          Musl.read(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
    }
  }

  private static let event = #"{"event":"$AppClick","properties":{}}"# + "\n"
  private static let erasing = "\r\u{1B}[K"

  @Test(arguments: ["1", "2"]) func `match shows its progress on a terminal, and clears it`(
    threads: String
  ) async throws {
    let folder = try RulesFolder()
    let terminal = try Terminal(
      ["match", "--rules", "rules.yaml", "--threads", threads], in: folder.url, showsOutput: false)
    try terminal.write(String(repeating: Self.event, count: 50_000))
    try await terminal.wait(for: "\(Self.erasing)read 2 MB")
    #expect(terminal.text.hasPrefix("\(Self.erasing)read "))
    // Errors are reported on separate lines.
    try terminal.write("no event\n")
    let text = try terminal.end()
    #expect(text.contains("\(Self.erasing)<stdin>:50001:1: error: not an event"))
    let last = try #require(text.components(separatedBy: Self.erasing).last)
    #expect(last.contains("read 50001 = "))
  }

  @Test func `match shows no progress between results on the same terminal`() async throws {
    let folder = try RulesFolder()
    let terminal = try Terminal(
      ["match", "--rules", "rules.yaml"], in: folder.url, showsOutput: true)
    try terminal.write(Self.event)
    try await terminal.wait(for: "\"line\":1,")
    // Longer than it takes until progress is shown.
    try await Task.sleep(for: .milliseconds(1_500))
    #expect(!(try terminal.end()).contains(Self.erasing))
  }
}
