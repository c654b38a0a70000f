import ArgumentParser
import EncircleAuthoring
import EncircleDictionary
import EncircleIdentity
import EncircleText

/// `encircle lookup`
struct LookupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Show the elements that event IDs stand for.",
    discussion: """
      Without event IDs, or with -, they are read from standard input, one a line, and the results are JSON lines in the same \
      order; a line without an element has "known": false. The first 8 or more digits are enough if only one event ID begins \
      with them. IDs that other styles give their paths (the MD5 of lede, the SHA-256 of hubbledata-android) are found, too.

      With --captures of several versions of the app, also says whether an ID means another element in a later version: when \
      the first of two buttons is removed, the second takes its index and so its ID.

      Exit status 1 if an event ID is unknown or its digits begin several, 65 if one is not hexadecimal.
      """)

  @Argument(help: ArgumentHelp("Event IDs or their first digits; - is standard input.", valueName: "event-ids"))
  var eventIDs: [String] = []

  @OptionGroup var dictionary: DictionaryOptions

  @Option(
    help:
      "Captures of several versions of the app, to find event IDs that later mean another element; may be repeated.",
    completion: .file())
  var captures: [String] = []

  @OptionGroup var formats: InputFormatOptions

  @Option(help: "The format of the elements. Default: text, or ndjson if event IDs are read from standard input.")
  var format: Format?

  /// The formats of the elements.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, ndjson
  }

  func validate() throws {
    try StandardInput.requireOneUse(in: (eventIDs.isEmpty ? ["-"] : eventIDs) + captures + formats.inputPaths)
    try formats.requireCaptures(captures)
  }

  func run() throws {
    let reader = try dictionary.open()
    let readsInput = eventIDs.isEmpty || eventIDs == ["-"]
    var run = Run(reader, format ?? (readsInput ? .ndjson : .text), path: dictionary.path)
    run.reused = try reusedIDs()
    var lines = InputLines(limit: Self.longestLine)
    do {
      for id in eventIDs.isEmpty ? ["-"] : eventIDs {
        if id == "-" {
          try Self.readLines(&lines, into: &run)
        } else {
          run.add(Array(id.utf8), line: nil)
          try run.lookUpAll()
        }
      }
    } catch let error as DictionaryError {
      throw DictionaryOptions.exit(dictionary.path, error)
    }
    try run.finish()
    try run.status.joined(with: lines.status).exit()
  }

  /// Returns the IDs that denote another element in a later version.
  private func reusedIDs() throws -> [EventID: [ReusedID]] {
    guard !captures.isEmpty else { return [:] }
    var screens: [NamedScreen] = []
    var source = CaptureSource(paths: captures, formats)
    try source.forEach { screens.append(NamedScreen(name: $0, screen: $1)) }
    try source.requireAll()
    return Dictionary(grouping: ReusedID.find(in: screens), by: \.eventID)
  }

  // A line of this length is much longer than any ID.
  private static let longestLine = 4096

  /// Looks up the event ID of each line of standard input that is not blank, without the white space around it.
  private static func readLines(_ lines: inout InputLines, into run: inout Run) throws {
    try lines.forEach(settle: { willWait in
      try run.lookUpAll()
      // The reader of the output may be waiting for the answers.
      if willWait { try run.flush() }
    }) { line, number in
      let line = line.drop(while: isWhiteSpace)
      guard let last = line.lastIndex(where: { !isWhiteSpace($0) }) else { return }
      run.add(Array(line[...last]), line: number)
      if run.isFull { try run.lookUpAll() }
    }
  }

  /// Looks event IDs up, several at a time, and writes their elements in order.
  private struct Run {
    private var readers: DictionaryReaders
    private let format: Format
    private let output = ResultWriter(endsIfClosed: true)
    /// The IDs that denote another element in a later version.
    var reused: [EventID: [ReusedID]] = [:]
    private(set) var status = ExitStatus.done
    private var written = 0
    // A cache of written results, because the IDs of events repeat. It is valid for one file at the path of the dictionary.
    private var known: [[UInt8]: (text: [UInt8], isFound: Bool)] = [:]
    private var generation = 0
    private var knownSize = 0
    // The maximum size of the cache, in bytes.
    private static let maximumKnown = 16 << 20
    // The event IDs to look up next, as given, with their lines of standard input, and the results for those that were found.
    private var waiting: [(digits: [UInt8], line: Int?, id: EventID?)] = []
    private var found: [EventID: [UInt8]] = [:]
    // With this number, the cost of threads and transactions per ID is small, and the results take little memory.
    private static let maximumWaiting = 256
    // The maximum number of elements with one ID: elements in the bars of all pages share an ID.
    private static let maximumElements = 1_000

    init(_ reader: DictionaryReader, _ format: Format, path: String) {
      readers = DictionaryReaders(reader, path: path)
      self.format = format
    }

    /// This is true if the added event IDs must be looked up before more are added.
    var isFull: Bool { waiting.count >= Self.maximumWaiting }

    mutating func add(_ digits: [UInt8], line: Int?) { waiting.append((digits, line, EventID(hexadecimal: digits))) }

    /// Looks up the added event IDs.
    mutating func lookUpAll() throws {
      if waiting.isEmpty { return }
      // This precedes the look-ups: if the file is replaced during them, the next call notices it, and drops their results.
      let generation = try readers.currentGeneration()
      if generation != self.generation { forget() }
      self.generation = generation
      // Event IDs that are missing afterwards are looked up one by one, which also finds the one that causes an error.
      let ids = waiting.compactMap { known[$0.digits] == nil ? $0.id : nil }
      found = readers.texts(of: ids) { [format, reused] elements in
        // There may be more elements, which are searched for by digits.
        elements.count < DictionaryReader.maximumElements ? Self.render(elements, format, reused) : []
      }
      for (digits, line, id) in waiting { try lookUp(digits, line, id) }
      waiting.removeAll(keepingCapacity: true)
    }

    private mutating func forget() {
      known.removeAll(keepingCapacity: true)
      knownSize = 0
    }

    private mutating func lookUp(_ digits: [UInt8], _ line: Int?, _ id: EventID?) throws {
      let text: [UInt8]
      var place: String { line.map { "<stdin>:\($0): " } ?? "" }
      if let known = known[digits] {
        text = known.text
        if !known.isFound { status = status.joined(with: .findings) }
      } else if let problem = Self.problem(of: digits) {
        printError("\(place)error: \(problem)")
        status = status.joined(with: .badData)
        text = unknown(digits)
      } else {
        let isFound: Bool
        if let id, let rendered = found[id], !rendered.isEmpty {
          (text, isFound) = (rendered, true)
        } else {
          let elements = try find(String(decoding: digits, as: UTF8.self), id, place)
          isFound = !elements.isEmpty
          text = isFound ? Self.render(elements, format, reused) : unknown(digits)
        }
        if !isFound { status = status.joined(with: .findings) }
        if knownSize >= Self.maximumKnown { forget() }
        known[digits] = (text, isFound)
        knownSize += digits.count + text.count
      }
      guard !text.isEmpty else { return }
      switch format {
      case .text: if written > 0 { output.buffer.append(0x0A) }
      case .json: output.buffer.append(contentsOf: (written == 0 ? "[\n" : ",\n").utf8)
      case .ndjson: break
      }
      output.buffer.append(contentsOf: text)
      if format == .ndjson { output.buffer.append(0x0A) }
      written += 1
      try output.flushIfLarge()
    }

    /// Returns the reason why a text is not an event ID or the beginning of one; nil if it is.
    private static func problem(of digits: [UInt8]) -> String? {
      guard digits.count <= 64, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
        let shown = VisibleText.shortened(String(decoding: digits.prefix(200), as: UTF8.self))
        return "'\(shown)' is not an event ID: expected 8 to 64 hexadecimal digits"
      }
      guard digits.count >= 8 else {
        return "'\(String(decoding: digits, as: UTF8.self))' is too short: expected at least 8 digits"
      }
      return nil
    }

    /// Returns the elements with an ID. If it is unknown or ambiguous, prints an error and returns no elements.
    ///
    /// - Parameter place: The prefix of the error.
    private func find(_ digits: String, _ id: EventID?, _ place: String) throws -> [KnownElement] {
      if let id {
        let found = try readers.first.elements(with: id)
        // A look-up by event ID returns at most this number of elements. If there may be more, they are searched for by digits.
        if !found.isEmpty, found.count < DictionaryReader.maximumElements { return found }
      }
      let found = try readers.first.elements(withPrefix: digits, limit: Self.maximumElements)
      let ids = Set(found.map { Self.id(of: $0, beginningWith: digits.lowercased()) })
      if ids.count > 1 {
        printError("\(place)error: \(digits) is the beginning of several IDs:")
        for id in ids.sorted() { printError("  \(id)") }
        return []
      }
      if found.isEmpty { printError("\(place)error: \(digits) is not in the dictionary") }
      if found.count >= Self.maximumElements {
        printError("\(place)note: only the first \(Self.maximumElements) elements with \(digits) are listed")
      }
      return found
    }

    /// Returns the ID of an element that begins with the digits: the event ID, or else the ID of another style.
    private static func id(of element: KnownElement, beginningWith digits: String) -> String {
      let id = element.eventID.description
      if id.utf8.starts(with: digits.utf8) { return id }
      let others = element.styles.lazy.compactMap { element.path(in: $0)?.digest.map { Hexadecimal.text($0) } }
      return others.first { $0.utf8.starts(with: digits.utf8) } ?? id
    }

    private static func render(
      _ elements: [KnownElement], _ format: Format, _ reused: [EventID: [ReusedID]]
    ) -> [UInt8] {
      switch format {
      case .text:
        Array(elements.map { KnownElementText.text($0, reused: reused[$0.eventID] ?? []) }.joined(separator: "\n").utf8)
      case .json, .ndjson: KnownElementText.json(elements, reused: reused)
      }
    }

    /// Returns the result for a text that is not an event ID, or not one in the dictionary.
    private func unknown(_ digits: [UInt8]) -> [UInt8] {
      if format == .text { return [] }
      var json = JSONBuilder()
      json.object {
        $0.member("event_id", String(decoding: digits, as: UTF8.self))
        $0.member("known", false)
      }
      return json.bytes
    }

    func flush() throws { try output.flush() }

    func finish() throws {
      if format == .json { try output.write(written == 0 ? "[]\n" : "\n]\n") }
      try output.flush()
    }
  }
}
