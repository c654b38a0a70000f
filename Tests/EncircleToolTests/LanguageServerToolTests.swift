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
    "the end of the input ends the server, whatever came before",
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

  /// Runs a session of an editor that starts the server in another folder than the workspace's, which is `a/b` of `folder`.
  private static func session(
    _ folder: TemporaryFolder, _ options: [String] = [], sent: String = "null"
  ) throws -> ToolResult {
    try folder.write("a/b/rules.yaml", "version: 1\nrules: []\n")
    let root = folder.url.appendingPathComponent("a/b").absoluteString
    let watches = #"{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}"#
    let initialize =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"\#(root)","capabilities":\#(watches),"initializationOptions":\#(sent)}}"#
    let initialized = #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#
    return try Tool.run(["lsp"] + options, input: frames(initialize, initialized, shutdown, exit))
  }

  @Test(
    "defaults come from encircle.yaml in or above the workspace's folder, wherever the server starts",
    arguments: [
      ([], "null", "Captures"), (["--captures", "own"], "null", "a/b/own"), ([], #"{"captures":["own"]}"#, "a/b/own"),
    ] as [([String], String, String)])
  func defaults(options: [String], sent: String, captures: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("encircle.yaml", "captures: Captures\n")
    let result = try Self.session(folder, options, sent: sent)
    // The server asks to be notified of changes of the captures that it reads.
    let watched = result.text.components(separatedBy: "globPattern").filter { $0.contains("{,/**}") }
    #expect(watched.count == 1 && watched[0].contains("\(folder.url.path)/\(captures){,/**}"), "\(result.text)")
  }

  @Test("a mistake in encircle.yaml is shown in the editor, and the server keeps running") func mistake() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("encircle.yaml", "capture: a\n")
    let result = try Self.session(folder)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.text.contains("window/showMessage"))
    #expect(result.text.contains("unknown key 'capture' in encircle.yaml; did you mean 'captures'?"), "\(result.text)")
  }

  @Test("wrong options are reported before anything is served") func options() throws {
    #expect(try Tool.run(["lsp", "--encoding", "x-unheard"]).status == 64)
    #expect(try Tool.run(["lsp", "--controllers", "missing.txt"]).status == 66)
  }
}
