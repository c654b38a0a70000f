import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleText

extension Matcher {
  /// Returns the compiled rules as bytes, from which ``init(compiled:dictionary:)-([UInt8],_)`` makes the same matcher faster
  /// than from rules.
  ///
  /// The bytes contain what matching needs; explanations need the rules themselves. If a rule with `sameKind` names an event ID, the
  /// bytes contain the path that the dictionary had for it when the rule was compiled.
  ///
  /// - Throws: ``CompiledRulesError/updated`` for a matcher that has been updated.
  /// - Complexity: O(size of the compiled rules).
  public func compiled() throws(CompiledRulesError) -> [UInt8] {
    let parts = styles?.parts ?? [self]
    guard programs.count == parts.count, removed.isEmpty else { throw .updated }
    var writer = CompiledWriter()
    writer.append(Array((styles?.events.styles ?? []).map(\.rawValue).joined(separator: " ").utf8))
    for part in parts { writer.append(part.settings.encoded(properties.references)) }
    for part in parts { part.programs[0].program.pointee.write(to: &writer) }
    return writer.finish()
  }

  /// Makes the matcher that was compiled to these bytes.
  ///
  /// - Throws: ``CompiledRulesError``, whatever the bytes are: nothing in them is used before it has been checked.
  /// - Complexity: O(*n*), *n* bytes.
  public init(compiled bytes: [UInt8], dictionary: ElementDictionary = ElementDictionary()) throws(CompiledRulesError) {
    try self.init(compiled: CompiledRules(bytes), dictionary: dictionary)
  }

  /// Makes the matcher of compiled rules.
  ///
  /// - Parameter dictionary: The event IDs that are known, in the style of the rules.
  /// - Throws: ``CompiledRulesError/damaged`` where the rules contradict themselves.
  /// - Complexity: O(*n*), *n* bytes.
  public init(
    compiled: CompiledRules, dictionary: ElementDictionary = ElementDictionary()
  ) throws(CompiledRulesError) {
    var reader = compiled.reader
    var properties = PropertyNumbers(compiled.references)
    var parts: [Matcher] = []
    for (number, settings) in compiled.settings.enumerated() {
      let dictionary =
        compiled.styles.isEmpty
        ? dictionary : dictionary.inStyle(settings.style, isKnown: number < compiled.styles.count)
      parts.append(try Matcher(from: &reader, settings, dictionary, &properties))
    }
    guard reader.isAtEnd else { throw .damaged }
    if compiled.styles.isEmpty {
      self = parts[0]
    } else {
      let events = EventStyles(compiled.styles, fields: compiled.settings.map(\.fields), &properties)
      self.init(events, parts, properties)
    }
    guard properties.references == compiled.references else { throw .damaged }
  }

  /// Reads the rules in one style.
  private init(
    from reader: inout CompiledReader, _ settings: MatcherSettings, _ dictionary: ElementDictionary,
    _ properties: inout PropertyNumbers
  ) throws(CompiledRulesError) {
    let count = properties.references.count
    let fields = FieldTable(settings, &properties)
    guard properties.references.count == count else { throw .damaged }
    let program = try RuleProgram(
      from: &reader, hierarchy: settings.hierarchy(dictionary), elementProperties: Set(fields.elementProperties),
      propertyCount: count)
    guard program.hasShape else { throw .damaged }
    var vocabulary = settings.vocabulary(dictionary)
    program.classes.forEachNamed { vocabulary.insert($0) }
    self.init(
      settings, dictionary, properties, fields, vocabulary, [SharedProgram(program)], sources: [nil], removed: [])
  }
}

/// Compiled rules that are complete, and whose settings have been read.
///
/// ```swift
/// let rules = try CompiledRules(bytes)
/// let matcher = try Matcher(compiled: rules, dictionary: dictionary(rules.style))
/// ```
public struct CompiledRules: Sendable {
  fileprivate let reader: CompiledReader
  /// The styles of the rules if there are several; otherwise empty.
  fileprivate let styles: [PathStyleName]
  /// The settings by style number, then those for events without a style; with one style, only the rule set's settings.
  fileprivate let settings: [MatcherSettings]
  fileprivate let references: [PropertyReference]

  /// The path style of the rules, or the first of several. A dictionary must have its paths in this style.
  public var style: PathStyleName { settings[0].style }
  /// The further styles of the rules. A dictionary should have paths in these, too.
  public var otherStyles: [PathStyleName] { Array(styles.dropFirst()) }
  /// The options for identities. Captures for the dictionary must be identified with these options.
  public var identity: IdentityOptions { settings[0].identity }
  /// This is true if some rule reads properties from other elements of screens, so that the dictionary must store their
  /// texts.
  public var readsScreens: Bool { settings.contains { $0.readsScreens } }

  /// This is true if some rule tests a text around the event's element, which only captures or a dictionary know.
  public var needsTextsWithin: Bool { references.contains { if case .textsWithin = $0 { true } else { false } } }

  /// Copies bytes that ``Matcher/compiled()`` returned.
  ///
  /// - Throws: ``CompiledRulesError``.
  /// - Complexity: O(*n*), *n* bytes.
  public init(_ bytes: [UInt8]) throws(CompiledRulesError) {
    try self.init(
      bytes.withUnsafeBytes { bytes in
        Result { () throws(CompiledRulesError) in try CompiledReader(bytes) }
      }.get())
  }

  /// Reads a file written by ``Matcher/compiled()`` into the memory in which its bytes are used.
  ///
  /// - Parameters:
  ///   - beginning: The bytes already read, at most the first 64.
  ///   - limit: The largest file, in bytes.
  /// - Throws: ``CompiledRulesError``, or an `InputError`.
  /// - Complexity: O(*n*), *n* bytes.
  package init(beginning: [UInt8] = [], _ source: inout ByteSource, limit: Int) throws {
    try self.init(CompiledReader(beginning, &source, limit: limit))
  }

  private init(_ reader: consuming CompiledReader) throws(CompiledRulesError) {
    var reader = reader
    let names = String(decoding: try reader.array(UInt8.self).all, as: UTF8.self).splitBytes(at: " ")
    let styles = names.compactMap { PathStyleName(rawValue: String($0)) }
    guard styles.count == names.count, Set(styles).count == styles.count else { throw .damaged }
    let (first, references) = try MatcherSettings.decode(try reader.array(UInt8.self))
    var settings = [first]
    for _ in styles {
      let (next, others) = try MatcherSettings.decode(try reader.array(UInt8.self))
      guard others == references else { throw .damaged }
      settings.append(next)
    }
    // These settings apply to the whole rule set. The pages of each part are numbered by the whole list, so they must be equal.
    guard zip(styles, settings).allSatisfy({ $0 == $1.style }),
      settings.allSatisfy({
        $0.track == first.track && $0.identity == first.identity && $0.excludedPages == first.excludedPages
          && $0.excludesDefaultPages == first.excludesDefaultPages
      })
    else { throw .damaged }
    (self.styles, self.settings, self.references, self.reader) = (styles, settings, references, reader)
  }

  /// The number of bytes needed to recognize compiled rules.
  package static let beginningLength = CompiledFormat.magic.count

  /// Returns whether bytes begin as compiled rules do. They may still be damaged; no rule file begins so.
  public static func isBeginning(of bytes: [UInt8]) -> Bool { bytes.starts(with: CompiledFormat.magic) }
}
