import ArgumentParser
import EncircleCapture
import EncircleIdentity
import EncircleText
import EncircleTree

/// The arguments for captures.
struct CaptureOptions: ParsableArguments, InputArguments {
  @Argument(help: "Files or directories with captures; - is standard input. Gzip is recognised.", completion: .file())
  var captures: [String] = []

  var inputPaths: [String] { captures }

  func validate() throws {
    if captures.isEmpty {
      throw ValidationError("Name at least one capture: a file, a directory or - for standard input.")
    }
  }
}

/// The arguments for the format and the encoding of captures.
struct InputFormatOptions: ParsableArguments, InputArguments {
  @Option(
    name: .customLong("input-format"),
    help: "The format of the captures, which otherwise is detected from their content.")
  var inputFormat: CaptureFormat?

  @Option(
    help: "The encoding of the captures, such as GB18030, whatever they declare themselves.",
    transform: { name in
      guard let encoding = CaptureEncoding(name) else { throw ValidationError("There is no encoding '\(name)' here.") }
      return encoding
    })
  var encoding: CaptureEncoding?

  @Option(
    help: """
      The activity of Android captures that do not name one, such as dumps of uiautomator. If it begins with ., it is in the \
      package of the app: .MainActivity. For a web page it is the address, a URL or a path.
      """)
  var page: String?

  @Option(
    help: ArgumentHelp(
      "A file with the view controllers of the app at the moment of the captures, as _printHierarchy lists them.",
      valueName: "file"), completion: .file())
  var controllers: String?

  var inputPaths: [String] { controllers.map { [$0] } ?? [] }

  /// The same arguments as words of a command.
  var words: [String] {
    let options: [(name: String, value: String?)] = [
      ("--input-format", inputFormat?.rawValue), ("--encoding", encoding?.name), ("--page", page),
      ("--controllers", controllers),
    ]
    var words: [String] = []
    for case (let name, let value?) in options { words += [name, value] }
    return words
  }

  /// Throws a usage error if an argument is given, but the command has no captures that it could describe.
  func requireCaptures(_ captures: @autoclosure () throws -> [String]) throws {
    guard let option = words.first, try captures().isEmpty else { return }
    throw ValidationError("\(option) goes with captures, and no captures are named.")
  }

  /// Returns a reader for captures as the arguments describe them.
  ///
  /// - Throws: A ``CaptureError`` if the file with the view controllers cannot be read.
  func reader() throws(CaptureError) -> CaptureReader {
    var reader = CaptureReader(format: inputFormat, encoding: encoding)
    reader.page = page
    if let controllers { reader.controllers = try ControllerHierarchy(contentsOf: controllers) }
    return reader
  }
}

extension InputFormatOptions {
  /// Returns a reader for captures as the arguments describe them; on failure, ends the command.
  func readerOrExit() throws -> CaptureReader {
    do throws(CaptureError) {
      return try reader()
    } catch {
      printErrors(error.description)
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }
}

extension CaptureFormat: ExpressibleByArgument {}

/// The argument for identities that include the page title.
struct IdentityArguments: ParsableArguments {
  @Flag(
    help: """
      Put the title of the page into identities, as 'identity: { screenTitle: true }' does in rule files: for pages that show \
      many things with one class.
      """)
  var identityScreenTitle = false

  var options: IdentityOptions { IdentityOptions(screenTitle: identityScreenTitle ? [IdentityOptions.Page()] : []) }
}

/// Reads captures one by one, and reports those that cannot be read on standard error.
struct CaptureSource {
  private let list: CaptureList
  private let reader: CaptureReader
  private let identity: IdentityOptions
  /// Whether files that are not captures are named on standard error.
  var namesSkippedFiles = true
  /// The progress line that shows how many captures have been read.
  var progress: Progress?
  /// The exit status for the problems so far.
  private(set) var status = ExitStatus.done

  /// - Parameter identity: The parts of the elements' identities.
  init(paths: [String], _ formats: InputFormatOptions, identity: IdentityOptions = IdentityOptions()) {
    self.identity = identity
    let result = Result { () throws(CaptureError) in try formats.reader() }
    switch result {
    case .success(let found):
      reader = found
      list = CaptureList(paths)
    case .failure(let error):
      // Without the controllers, the identities would differ.
      reader = CaptureReader()
      list = CaptureList([])
      printErrors(error.description)
      note(error)
    }
    for failure in list.failures {
      printError("\(failure.path): error: \(failure.reason)")
      status = .inputOutput
    }
  }

  /// Calls `body` with every capture that can be read, in order.
  mutating func forEach(_ body: (_ name: String, IdentifiedTree) throws -> Void) throws {
    try forEach(prepared: { $0 }, body)
  }

  /// Calls `body` with the result of `prepare` for every capture that can be read, in order.
  ///
  /// - Parameter prepare: A function that is called on the thread that reads captures ahead.
  mutating func forEach<Prepared: Sendable>(
    prepared prepare: @escaping @Sendable (IdentifiedTree) -> Prepared,
    _ body: (_ name: String, Prepared) throws -> Void
  ) throws {
    var skipped: [String] = []
    var hasRead = false
    for path in list.empty { printError("note: the directory \(path) has no files, and so no captures") }
    let read: @Sendable (String) -> Result<Prepared, CaptureError> = { [reader, identity] path in
      Result { () throws(CaptureError) in
        prepare(IdentifiedTree(try reader.read(contentsOf: path), options: identity))
      }
    }
    // Standard input is not read ahead: a command that ends early would wait for the current read, which may block.
    let paths = list.files.map(\.path)
    let ahead = paths.count > 1 && !paths.contains("-") ? ReadAhead(paths, read) : nil
    defer { ahead?.end() }
    for (number, file) in list.files.enumerated() {
      progress?.report("read \(number) of \(list.files.count) captures")
      let name = file.path == "-" ? "<stdin>" : file.path
      switch ahead?.next() ?? read(file.path) {
      case .success(let prepared):
        hasRead = true
        try body(name, prepared)
      case .failure(let error):
        if file.isFound, error.isOfOtherFile, !CaptureList.isNamedLikeCapture(name) {
          skipped.append(name)
        } else {
          printErrors(error.description)
          note(error)
        }
      }
    }
    // Other files beside captures are common, but if there are only other files, a path is probably wrong.
    if !skipped.isEmpty, !hasRead, namesSkippedFiles {
      let kind = skipped.count == 1 ? "file that is not a capture" : "files that are not captures"
      printError("note: skipped \(skipped.count) \(kind): \(NameList.shortened(skipped, atMost: 5))")
    }
  }

  /// Ends the command unless all captures could be read, for commands whose results would be wrong without them.
  func requireAll() throws {
    if status != .done { printError("not all captures could be read: nothing was done") }
    try status.exit()
  }

  private mutating func note(_ error: CaptureError) { status = status.joined(with: ExitStatus(error)) }
}
