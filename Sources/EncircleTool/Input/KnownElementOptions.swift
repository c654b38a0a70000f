import ArgumentParser
import EncircleDictionary
import EncircleIdentity

/// The arguments by which subcommands learn what elements event IDs stand for.
struct KnownElementOptions: ParsableArguments {
  @Option(
    name: .customLong("captures"),
    help: "Captures, files or directories, by which elements that have only an event ID are known; may be repeated.")
  var captures: [String] = []

  @Option(
    name: .customLong("dictionary"),
    help: "A dictionary that `encircle index` made, for the same purpose; --captures add to it.")
  var dictionary: String?

  /// The dictionary of the file and the captures; captures that cannot be read are reported, and then the status is not
  /// `done`.
  ///
  /// - Parameter style: The style of the rule set, in which the dictionary is to have its paths.
  func loadDictionary(_ style: PathStyleName) throws -> (ElementDictionary, ExitStatus) {
    var dictionary = try loadDictionaryFile(style) ?? ElementDictionary(style: style)
    guard !captures.isEmpty else { return (dictionary, .done) }
    var source = CaptureSource(paths: captures)
    try source.forEach { _, screen in dictionary.insert(screen) }
    return (dictionary, source.status)
  }

  /// What the dictionary file knows, without the captures; nil if none is named. What is wrong with it is printed.
  func loadDictionaryFile(_ style: PathStyleName) throws -> ElementDictionary? {
    guard let path = dictionary else { return nil }
    do throws(DictionaryError) {
      return try DictionaryReader(path: path).load(style: style)
    } catch {
      throw DictionaryOptions.exit(path, error)
    }
  }
}
