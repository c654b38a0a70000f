import Foundation
import Testing

@testable import EncircleLanguageServer

@Suite struct LifecycleTests {
  private func code(_ server: LanguageServer, _ message: String, isCancelled: Bool = false) throws -> Int? {
    server.receive(Array(message.utf8), isCancelled: isCancelled)
    let answer = try #require(server.takeOutput().last, "no answer to \(message)")
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
    return (object?["error"] as? [String: Any])?["code"] as? Int
  }

  private func server() -> LanguageServer { LanguageServer(LanguageServerOptions(workingDirectory: "/nowhere")) }

  @Test(
    "a message that is none gets the error of the protocol",
    arguments: [
      ("", -32700), ("{", -32700), ("\u{0}", -32700), ("[]", -32600), ("[{}]", -32600), ("{}", -32600),
      ("{\"id\":{}}", -32600), ("{\"method\":7}", -32600), ("7", -32600),
      (String(repeating: "[", count: 100_000), -32700),
    ])
  func noMessages(message: String, error: Int) throws { #expect(try code(server(), message) == error) }

  @Test("before initialize every request is refused, and notifications are passed over") func notInitialized() throws {
    let server = server()
    #expect(try code(server, #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#) == -32002)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":"a","method":"textDocument/hover","params":{}}"#) == -32002)
    server.receive(Array(#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}"#.utf8))
    #expect(server.takeOutput().isEmpty)
  }

  @Test("requests are refused by what is wrong with them") func requests() throws {
    let server = server()
    #expect(try code(server, #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":7}"#) == -32602)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#) == nil)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#) == -32600)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":2,"method":"what/ever","params":{}}"#) == -32601)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":3,"method":"$/what"}"#) == -32601)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"a":1}}"#) == -32602)
    #expect(try code(server, #"{"jsonrpc":"2.0","id":5,"method":"textDocument/hover"}"#) == -32602)
    let hover =
      #"{"jsonrpc":"2.0","id":6,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}"#
    #expect(try code(server, hover) == nil)
    #expect(try code(server, hover, isCancelled: true) == -32800)
    server.receive(Array(#"{"jsonrpc":"2.0","method":"$/unknown"}"#.utf8))
    server.receive(Array(#"{"jsonrpc":"2.0","id":9,"result":null}"#.utf8))
    #expect(server.takeOutput().isEmpty)
  }

  @Test("the exit status is 0 after shutdown, and 1 without it", arguments: [true, false])
  func exit(isShutDown: Bool) throws {
    let server = server()
    #expect(try code(server, #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#) == nil)
    if isShutDown {
      #expect(try code(server, #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#) == nil)
      #expect(try code(server, #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#) == -32600)
    }
    #expect(server.exitStatus == nil)
    server.receive(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8))
    #expect(server.exitStatus == (isShutDown ? 0 : 1))
  }

  @Test("UTF-8 is taken where the client offers it") func encodings() throws {
    let utf8 = try TestClient(capabilities: #"{"general":{"positionEncodings":["utf-16","utf-8"]}}"#)
    #expect(utf8.server.encoding == .utf8)
    #expect(try TestClient().server.encoding == .utf16)
  }

  @Test("a request that is cancelled while it waits is known as such, others are not") func cancelling() throws {
    let inbox = Inbox()
    func add(_ text: String) { inbox.add(message: Array(text.utf8)) }
    add(#"{"id":1,"method":"textDocument/hover"}"#)
    add(#"{"id":2,"method":"textDocument/hover"}"#)
    add(#"{"method":"$/cancelRequest","params":{"id":2}}"#)
    add(#"{"method":"$/cancelRequest","params":{"id":3}}"#)
    add(#"{"id":3,"method":"textDocument/hover"}"#)
    var cancelled: [Bool] = []
    while case .message(_, let isCancelled)? = inbox.next(before: .now) { cancelled.append(isCancelled) }
    #expect(cancelled == [false, true, false])
  }
}
