import EncircleEvents
import EncircleInput
import EncircleText

/// Reads a session signal by signal. A session has one JSON object per line; the first is the configuration.
///
/// ```swift
/// let reader = try SessionReader(path: "login.session.ndjson")
/// while let signal = try reader.next() { print(signal.line, signal.action) }
/// ```
/// Memory: one line.
public final class SessionReader {
  /// The name of the file in messages.
  public let name: String
  /// The configuration in the first line.
  public private(set) var configuration = SessionConfiguration()
  /// The number of lines that were skipped because their action is unknown.
  public private(set) var skipped = 0
  /// The skipped lines, up to a limit.
  public private(set) var skippedLines: [Diagnostic] = []

  private var source: ByteSource
  private let limits: SessionLimits
  private let skipsUnknown: Bool
  private let captures: SessionCaptures
  private var tape: JSONTape
  // The unused bytes begin at `start`; there is no line end before `searched`.
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isAtEnd = false
  private var line = 0

  private static let maximumSkippedLines = 100

  /// Opens a session and reads its configuration. The paths of captures are relative to the folder of the file.
  ///
  /// - Parameters:
  ///   - path: The file, plain or compressed by gzip; `-` is standard input.
  ///   - limits: The limits of the session's size; exceeding one is an error.
  ///   - skipsUnknown: True if lines with an unknown action are skipped and counted; otherwise they are an error.
  /// - Throws: ``SessionError``.
  public convenience init(
    path: String, limits: SessionLimits = SessionLimits(), skipsUnknown: Bool = false
  ) throws(SessionError) {
    let name = path == "-" ? "<stdin>" : path
    let captures = SessionCaptures(folder: path == "-" ? "" : FilePath.folder(of: path), limits: limits)
    self.init(source: try Self.open(path, name: name), name, captures, limits, skipsUnknown)
    try readConfiguration()
  }

  /// Reads a session from memory. The paths of captures are relative to the working directory.
  ///
  /// - Throws: ``SessionError``.
  public convenience init(
    _ bytes: [UInt8], name: String = "<memory>", limits: SessionLimits = SessionLimits(), skipsUnknown: Bool = false
  ) throws(SessionError) {
    self.init(source: ByteSource(bytes), name, SessionCaptures(folder: "", limits: limits), limits, skipsUnknown)
    try readConfiguration()
  }

  private init(
    source: consuming ByteSource, _ name: String, _ captures: SessionCaptures, _ limits: SessionLimits,
    _ skipsUnknown: Bool
  ) {
    self.source = source
    self.captures = captures
    self.name = name
    self.limits = limits
    self.skipsUnknown = skipsUnknown
    tape = JSONTape(depthLimit: limits.depth, nodeLimit: limits.lineValues)
  }

  /// Returns the next signal; nil at the end.
  ///
  /// - Throws: ``SessionError``; the session cannot be read any further after it.
  /// - Complexity: O(bytes of the line).
  public func next() throws(SessionError) -> Signal? {
    while let range = try nextLine() {
      do throws(SessionError) {
        return try parse(range) { object throws(SessionError) in
          try SignalParser.signal(object, try SignalParser.name(of: object))
        }
      } catch {
        guard skipsUnknown, case .unknownAction(let diagnostic) = error else { throw error }
        skipped += 1
        if skippedLines.count < Self.maximumSkippedLines { skippedLines.append(diagnostic) }
      }
    }
    return nil
  }

  private static func open(_ path: String, name: String) throws(SessionError) -> ByteSource {
    do throws(InputError) {
      return try ByteSource(path: path)
    } catch {
      throw .input(error, file: name)
    }
  }

  private func readConfiguration() throws(SessionError) {
    guard let range = try nextLine() else {
      throw .invalid(
        Diagnostic(
          "a session begins with its configuration, but there is no line", file: name,
          at: SourceLocation(line: 1, column: 1)))
    }
    configuration = try parse(range) { object throws(SessionError) in
      guard try SignalParser.name(of: object) == .config else {
        throw object.error("a session begins with its configuration", at: object.member("action"))
      }
      var configuration = SessionConfiguration()
      try configuration.apply(object)
      return configuration
    }
  }

  private func parse<Result>(
    _ range: Range<Int>, _ body: (SignalObject) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    let bytes = buffer
    let (line, name, limits, captures) = (line, name, limits, captures)
    return try bytes.withUnsafeBufferPointer { all throws(SessionError) -> Result in
      let text = all.part(range)
      do throws(JSONError) {
        try tape.parse(text)
      } catch {
        let column = SourceLocation(of: error.offset, in: text).column
        throw .invalid(Diagnostic(error.kind.message, file: name, at: SourceLocation(line: line, column: column)))
      }
      let object = SignalObject(
        tape: tape, text: text, node: 0, file: name, line: line, limits: limits, captures: captures)
      guard tape[0].kind == .object else { throw object.error(JSONError.Kind.notAnObject.message) }
      return try body(object)
    }
  }

  /// Returns the range of the next non-empty line in the buffer; nil at the end.
  private func nextLine() throws(SessionError) -> Range<Int>? {
    while true {
      if let end = lineEnd() {
        line += 1
        let range = trimmed(start..<end)
        start = min(end + 1, buffer.count)
        searched = start
        if range.count > limits.lineBytes { throw tooLong() }
        if !range.isEmpty { return range }
        continue
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        line += 1
        let range = trimmed(start..<buffer.count)
        start = buffer.count
        searched = start
        if range.isEmpty { return nil }
        return range
      }
      if buffer.count - start > limits.lineBytes {
        line += 1
        throw tooLong()
      }
      try fill()
    }
  }

  private func tooLong() -> SessionError {
    .invalid(
      Diagnostic(
        "longer than the limit of \(limits.lineBytes) bytes", file: name, at: SourceLocation(line: line, column: 1)))
  }

  private func lineEnd() -> Int? {
    let found = buffer[searched...].firstIndex(of: 0x0A)
    if found == nil { searched = buffer.count }
    return found
  }

  /// Returns the range of a line without trailing white space and, in the first line, without the byte order mark.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let isMarked = line == 1 && buffer[range].starts(with: ByteOrderMark.utf8)
    let begin = range.lowerBound + (isMarked ? ByteOrderMark.utf8.count : 0)
    var end = range.upperBound
    while end > begin, buffer[end - 1] == 0x0D || buffer[end - 1] == 0x20 || buffer[end - 1] == 0x09 {
      end -= 1
    }
    return begin..<end
  }

  private func fill() throws(SessionError) {
    buffer.removeSubrange(0..<start)
    searched -= start
    start = 0
    do throws(InputError) {
      isAtEnd = try source.read(into: &buffer, atMost: 1 << 16) == 0
    } catch {
      throw .input(error, file: name)
    }
  }
}
