import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLanguageServer

/// A client in the same process: it sends JSON and keeps what it gets.
final class TestClient {
  let server: LanguageServer
  let folder: URL
  private(set) var messages: [[String: Any]] = []
  private var version = 0
  private var number = 0

  /// Starts a server for a new folder with files.
  init(
    files: [String: String] = [:], captures: [String] = [], capabilities: String = "{}", options: String = "null",
    folders: [String] = []
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-lsp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    server = LanguageServer(
      LanguageServerOptions(screens: ScreenSource(captures: captures), workingDirectory: folder.path))
    let workspace = folders.map { #"{"uri":\#(json(uri($0))),"name":"folder"}"# }.joined(separator: ",")
    try request(
      "initialize",
      #"{"capabilities":\#(capabilities),"rootUri":\#(json(FileURI.uri(folder.path))),"workspaceFolders":[\#(workspace)],"initializationOptions":\#(options)}"#
    )
    send(#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns a text as JSON.
  func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  func uri(_ name: String) -> String { FileURI.uri(folder.path + "/" + name) }

  /// Sends a message as it is.
  func send(_ message: String, isCancelled: Bool = false) {
    server.receive(Array(message.utf8), isCancelled: isCancelled)
    collect()
  }

  private func collect() {
    for message in server.takeOutput() {
      if let object = try? JSONSerialization.jsonObject(with: Data(message)) as? [String: Any] {
        messages.append(object)
      }
    }
  }

  /// Sends a request; returns its result.
  @discardableResult
  func request(_ method: String, _ params: String) throws -> Any? {
    number += 1
    send(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(params)}"#)
    let answer = try #require(messages.last { $0["id"] as? Int == number }, "no answer to \(method)")
    if let error = answer["error"] { Issue.record("\(method): \(error)") }
    return answer["result"]
  }

  /// Sends a request that must fail; returns the code of the error.
  func failure(_ method: String, _ params: String) throws -> Int? {
    number += 1
    send(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(params)}"#)
    let error = messages.last { $0["id"] as? Int == number }?["error"] as? [String: Any]
    return error?["code"] as? Int
  }

  func open(_ name: String, _ text: String, settles: Bool = true) {
    send(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":\#(json(uri(name))),"languageId":"yaml","version":1,"text":\#(json(text))}}}"#
    )
    if settles { settle() }
  }

  func change(_ name: String, _ text: String) {
    version += 1
    send(
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":\#(json(uri(name))),"version":\#(version)},"contentChanges":[{"text":\#(json(text))}]}}"#
    )
  }

  func close(uri: String) {
    send(#"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":\#(json(uri))}}}"#)
    settle()
  }

  func settle() {
    server.settle()
    collect()
  }

  /// Returns the last diagnostics of a file as `line:character code message`.
  func diagnostics(_ name: String) -> [String] {
    let published = messages.last { message in
      let params = message["params"] as? [String: Any]
      return message["method"] as? String == "textDocument/publishDiagnostics" && params?["uri"] as? String == uri(name)
    }
    let params = published?["params"] as? [String: Any]
    return (params?["diagnostics"] as? [[String: Any]] ?? []).map { diagnostic in
      let start = (diagnostic["range"] as? [String: [String: Int]])?["start"] ?? [:]
      let code = diagnostic["code"] as? String ?? "-"
      return "\(start["line"] ?? -1):\(start["character"] ?? -1) \(code) \(diagnostic["message"] as? String ?? "")"
    }
  }

  /// Returns the place of ‸ in a text as the parameters of a request have it, and the text without it.
  func place(_ name: String, _ text: String) -> (params: String, text: String) {
    let parts = text.components(separatedBy: "‸")
    let document = DocumentText(parts.joined())
    let position = document.position(of: parts[0].utf8.count, .utf16)
    return (
      #"{"textDocument":{"uri":\#(json(uri(name)))},"position":{"line":\#(position.line),"character":\#(position.character)}}"#,
      parts.joined()
    )
  }

  /// Opens a text with ‸ in it and asks for completion there; returns the labels.
  func complete(_ name: String, _ text: String) throws -> [String] {
    let (params, text) = place(name, text)
    change(name, text)
    let result = try request("textDocument/completion", params) as? [String: Any]
    return (result?["items"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
  }

  /// Opens a text with ‸ in it and takes a completion there; returns the text with it.
  func completing(_ name: String, _ text: String, with label: String) throws -> String {
    let (params, text) = place(name, text)
    change(name, text)
    let result = try request("textDocument/completion", params) as? [String: Any]
    let item = (result?["items"] as? [[String: Any]])?.first { $0["label"] as? String == label }
    let edit = try #require(item?["textEdit"] as? [String: Any], "no \(label)")
    return applying([edit], to: text)
  }

  /// Applies edits to a text.
  func applying(_ edits: [[String: Any]], to text: String) -> String {
    let document = DocumentText(text)
    var bytes = Array(text.utf8)
    func offset(_ edit: [String: Any], _ end: String) -> Int {
      let place = (edit["range"] as? [String: [String: Int]])?[end] ?? [:]
      return document.offset(of: LSP.Position(line: place["line"] ?? 0, character: place["character"] ?? 0), .utf16)
    }
    for edit in edits.sorted(by: { offset($0, "start") > offset($1, "start") }) {
      let new = edit["newText"] as? String ?? ""
      bytes.replaceSubrange(offset(edit, "start")..<offset(edit, "end"), with: Array(new.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
