import EncircleText

/// Reads the same rule files repeatedly, and only the parts that have changed. It is meant for editors, which have the files in
/// memory and change one rule with every keystroke.
package struct RuleFileCache: Sendable {
  /// The contents read from a file, or from one of its rules as if it were a file.
  private struct Reading {
    let file: RuleFile
    // The cost of its regular expressions.
    let cost: Int
  }

  private struct Entry {
    let text: String
    /// The file as a whole, or the text around its rules followed by the rules.
    let readings: [Reading]
    /// The parts by their text; empty if the file was read as a whole.
    var around: (text: String, reading: Reading)?
    var rules: [UTF8String: Reading] = [:]
  }

  private var entries: [UTF8String: Entry] = [:]
  // The definitions in effect when the entries were read, their cost, and the texts that contain them.
  private var definitions = Definitions()
  private var definitionCost = 0
  private var definitionKey: [String] = []

  package init() {}

  /// Returns files as one rule set, with the places of the rules.
  ///
  /// A rule that is not valid YAML is reported alone; the rules after it are not affected.
  ///
  /// - Parameters:
  ///   - files: All files of the rule set. The cache forgets other files.
  ///   - problems: The problems of files that could not be read.
  /// - Throws: ``RuleFileErrors`` with every problem of every file.
  /// - Complexity: O(length) of the rules that have changed, and of splitting the files.
  package mutating func load(
    _ files: [(name: String, text: String)], problems: [Diagnostic] = []
  ) throws(RuleFileErrors) -> SourcedRuleSet {
    let key = Definitions.key(of: files)
    // A file that was not valid YAML may have been corrected outside of its definitions.
    if key != definitionKey || !definitions.unreadFiles.isEmpty {
      var expressions = ExpressionBudget()
      let read = Definitions(of: files, &expressions)
      if key != definitionKey || read.unreadFiles != definitions.unreadFiles { entries = [:] }
      definitions = read
      definitionCost = expressions.used
      definitionKey = key
    }
    var current: [UTF8String: Entry] = [:]
    for (name, text) in files {
      let key = UTF8String(name)
      let known = entries[key]
      if let known, known.text.hasSameBytes(as: text) {
        current[key] = known
      } else {
        current[key] = Self.read(text, name, known, definitions)
      }
    }
    entries = current
    var read: [RuleFile] = []
    var cost = definitionCost
    for (name, _) in files {
      for reading in current[UTF8String(name)]?.readings ?? [] {
        read.append(reading.file)
        cost += reading.cost
      }
    }
    if cost > ExpressionBudget.limit {
      // Only all files together exceed the limit, and the problem has its place in one of them.
      var expressions = ExpressionBudget()
      let definitions = Definitions(of: files, &expressions)
      read = files.map { RuleFileReader.read($0.text, name: $0.name, keepsSources: true, definitions, &expressions) }
    }
    var builder = RuleSetBuilder(problems)
    builder.add(definitions)
    for file in read { builder.add(file) }
    builder.checkTogether()
    guard builder.diagnostics.isEmpty else { throw RuleFileErrors(builder.diagnostics, isMissingInput: false) }
    return builder.finishWithSources()
  }

  private static func read(_ text: String, _ name: String, _ known: Entry?, _ definitions: Definitions) -> Entry {
    readParts(text, name, known, definitions) ?? Entry(text: text, readings: [readWhole(text, name, definitions)])
  }

  /// Reads a file in parts; nil if it has no parts, or if the parts together might mean something else.
  private static func readParts(
    _ text: String, _ name: String, _ known: Entry?, _ definitions: Definitions
  ) -> Entry? {
    // Comments that suppress findings refer to lines of the whole file.
    guard !text.containsBytes(of: "encircle:"), let parts = RuleFileParts(text) else { return nil }
    var around: Reading
    if let last = known?.around, last.text.hasSameBytes(as: parts.around) {
      around = last.reading
    } else {
      around = readWhole(parts.around, name, definitions)
    }
    guard around.file.emptyRulesLine == parts.keyLine else { return nil }
    var rules: [UTF8String: Reading] = [:]
    rules.reserveCapacity(parts.rules.count)
    var readings = [around]
    readings.reserveCapacity(parts.rules.count + 1)
    for part in parts.rules {
      let key = UTF8String(part.text)
      let reading = known?.rules[key] ?? rules[key] ?? readWhole(RuleFileParts.prefix + part.text, name, definitions)
      // The rule may contain a text that continues in the next rule, or an alias for something in another rule. A file that was
      // split before has no such text, and without an anchor there is no alias.
      if !reading.file.isDocument, known?.around == nil || text.utf8.contains(UInt8(ascii: "&")) { return nil }
      rules[key] = reading
      let lines = part.line - RuleFileParts.prefixLines
      // A message about broken YAML may name a line in words, which cannot be moved, so such a rule is read where it stands.
      let padding = reading.file.isDocument ? 0 : max(0, lines)
      let placed =
        padding == 0
        ? reading
        : readWhole(
          RuleFileParts.prefix + String(repeating: "\n", count: padding) + part.text, name, definitions)
      readings.append(Reading(file: placed.file.moved(by: lines - padding, around.file), cost: reading.cost))
    }
    return Entry(text: text, readings: readings, around: (parts.around, around), rules: rules)
  }

  private static func readWhole(_ text: String, _ name: String, _ definitions: Definitions) -> Reading {
    var expressions = ExpressionBudget()
    let file = RuleFileReader.read(text, name: name, keepsSources: true, definitions, &expressions)
    return Reading(file: file, cost: expressions.used)
  }
}

extension RuleFile {
  /// Returns the file as if it began some lines further down in another one, and with that file's apps and style.
  fileprivate func moved(by lines: Int, _ whole: RuleFile) -> RuleFile {
    var file = self
    file.style = whole.style
    for i in file.ownStyles.indices {
      file.ownStyles[i].location.line += lines
      file.ownStyles[i].line += lines
    }
    file.diagnostics.move(by: lines)
    for i in file.rules.indices {
      file.rules[i].location.line += lines
      file.rules[i].line += lines
      file.rules[i].value.apps = whole.apps
      file.rules[i].value.location = "\(name):\(file.rules[i].location)"
    }
    for i in file.identities.indices where !file.identities[i].isAbsolute {
      file.identities[i].location.line += lines
      file.identities[i].line += lines
    }
    for i in file.styledSelectors.indices where !file.styledSelectors[i].isAbsolute {
      file.styledSelectors[i].line += lines
    }
    for id in file.sources.keys { file.sources[id]?.line += lines }
    return file
  }
}
