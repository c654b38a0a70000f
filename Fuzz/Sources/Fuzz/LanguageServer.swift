import EncircleLanguageServer
import Foundation

/// Passes bytes to the language server. The first byte selects their meaning: the editor's messages after its greeting, as raw
/// bytes or one message per line, or a document.
///
/// - Returns: 0, as libFuzzer requires.
func serve(_ input: [UInt8]) -> CInt {
  guard let kind = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  switch kind {
  case UInt8(ascii: "d"): serveDocument(rest)
  case UInt8(ascii: "m"):
    guard namesNoFile(rest) else { return 0 }
    let messages = rest.split(separator: UInt8(ascii: "\n")).map { framed(Array($0)) }
    check(answers(to: greeting + messages.joined()).messages)
  default:
    guard namesNoFile(rest) else { return 0 }
    check(answers(to: greeting + rest).messages)
  }
  return 0
}

/// Returns whether an input has no tests, because these name captures, which must not be read. The name of a document shows
/// whether it has tests, but escapes may hide the name.
private func namesNoFile(_ input: [UInt8]) -> Bool {
  let text = String(decoding: input, as: UTF8.self)
  return !text.utf8.contains(UInt8(ascii: "%")) && !["test", "\\u"].contains { text.contains($0) }
}

// MARK: - Documents

private let uri = "file:///encircle-fuzz/rules.yaml"

/// Opens a text as rules and sends requests at some places; then replaces the text by its second half, as if it were edited.
private func serveDocument(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  var stream = greeting
  stream += notification(
    "textDocument/didOpen", ["textDocument": ["uri": uri, "languageId": "yaml", "version": 1, "text": text]])
  var count = 0
  func ask(_ method: String, _ parameters: [String: Any]) {
    count += 1
    var parameters = parameters
    parameters["textDocument"] = ["uri": uri]
    stream += framed(["jsonrpc": "2.0", "id": count, "method": "textDocument/" + method, "params": parameters])
  }
  func askEverything(_ text: String) {
    let lines = text.utf8.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    for line in Set([0, lines / 2, max(0, lines - 1), lines + 1]).sorted() {
      for character in [0, 3, 17, 40, 1 << 40] {
        let position = ["line": line, "character": character]
        for method in ["completion", "hover", "prepareRename", "definition", "references"] {
          ask(method, ["position": position])
        }
        ask("rename", ["position": position, "newName": "other"])
      }
    }
    for method in ["documentSymbol", "codeLens"] { ask(method, [:]) }
    ask("formatting", ["options": ["tabSize": 2, "insertSpaces": true]])
    let all = ["start": ["line": 0, "character": 0], "end": ["line": lines + 1, "character": 0]]
    ask("codeAction", ["range": all, "context": ["diagnostics": [Any]()]])
  }
  askEverything(text)
  let half = String(decoding: input.suffix(input.count / 2), as: UTF8.self)
  stream += notification(
    "textDocument/didChange",
    ["textDocument": ["uri": uri, "version": 2], "contentChanges": [["text": half]]])
  askEverything(half)
  stream += framed(["jsonrpc": "2.0", "id": "end", "method": "shutdown"])
  stream += notification("exit", [String: Any]())

  let (messages, status) = answers(to: stream)
  precondition(status == 0, "the end that was asked for")
  let answered = check(messages).compactMap { $0["id"] as? Int }
  precondition(answered == Array(0...count), "each request is answered, once and in its order")
}

// MARK: - Messages

private let greeting =
  framed(["jsonrpc": "2.0", "id": 0, "method": "initialize", "params": ["capabilities": [String: Any]()]])
  + notification("initialized", [String: Any]())

private func answers(to stream: [UInt8]) -> (messages: [[UInt8]], status: Int32) {
  LanguageServerSession.answers(LanguageServerOptions(workingDirectory: "/encircle-fuzz"), to: stream)
}

private func notification(_ method: String, _ parameters: [String: Any]) -> [UInt8] {
  framed(["jsonrpc": "2.0", "method": method, "params": parameters])
}

private func framed(_ message: [String: Any]) -> [UInt8] {
  guard let data = try? JSONSerialization.data(withJSONObject: message) else {
    preconditionFailure("a message is JSON")
  }
  return framed(Array(data))
}

private func framed(_ body: [UInt8]) -> [UInt8] { Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body }

/// Checks that messages state their length correctly and are JSON, and that ranges in them begin before they end.
@discardableResult
private func check(_ messages: [[UInt8]]) -> [[String: Any]] {
  messages.map { message in
    let text = String(decoding: message, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"),
      let length = Int(text[..<end.lowerBound].dropFirst("Content-Length: ".count)),
      length == text.utf8.distance(from: end.upperBound, to: text.endIndex),
      let body = try? JSONSerialization.jsonObject(with: Data(text[end.upperBound...].utf8)) as? [String: Any]
    else { preconditionFailure("a message has a header with its length, and is an object: \(text)") }
    precondition(body["jsonrpc"] as? String == "2.0")
    checkRanges(body)
    return body
  }
}

private func checkRanges(_ message: [String: Any]) {
  var pending: [Any] = [message]
  while let value = pending.popLast() {
    if let list = value as? [Any] { pending += list }
    guard let object = value as? [String: Any] else { continue }
    pending += object.values
    guard let start = object["start"] as? [String: Int], let end = object["end"] as? [String: Int] else { continue }
    let (first, last) = (place(start), place(end))
    precondition(first.line >= 0 && first.character >= 0 && first <= last, "\(object)")
  }
}

private func place(_ position: [String: Int]) -> (line: Int, character: Int) {
  (position["line"] ?? -1, position["character"] ?? -1)
}
