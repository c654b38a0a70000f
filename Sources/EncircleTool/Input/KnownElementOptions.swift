import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleRules

/// The arguments for the elements that are known by their event IDs.
struct KnownElementOptions: ParsableArguments, InputArguments {
  @Option(
    name: .customLong("captures"),
    help:
      "A file or directory with captures of the app, in which event IDs are looked up; may be repeated.",
    completion: .file())
  var captures: [String] = []

  @Option(
    name: .customLong("dictionary"),
    help: "A dictionary that `encircle index` made, in which event IDs are looked up; --captures add to it.",
    completion: .file())
  var dictionary: String?

  mutating func validate() throws {
    let defaults = try ProjectDefaults.load()
    if captures.isEmpty { captures = defaults.captures }
    if dictionary == nil { dictionary = defaults.dictionary }
  }

  /// This is true if an option is given to the command, and not only in `encircle.yaml`.
  var isGiven: Bool {
    get throws {
      let defaults = try ProjectDefaults.load()
      return captures != defaults.captures || dictionary != defaults.dictionary
    }
  }

  /// The files of both options.
  var inputPaths: [String] { captures + (dictionary.map { [$0] } ?? []) }

  /// Returns the elements of the dictionary file and the captures, as the rules of a set need them.
  ///
  /// - Parameters:
  ///   - formats: How the captures are read.
  ///   - decides: True if the command decides events. Rules with `within` need captures for that.
  func loadDictionary(
    _ formats: InputFormatOptions, for ruleSet: RuleSet, decides: Bool = true
  ) throws -> ElementDictionary {
    if decides, inputPaths.isEmpty, let rule = ruleSet.rules.first(where: { $0.isEnabled && $0.needsTextsWithin }) {
      throw Self.needsCaptures("Rule '\(rule.id)' asks")
    }
    return try loadDictionary(
      formats, ruleSet.style, ruleSet.identity, otherStyles: ruleSet.otherStyles, withTexts: ruleSet.testsKnownTexts,
      withScreens: ruleSet.readsScreens)
  }

  /// Returns the elements of the dictionary file and the captures, as compiled rules need them.
  func loadDictionary(_ formats: InputFormatOptions, for compiled: CompiledRules) throws -> ElementDictionary {
    if inputPaths.isEmpty, compiled.needsTextsWithin { throw Self.needsCaptures("A rule asks") }
    return try loadDictionary(
      formats, compiled.style, compiled.identity, otherStyles: compiled.otherStyles, withScreens: compiled.readsScreens)
  }

  /// Returns the error for a rule that needs captures. Without them, an include rule would match nothing, and an exception or
  /// an exclude rule would let everything pass.
  private static func needsCaptures(_ subject: String) -> ValidationError {
    ValidationError(
      "\(subject) for texts around an element ('within'), which no event has: name captures that know it with "
        + "--captures, or a dictionary with --dictionary. What the app itself sends is tested under 'where'.")
  }

  /// Returns the elements of the dictionary file and the captures.
  ///
  /// Without one of these files, event IDs would be unknown and decisions wrong. If a file cannot be read, this function
  /// therefore prints the problems of all captures and throws an exit code.
  ///
  /// - Parameters:
  ///   - formats: How the captures are read.
  ///   - style: The style of the rule set, which the dictionary's paths get.
  ///   - identity: The parts of identities according to the rule set.
  ///   - otherStyles: Further styles of the rule set.
  ///   - withTexts: True if rules may test the texts of elements.
  ///   - withScreens: True if rules may read properties from screens.
  func loadDictionary(
    _ formats: InputFormatOptions, _ style: PathStyleName, _ identity: IdentityOptions,
    otherStyles: [PathStyleName] = [], withTexts: Bool = true,
    withScreens: Bool = false
  ) throws -> ElementDictionary {
    var dictionary = try ElementDictionary.inEach(of: [style] + otherStyles) { style in
      try loadDictionaryFile(style, withTexts: withTexts, withScreens: withScreens)
        ?? ElementDictionary(style: style, knowsTexts: withTexts, knowsScreens: withScreens)
    }
    guard !captures.isEmpty else { return dictionary }
    var source = CaptureSource(paths: captures, formats, identity: identity)
    try source.forEach { _, screen in dictionary.insert(screen) }
    try source.requireAll()
    return dictionary
  }

  /// Returns only the elements of the dictionary file, in each style of a rule set; nil if no file is named.
  func loadDictionaryFile(for ruleSet: RuleSet) throws -> ElementDictionary? {
    if dictionary == nil { return nil }
    return try ElementDictionary.inEach(of: ruleSet.styles) { style in
      try loadDictionaryFile(style) ?? ElementDictionary(style: style)
    }
  }

  /// Returns only the elements of the dictionary file; nil if no file is named. If it cannot be read, prints the problem
  /// and throws an exit code.
  func loadDictionaryFile(
    _ style: PathStyleName, withTexts: Bool = true, withScreens: Bool = false
  ) throws -> ElementDictionary? {
    guard let path = dictionary else { return nil }
    do throws(DictionaryError) {
      return try DictionaryReader(path: path).load(style: style, withTexts: withTexts, withScreens: withScreens)
    } catch {
      throw DictionaryOptions.exit(path, error)
    }
  }
}
