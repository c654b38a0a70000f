import EncircleEvents
import EncircleIdentity
import EncircleText

extension Matcher {
  /// The compiled rules as bytes, from which ``init(compiled:dictionary:)`` makes the same matcher faster than from rules.
  ///
  /// They hold what matching needs, not what rules are explained by. A rule with `sameKind` that names an event ID takes
  /// what the dictionary knew when it was compiled.
  ///
  /// - Throws: ``CompiledRulesError/updated`` for a matcher that has been updated.
  /// - Complexity: O(size of the compiled rules).
  public func compiled() throws(CompiledRulesError) -> [UInt8] {
    guard programs.count == 1, removed.isEmpty else { throw .updated }
    let program = programs[0].program
    var writer = CompiledWriter()
    writer.append(encodedSettings)
    writer.append(program.pointee.ids)
    writer.append(program.pointee.rules)
    writer.append(program.pointee.ruleExtras)
    writer.append(program.pointee.emits)
    writer.append(program.pointee.clauses)
    writer.append(program.pointee.clauseExtras)
    writer.append(program.pointee.eventIDs)
    writer.append(program.pointee.clauseTests)
    writer.append(program.pointee.testKeys)
    writer.append(program.pointee.classes.allNames)
    writer.append(program.pointee.namedClasses)
    writer.append(program.pointee.names)
    writer.append(program.pointee.selectors.steps)
    writer.append(program.pointee.selectors.stepNumbers)
    writer.append(program.pointee.selectors.starts)
    writer.append(program.pointee.selectors.patterns)
    writer.append(program.pointee.selectors.ranges)
    writer.append(program.pointee.selectors.rangeStarts)
    writer.append(FrozenArray([program.pointee.index.keys.seed]))
    writer.append(program.pointee.index.erased)
    writer.append(program.pointee.index.masks)
    writer.append(program.pointee.index.maskStarts)
    writer.append(program.pointee.index.isEndLength)
    writer.append(FrozenArray([UInt8(program.pointee.index.hasWholePaths ? 1 : 0)]))
    writer.append(program.pointee.index.classUses)
    writer.append(program.pointee.index.automaton.states)
    writer.append(program.pointee.index.automaton.edges)
    writer.append(program.pointee.index.automaton.accepts)
    writer.append(program.pointee.index.automaton.acceptStarts)
    writer.append(program.pointee.index.ends.keys.bits)
    writer.append(program.pointee.index.ends.uses)
    writer.append(program.pointee.leaves)
    writer.append(program.pointee.leafRecords)
    var values: [UInt8] = []
    for (keys, leaf) in program.pointee.filedValues {
      ByteCoding.append(Int(leaf), to: &values)
      keys.encode(to: &values)
    }
    writer.append(values)
    let use = program.pointee.use
    writer.append(
      FrozenArray(
        [use.eventIDs, use.classNames, use.elementsOnAnyPage, use.elements, use.noElements].map { $0 ? 1 : 0 as UInt8 })
    )
    return writer.finish()
  }

  /// Makes the matcher that was compiled to these bytes.
  ///
  /// - Throws: ``CompiledRulesError``, whatever the bytes are; nothing that they say is believed without a check.
  /// - Complexity: O(*n*), *n* bytes.
  public init(compiled bytes: [UInt8], dictionary: ElementDictionary = ElementDictionary()) throws(CompiledRulesError) {
    try self.init(compiled: CompiledRules(bytes), dictionary: dictionary)
  }

