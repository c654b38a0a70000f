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
    "an invalid message gets the error of the protocol",
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

  @Test("wrong requests are refused with the reason") func requests() throws {
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

  @Test("UTF-8 is used if the client offers it") func encodings() throws {
    let utf8 = try TestClient(capabilities: #"{"general":{"positionEncodings":["utf-16","utf-8"]}}"#)
    #expect(utf8.server.encoding == .utf8)
    #expect(try TestClient().server.encoding == .utf16)
  }

  @Test("only a request cancelled while it waits counts as cancelled") func cancelling() throws {
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

  @Test("text ids are compared by bytes and returned unchanged") func textIDs() throws {
    let inbox = Inbox()
    let ids = ["\u{E9}", "e\u{301}"]
    for id in ids { inbox.add(message: Array(#"{"id":"\#(id)","method":"textDocument/hover"}"#.utf8)) }
    inbox.add(message: Array(#"{"method":"$/cancelRequest","params":{"id":"\#(ids[1])"}}"#.utf8))
    var cancelled: [Bool] = []
    while case .message(_, let isCancelled)? = inbox.next(before: .now) { cancelled.append(isCancelled) }
    #expect(cancelled == [false, true])
    for id in ids {
      let server = server()
      server.receive(Array(#"{"jsonrpc":"2.0","id":"\#(id)","method":"shutdown"}"#.utf8))
      let answer = try #require(server.takeOutput().last)
      let end = #""id":"\#(id)","jsonrpc":"2.0"}"#
      #expect(answer.suffix(end.utf8.count).elementsEqual(end.utf8), "\(String(decoding: answer, as: UTF8.self))")
    }
  }

  @Test("many waiting and many cancelled requests keep their order") func manyWaiting() throws {
    let inbox = Inbox()
    let count = 20_000
    for i in 0..<count { inbox.add(message: Array(#"{"id":\#(i),"method":"textDocument/hover"}"#.utf8)) }
    for i in stride(from: 0, to: count, by: 2) {
      inbox.add(message: Array(#"{"method":"$/cancelRequest","params":{"id":\#(i)}}"#.utf8))
    }
    for i in 0..<count {
      guard case .message(let message, let isCancelled)? = inbox.next(before: .now) else {
        Issue.record("there are only \(i) messages")
        return
      }
      #expect(Envelope(message)?.id == .number(i) && isCancelled == (i % 2 == 0))
    }
    #expect(inbox.next(before: .now) == nil)
  }

  @Test("a second request with the id of a cancelled one is answered") func equalIDs() throws {
    let inbox = Inbox()
    func add(_ text: String) { inbox.add(message: Array(text.utf8)) }
    add(#"{"id":1,"method":"textDocument/hover"}"#)
    add(#"{"method":"$/cancelRequest","params":{"id":1}}"#)
    add(#"{"id":1,"method":"textDocument/hover"}"#)
    var cancelled: [Bool] = []
    while case .message(_, let isCancelled)? = inbox.next(before: .now) { cancelled.append(isCancelled) }
    // A cancellation that comes too late is for none.
    add(#"{"method":"$/cancelRequest","params":{"id":1}}"#)
    add(#"{"id":1,"method":"textDocument/hover"}"#)
    while case .message(_, let isCancelled)? = inbox.next(before: .now) { cancelled.append(isCancelled) }
    #expect(cancelled == [true, false, false])
  }

  @Test("the number of waiting empty messages is bounded, too") func emptyMessages() async throws {
    let inbox = Inbox(limit: 100 * Inbox.overhead)
    let count = 1_000
    Thread { for _ in 0..<count { inbox.add(message: []) } }.start()
    var most = 0
    for i in 0..<count {
      guard case .message(let message, false)? = inbox.next(before: .now + .seconds(60)) else {
        Issue.record("there are only \(i) messages")
        return
      }
      #expect(message.isEmpty)
      most = max(most, inbox.count)
    }
    #expect(most <= 101 && inbox.count == 0)
  }

  @Test("serving a complete stream gives the answers, the problems and the status") func wholeStream() throws {
    func stream(_ messages: [String]) -> [UInt8] { messages.flatMap { FrameReader.framed(Array($0.utf8)) } }
    let start = [
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/r.yaml","languageId":"yaml","version":1,"text":"version: 1\nrules: 7"}}}"#,
    ]
    let end = [#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#, #"{"jsonrpc":"2.0","method":"exit"}"#]
    let options = LanguageServerOptions(workingDirectory: "/nowhere")
    let whole = LanguageServerSession.answers(options, to: stream(start + end))
    #expect(whole.status == 0 && whole.messages.count == 3)
    #expect(String(decoding: whole.messages[1], as: UTF8.self).contains("publishDiagnostics"))
    #expect(LanguageServerSession.answers(options, to: stream(start)).status == 1)
    #expect(LanguageServerSession.answers(options, to: []).messages.isEmpty)
    let broken = LanguageServerSession.answers(options, to: stream(start) + Array("x: y\r\n\r\n".utf8) + stream(end))
    #expect(broken.status == 1 && broken.messages.count == 3)
  }
}
