import EncircleIdentity
import EncircleRules

extension KnownElementOptions {
  /// Returns the elements of the dictionary file and the captures, as the rules of a set need them, and the captures themselves.
  /// Each capture is read once for both. A file that is named twice, or is also in a named directory, is one capture.
  ///
  /// - Parameter formats: How the captures are read.
  /// - Throws: An exit code, after printing the problems, if any cannot be read.
  func loadScreens(
    _ formats: InputFormatOptions, for ruleSet: RuleSet
  ) throws -> (dictionary: ElementDictionary, screens: [(name: String, screen: IdentifiedTree)]) {
    func dictionary(_ style: PathStyleName) throws -> ElementDictionary {
      try loadDictionaryFile(style, withScreens: ruleSet.readsScreens)
        ?? ElementDictionary(style: style, knowsTexts: ruleSet.testsKnownTexts, knowsScreens: ruleSet.readsScreens)
    }
    var known = try dictionary(ruleSet.style)
    for other in ruleSet.otherStyles { known.add(try dictionary(other)) }
    var screens: [(name: String, screen: IdentifiedTree)] = []
    guard !captures.isEmpty else { return (known, screens) }
    var source = CaptureSource(paths: captures, formats, identity: ruleSet.identity)
    var files: Set<FileIdentity> = []
    try source.forEach { name, screen in
      if let file = FileIdentity(path: name), !files.insert(file).inserted { return }
      known.insert(screen)
      screens.append((name, screen))
    }
    try source.requireAll()
    return (known, screens)
  }
}