  /// Makes the matcher of compiled rules.
  ///
  /// - Parameter dictionary: What event IDs are known, in the style of the rules.
  /// - Throws: ``CompiledRulesError/damaged`` where the rules contradict themselves.
  /// - Complexity: O(*n*), *n* bytes.
  public init(
    compiled: CompiledRules, dictionary: ElementDictionary = ElementDictionary()
  ) throws(CompiledRulesError) {
    var reader = compiled.reader
    let (settings, references) = (compiled.settings, compiled.references)
    var properties = PropertyNumbers()
    let fields = FieldTable(settings, &properties)
    for reference in references { _ = properties.number(reference) }
    guard properties.references == references else { throw .damaged }
    let hierarchy = settings.hierarchy(dictionary)

    let ids = try reader.textList()
    let rules = try reader.array(RuleProgram.RuleRecord.self)
    let ruleExtras = try reader.array(RuleProgram.RuleExtras.self)
    let emits = try reader.textList()
    let clauses = try reader.array(RuleProgram.ClauseRecord.self)
    let clauseExtras = try reader.array(RuleProgram.ClauseExtras.self)
    let eventIDs = try reader.array(EventID.self)
    let clauseTests = try reader.array(UInt32.self)
    let testKeys = try reader.stringTable()
    let tests = try CompiledTests(testKeys, Set(fields.elementProperties), propertyCount: references.count)
    let classNames = try reader.stringTable()
    let namedClasses = try reader.array(ClassNumber.self)
    let names = try reader.stringTable()
    let selectors = SelectorTable(
      steps: try reader.array(), stepNumbers: try reader.array(), starts: try reader.array(),
      patterns: try reader.stringTable(), ranges: try reader.array(), rangeStarts: try reader.array())
    let seed = try reader.array(UInt64.self)
    let erased = try reader.keyTable()
    let masks = try reader.array(UInt32.self)
    let maskStarts = try reader.array(UInt32.self)
    let isEndLength = try reader.array(UInt8.self)
    let hasWholePaths = try reader.array(UInt8.self)
    let classUses = try reader.array(UInt8.self)
    let automaton = SelectorAutomaton(
      states: try reader.array(), edges: try reader.array(), accepts: try reader.array(),
      acceptStarts: try reader.array())
    let endBits = try reader.array(UInt64.self)
    let endUses = try reader.array(UInt8.self)
    guard endBits.count > 0, endBits.count & (endBits.count - 1) == 0, endUses.count == SuffixPrefilter.depth + 1 else {
      throw .damaged
    }
    let leaves = try reader.keyTable()
    let leafRecords = try reader.array(RuleProgram.Leaf.self)
    let valueBytes = try reader.array(UInt8.self)
    let uses = try reader.array(UInt8.self)
    guard reader.isAtEnd, seed.count == 1, hasWholePaths.count == 1, uses.count == 5 else { throw .damaged }

    let filedValues = try Matcher.decodeValues(valueBytes, nameCount: names.count)
    let index = PathIndex(
      keys: PathKeys(seed: seed[0]), erased: erased, masks: masks, maskStarts: maskStarts, isEndLength: isEndLength,
      hasWholePaths: hasWholePaths[0] != 0, classUses: classUses, usesClasses: classUses.all.contains { $0 != 0 },
      automaton: automaton, ends: SuffixPrefilter(keys: KeyFilter(bits: endBits), uses: endUses))
    var use = RuleProgram.Use()
    use.eventIDs = uses[0] != 0
    use.classNames = uses[1] != 0
    use.elementsOnAnyPage = uses[2] != 0
    use.elements = uses[3] != 0
    use.noElements = uses[4] != 0
    let program = RuleProgram(
      ids: ids, rules: rules, ruleExtras: ruleExtras, emits: emits, clauses: clauses, clauseExtras: clauseExtras,
      eventIDs: eventIDs, clauseTests: clauseTests, tests: tests.tests, flatTests: FrozenArray(tests.flatTests),
      testTexts: FrozenArray(tests.texts), classes: ClassTable(names: classNames, hierarchy: hierarchy),
      namedClasses: namedClasses, selectors: selectors, names: names, index: index, leaves: leaves,
      leafRecords: leafRecords,
      filedValues: filedValues, testKeys: testKeys, use: use)
    guard program.isConsistent(classCount: classNames.count, propertyCount: references.count) else { throw .damaged }

    var vocabulary = settings.vocabulary(dictionary)
    vocabulary.insert(program.namedClasses, program.classes)
    self.init(
      settings, dictionary, properties, fields, vocabulary, [SharedProgram(program)], sources: [nil], removed: [])
  }

  // MARK: - Settings

  private var encodedSettings: [UInt8] {
    var bytes: [UInt8] = [track == .all ? 1 : 0]
    ByteCoding.append(excludedPages.count, to: &bytes)
    for page in excludedPages {
      ByteCoding.append(page.name.text, to: &bytes)
      bytes.append(page.app == nil ? 0 : 1)
      if let app = page.app { ByteCoding.append(app.text, to: &bytes) }
    }
    ByteCoding.append(settings.classes.count, to: &bytes)
    for (name, superclass) in settings.classes.sorted(by: { $0.key < $1.key }) {
      ByteCoding.append(name.text, to: &bytes)
      ByteCoding.append(superclass.text, to: &bytes)
    }
    ByteCoding.append(EventFields.Field.allCases.count, to: &bytes)
    for field in EventFields.Field.allCases {
      let places = settings.fields.places(of: field)
      ByteCoding.append(places.count, to: &bytes)
      for place in places { ByteCoding.append(place.description, to: &bytes) }
    }
    ByteCoding.append(properties.references.count, to: &bytes)
    for reference in properties.references { ByteCoding.append(reference.description, to: &bytes) }
    ByteCoding.append(settings.style.rawValue, to: &bytes)
    return bytes
  }

