import ArgumentParser
import EncircleDictionary

/// The argument by which subcommands take a dictionary file.
struct DictionaryOptions: ParsableArguments {
  /// Where a dictionary is unless it is said.
  static let defaultPath = "encircle.dictionary"

  @Option(name: .customLong("dictionary"), help: "The dictionary that `encircle index` made.")
  var path = Self.defaultPath

  /// The dictionary; what is wrong with it is printed.
  func open() throws -> DictionaryReader { try Self.open(path) }

  static func open(_ path: String) throws -> DictionaryReader {
    do throws(DictionaryError) {
      return try DictionaryReader(path: path)
    } catch {
      throw exit(path, error)
    }
  }

  /// Prints what is wrong, and gives the exit status that says so.
  static func exit(_ path: String, _ error: DictionaryError) -> ExitCode {
    printError("\(path): error: \(error.message)")
    return ExitCode(status(of: error).rawValue)
  }

  private static func status(of error: DictionaryError) -> ExitStatus {
    switch error {
    case .noSuchFile: .noInput
    case .isDirectory, .locked, .readOnly, .system: .inputOutput
    case .notADictionary, .otherDatabase, .newerVersion, .truncated, .damaged: .badData
    }
  }
}
