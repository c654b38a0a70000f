import ArgumentParser
import EncircleColumns
import EncircleInput
import EncircleRules
import EncircleText
import Foundation

/// `encircle udf`
struct UDFCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "udf",
    abstract: "Decide the rows of a table, as a function of ClickHouse or another engine that talks to a program.",
    discussion: """
      Reads rows from standard input and writes exactly one row for each, in order: the include rules that match, the names \
      under which the event is selected, the exclude rules, the excluded pages, whether it is selected, the version of the \
      rules, and why the row could not be decided. The first column of a row is the version of the rules: v7 is the file \
      v7.rules in the folder of --rules, which `encircle compile` makes.

      With --config, prints the definition of the function for ClickHouse instead.

      Exit status 65 if the input cannot be read as rows: after a value of a wrong type, the beginning of the next row is unknown.
      """)

  @Option(
    help: ArgumentHelp("The folder with compiled rules, one file for each version.", valueName: "folder"),
    completion: .directory)
  var rules: String

  @Option(
    help: """
      The format of rows: RowBinary, TSVRaw or JSONEachRow, as ClickHouse calls them. In TSVRaw, a line break in a value ends \
      the row, so that the rows behind it get answers to others.
      """)
  var format = RowFormat.rowBinary

  @Option(
    help: ArgumentHelp(
      """
      What the columns behind the version are, separated by commas: fields of events such as event, page, path, event_id, \
      content, app_version; properties (a map of texts) or properties_json; or json alone for the whole event. Default: \
      \(EventColumn.defaults.map(\.name).joined(separator: ",")).
      """, valueName: "names"),
    transform: Self.columns)
  var columns = EventColumn.defaults

  @Option(
    parsing: .unconditional,
    help: "How many versions of the rules stay in memory; the one that was used longest ago makes room.")
  var versions = RowTransformer.defaultVersionCapacity

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @Flag(help: "Print the definition of the function for ClickHouse, as XML.")
  var config = false

  @Option(
    help: "With --config: the name of the function. Default: encircle_decide, followed by the version of Encircle.")
  var name: String?

  private static let maximumVersions = 1000

  private static func columns(_ text: String) throws -> [EventColumn] {
    do throws(EventColumn.NamesError) {
      return try EventColumn.columns(named: text)
    } catch {
      throw ValidationError(error.message)
    }
  }

  func validate() throws {
    if !(1...Self.maximumVersions).contains(versions) {
      throw ValidationError("--versions takes a number from 1 to \(Self.maximumVersions).")
    }
    if let column = columns.first(where: { !format.takes($0) }) {
      throw ValidationError("--columns: \(format.rawValue) has no column '\(column.name)'; use properties_json.")
    }
    if config, let word = definition.words.first(where: { $0.utf8.contains(where: isWhiteSpace) }) {
      throw ValidationError("'\(word)': ClickHouse separates the words of a command by spaces, so this must have none.")
    }
    // The rows come from standard input.
    try StandardInput.requireOneUse(in: ["-"] + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if name != nil, !config { throw ValidationError("--name goes with --config.") }
    if let name, !UDFDefinition.isName(name) {
      throw ValidationError("--name: the name of a function has letters, digits and '_', and begins with no digit.")
    }
  }

  func run() throws {
    let output = ResultWriter(endsIfClosed: true)
    if config {
      try output.write(definition.xml)
      return try output.flush()
    }
    // Otherwise, the engine's pipes and sockets would stay open as long as this process, and their readers would wait.
    StandardDescriptors.closeInherited()
    try decideRows(to: output)
  }

  /// The definition of the function. Its paths are absolute, because ClickHouse runs the command in a working directory of its own.
  private var definition: UDFDefinition {
    func absolute(_ path: String) -> String {
      path.beginsWithBytes(of: "/") ? path : FilePath.joining(FileManager.default.currentDirectoryPath, path)
    }
    var formats = formats
    formats.controllers = formats.controllers.map(absolute)
    return UDFDefinition(
      name: name ?? UDFDefinition.defaultName, rules: absolute(rules), captures: elements.captures.map(absolute),
      dictionary: elements.dictionary.map(absolute), captureFormats: formats, format: format, columns: columns,
      versions: versions)
  }

  private func decideRows(to output: ResultWriter) throws {
    let (elements, formats) = (elements, formats)
    var rows = RowTransformer(format, columns, rules: rules, versionCapacity: versions) { compiled in
      do { return try elements.loadDictionary(formats, for: compiled) } catch is ExitCode { throw UnreadableElements() }
    }
    var source = try ByteSource(path: "-")
    var bytes: [UInt8] = []
    do {
      while try source.read(into: &bytes, atMost: max(1 << 16, rows.pendingCount)) > 0 {
        defer { bytes.removeAll(keepingCapacity: true) }
        let problem = bytes.withUnsafeBufferPointer { bytes in
          Result { () throws(RowStreamError) in try rows.append(bytes) }
        }
        // Rows are written before the next read, because an engine may wait for them before it sends more.
        try output.write(&rows.output)
        try problem.get()
      }
      let end = Result { () throws(RowStreamError) in try rows.finish() }
      try output.write(&rows.output)
      try end.get()
    } catch let error as RowStreamError {
      throw ExitStatus.badData.failure("encircle udf: error: \(error)")
    } catch let error as InputError {
      throw ExitStatus(error).failure("encircle udf: error: standard input: \(error)")
    }
  }
}

/// Captures or a dictionary that cannot be read, after the reason has been printed.
private struct UnreadableElements: Error, CustomStringConvertible {
  var description: String { "the captures or the dictionary cannot be read; standard error has the reason" }
}

extension RowFormat: ExpressibleByArgument {
  /// Creates the value of an argument, ignoring case.
  public init?(argument: String) {
    guard let format = RowFormat.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
      return nil
    }
    self = format
  }
}
