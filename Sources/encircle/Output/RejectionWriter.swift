import EncircleEvents

/// Tells what was no event: to a file as JSON lines, or on standard error.
struct RejectionWriter {
  private let file: ResultWriter?

  /// - Parameter path: The file; nil is standard error.
  init(path: String?) throws { file = try path.map { try ResultWriter(path: $0) } }

  func write(_ rejection: Rejection, file name: String) throws {
    guard let file else {
      printError("\(name):\(rejection.location): error: not an event: \(rejection.reason.message)")
      return
    }
    file.buffer.append(contentsOf: "{\"file\":".utf8)
    JSONText.append(name, to: &file.buffer)
    let location = rejection.location
    file.buffer.append(contentsOf: ",\"line\":\(rejection.line)".utf8)
    // Where a piece of several lines is wrong.
    if location.line != rejection.line { file.buffer.append(contentsOf: ",\"problem_line\":\(location.line)".utf8) }
    file.buffer.append(contentsOf: ",\"column\":\(location.column),\"reason\":".utf8)
    JSONText.append(rejection.reason.message, to: &file.buffer)
    file.buffer.append(contentsOf: ",\"text\":".utf8)
    JSONText.append(String(decoding: rejection.bytes, as: UTF8.self), to: &file.buffer)
    file.buffer.append(contentsOf: "}\n".utf8)
    try file.flushIfLarge()
  }

  func flush() throws { try file?.flush() }
}
