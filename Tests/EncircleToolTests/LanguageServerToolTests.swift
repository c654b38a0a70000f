import EncircleTestSupport
import Foundation
import Testing

/// `encircle lsp` as a process.
@Suite struct LanguageServerToolTests {
  private static func frames(_ messages: String...) -> [UInt8] {
    messages.flatMap { Array("Content-Length: \($0.utf8.count)\r\n\r\n\($0)".utf8) }
  }

  private static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
  private static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

  @Test("a session answers and ends with the status of the protocol") func session() throws {
    let result = try Tool.run(["lsp"], input: Self.frames(Self.initialize, Self.shutdown, Self.exit))
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.contains(#""id":1,"jsonrpc":"2.0","result":{"capabilities""#))
    #expect(result.text.contains(#""id":2,"jsonrpc":"2.0","result":null"#))
    #expect(try Tool.run(["lsp"], input: Self.frames(Self.initialize, Self.exit)).status == 1)
  }

  @Test(
    "whatever comes in, the end of the input ends the server",
    arguments: [
      [], Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), Array(repeating: 0, count: 100_000),
      Array("Content-Length: 100\r\n\r\n{".utf8), frames("{", "[]", "7", initialize, "\"\""),
      Array("Content-Length: 9000000000000000000\r\n\r\n{}".utf8), Array(frames(initialize).dropLast(3)),
    ] as [[UInt8]])
  func hostile(input: [UInt8]) throws {
    let result = try Tool.run(["lsp"], input: input)
    #expect(result.status == 1)
    #expect(result.errors.isEmpty, "\(result.errors.prefix(300))")
  }

  @Test("wrong options are told before anything is served") func options() throws {
    #expect(try Tool.run(["lsp", "--encoding", "x-unheard"]).status == 64)
    #expect(try Tool.run(["lsp", "--controllers", "missing.txt"]).status == 66)
  }
}
