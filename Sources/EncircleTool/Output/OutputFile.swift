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

/// Arguments that name files that a command reads.
protocol InputArguments {
  /// The files that the command reads, and the directories whose files it reads.
  var inputPaths: [String] { get }
}

extension OptionGroup: InputArguments where Value: InputArguments {
  var inputPaths: [String] { wrappedValue.inputPaths }
}

/// A file that the command writes and does not read. Apart from these, a command can only write files that it changes.
struct OutputFile {
  let path: String

  /// Refuses to write a file that is also read, even under another name. The command reads the files of its option groups, the
  /// project's file with defaults, and `inputs`.
  ///
  /// - Parameters:
  ///   - path: The file to write.
  ///   - option: The option that names it.
  ///   - command: The command that reads and writes.
  ///   - inputs: The files that the command's own arguments name; for directories all files in them.
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

  /// Refuses `-` for a file to write, because commands read standard input by this name.
  ///
  /// - Throws: A `ValidationError`.
  static func requireName(_ path: String, option: String) throws {
    guard path == "-" else { return }
    throw ValidationError("\(option) takes a file, which - does not name; a file of this name is ./-.")
  }

  /// Refuses to write to standard output if the command reads the same file.
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
