import ArgumentParser
import EncircleDictionary

/// The argument for a dictionary file.
struct DictionaryOptions: ParsableArguments, InputArguments {
  /// The default path of the dictionary.
  static let defaultPath = "encircle.dictionary"

  @Option(
    name: .customLong("dictionary"),
    help: "A dictionary that `encircle index` made. Default: the one of encircle.yaml, or encircle.dictionary.",
    completion: .file())
  var named: String?

  /// Opens the dictionary; if that fails, prints the problem and throws an exit code.
  func open() throws -> DictionaryReader {
    do throws(DictionaryError) {
      return try DictionaryReader(path: path)
    } catch {
      let isUnnamed = named == nil && error == .noSuchFile
      throw Self.exit(path, error, hint: isUnnamed ? "; --dictionary names another, 'encircle index' makes one" : "")
    }
  }

  /// The path of the dictionary.
  var path: String { named ?? Self.defaultPath }

  var inputPaths: [String] { [path] }

  mutating func validate() throws {
    if named == nil { named = try ProjectDefaults.load().dictionary }
  }

  static func open(_ path: String) throws -> DictionaryReader {
    do throws(DictionaryError) {
      return try DictionaryReader(path: path)
    } catch {
      throw exit(path, error)
    }
  }

  /// Prints a problem and a hint behind it; returns the exit code for it.
  static func exit(_ path: String, _ error: DictionaryError, hint: String = "") -> ExitCode {
    printError("\(path): error: \(error.message)\(hint)")
    return ExitCode(status(of: error).rawValue)
  }

  private static func status(of error: DictionaryError) -> ExitStatus {
    switch error {
    case .noSuchFile: .noInput
    case .isDirectory, .locked, .changed, .readOnly, .system: .inputOutput
    case .notADictionary, .otherDatabase, .newerVersion, .truncated, .damaged: .badData
    }
  }
}
