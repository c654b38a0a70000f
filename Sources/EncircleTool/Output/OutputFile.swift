import ArgumentParser
import EncircleCapture
import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Arguments that name files which a command reads.
protocol InputArguments {
  /// The files that are read, and directories in which all files are.
  var inputPaths: [String] { get }
}

extension OptionGroup: InputArguments where Value: InputArguments {
  var inputPaths: [String] { wrappedValue.inputPaths }
}

/// A file that is to be written and that the command does not read. Only such a file can be written, unless it is one that the
/// command is to change.
struct OutputFile {
  let path: String

  /// Refuses to write a file that is also read, under whatever name: one that an option group of the command names, the project's
  /// file with defaults, or one of `inputs`.
  ///
  /// - Parameters:
  ///   - path: The file that is to be written.
  ///   - option: The option that names it.
  ///   - command: The command that reads and writes.
  ///   - inputs: What the command's own arguments name; in directories all files.
  /// - Throws: A `ValidationError`.
  init(_ path: String, option: String, of command: some ParsableArguments, isNoneOf inputs: [String]) throws {
    try Self.requireName(path, option: option)
    self.path = path
    guard let output = FileIdentity(path: path) else { return }
    let groups = Mirror(reflecting: command).children.compactMap { $0.value as? any InputArguments }
    var read = inputs + groups.flatMap { $0.inputPaths }
    if let defaults = ProjectDefaults.nearestFile() { read.append(defaults) }
    if [STDOUT_FILENO, STDERR_FILENO].contains(where: { FileIdentity(descriptor: $0) == output }) {
      throw ValidationError(
        "\(Self.shown(path)), the file of \(option), is where other results are written to already.")
    }
    for file in CaptureList(read, withHidden: true).files where FileIdentity(path: file.path) == output {
      throw ValidationError(
        "\(Self.shown(path)), the file of \(option), is also read, as \(Self.shown(file.path)): it would be overwritten."
      )
    }
  }

  /// Refuses `-` for a file that is to be written, as it is standard input wherever a command reads.
  ///
  /// - Throws: A `ValidationError`.
  static func requireName(_ path: String, option: String) throws {
    guard path == "-" else { return }
    throw ValidationError("\(option) takes a file, which - does not name; a file of this name is ./-.")
  }

  /// Refuses to write to standard output what is read from the same file.
  ///
  /// - Throws: A `ValidationError`.
  static func checkStandardOutput(isNoneOf inputs: [String]) throws {
    guard let output = FileIdentity(descriptor: STDOUT_FILENO) else { return }
    for path in inputs where FileIdentity(path: path) == output {
      throw ValidationError("Standard output is \(path == "-" ? "standard input" : shown(path)), which is also read.")
    }
  }

  private static func shown(_ path: String) -> String {
    path == "-" ? "standard input" : VisibleText.escaping(path)
  }
}