  fileprivate static func decodeSettings(
    _ bytes: FrozenArray<UInt8>
  ) throws(CompiledRulesError) -> (MatcherSettings, [PropertyReference]) {
    var decoder = ByteCoding.Decoder(bytes: bytes.all)
    var ruleSet = RuleSet()
    func reference(_ decoder: inout ByteCoding.Decoder) -> PropertyReference? {
      decoder.text().flatMap { PropertyReference(parsing: $0) }
    }
    guard let all = decoder.flag() else { throw .damaged }
    ruleSet.track = all ? .all : .selected
    let pages = decoder.list { decoder -> ExcludedPage? in
      guard let name = decoder.text(), let hasApp = decoder.flag() else { return nil }
      guard hasApp else { return ExcludedPage(UTF8String(name)) }
      return decoder.text().map { ExcludedPage(UTF8String(name), app: UTF8String($0)) }
    }
    let classes = decoder.list { decoder -> (String, String)? in
      guard let name = decoder.text(), let superclass = decoder.text() else { return nil }
      return (name, superclass)
    }
    let fields = decoder.list { $0.list { reference(&$0) } }
    let references = decoder.list { reference(&$0) }
    let style = decoder.text().flatMap { PathStyleName(rawValue: $0) }
    guard let pages, let classes, let fields, let references, let style, decoder.isAtEnd,
      fields.count == EventFields.Field.allCases.count, fields.allSatisfy({ !$0.isEmpty })
    else { throw .damaged }
    ruleSet.excludedPages = pages
    ruleSet.style = style
    for (name, superclass) in classes { ruleSet.classes[UTF8String(name)] = UTF8String(superclass) }
    for (field, places) in zip(EventFields.Field.allCases, fields) { ruleSet.fields.set(field, places) }
    return (MatcherSettings(ruleSet), references)
  }

  private static func decodeValues(
    _ bytes: FrozenArray<UInt8>, nameCount: Int
  ) throws(CompiledRulesError) -> [(keys: ValueKeys, leaf: UInt32)] {
    var decoder = ByteCoding.Decoder(bytes: bytes.all)
    var result: [(keys: ValueKeys, leaf: UInt32)] = []
    while !decoder.isAtEnd {
      guard let leaf = decoder.number(), let keys = ValueKeys(decoding: &decoder) else { throw .damaged }
      // There are tables by page.
      guard keys.pages?.allSatisfy({ Int($0) < nameCount }) ?? true else { throw .damaged }
      result.append((keys, UInt32(leaf)))
    }
    return result
  }
}

/// Compiled rules that are whole, of which the settings have been read.
///
/// ```swift
/// let rules = try CompiledRules(bytes)
/// let matcher = try Matcher(compiled: rules, dictionary: dictionary(rules.style))
/// ```
public struct CompiledRules: Sendable {
  fileprivate let reader: CompiledReader
  fileprivate let settings: MatcherSettings
  fileprivate let references: [PropertyReference]

  /// The path style of the rules, in which a dictionary is to have its paths.
  public var style: PathStyleName { settings.style }

  /// Copies what ``Matcher/compiled()`` gave.
  ///
  /// - Throws: ``CompiledRulesError``.
  /// - Complexity: O(*n*), *n* bytes.
  public init(_ bytes: [UInt8]) throws(CompiledRulesError) {
    var reader = try bytes.withUnsafeBytes { bytes in
      Result { () throws(CompiledRulesError) in try CompiledReader(bytes) }
    }.get()
    (settings, references) = try Matcher.decodeSettings(try reader.array(UInt8.self))
    self.reader = reader
  }

  /// Whether bytes begin as compiled rules do; they may still be damaged. No rule file begins so.
  public static func isBeginning(of bytes: [UInt8]) -> Bool { bytes.starts(with: CompiledFormat.magic) }
}

/// The tests of a saved rule set.
private struct CompiledTests {
  var tests: [RuleProgram.Test] = []
  var flatTests: [FastTest] = []
  var texts: [UInt8] = []

  init(_ keys: StringTable, _ elementProperties: Set<Int>, propertyCount: Int) throws(CompiledRulesError) {
    for i in 0..<keys.count {
      let decoded = keys.withBytes(of: StringID(UInt32(i))) { key -> (subject: Int, condition: Condition)? in
        guard key.count > 8 else { return nil }
        let subject = UnsafeRawPointer(key.baseAddress.unsafelyUnwrapped).loadUnaligned(as: Int64.self).littleEndian
        guard subject >= RuleProgram.Test.page, subject < propertyCount else { return nil }
        return Condition(decoding: key.part(8..<key.count)).map { (Int(subject), $0) }
      }
      guard let (subject, condition) = decoded else { throw .damaged }
      let isOfElement = subject < 0 || elementProperties.contains(subject)
      tests.append(RuleProgram.Test(subject: subject, condition: CompiledCondition(condition)))
      flatTests.append(FastTest(condition, subject: subject, isOfElement: isOfElement, texts: &texts))
    }
  }
}
