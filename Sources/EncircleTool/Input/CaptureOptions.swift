import ArgumentParser
import EncircleCapture
import EncircleIdentity
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
