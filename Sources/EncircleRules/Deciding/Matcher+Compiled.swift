import EncircleEvents
import EncircleIdentity
import EncircleText

extension Matcher {
  /// The compiled rules as bytes, from which ``init(compiled:dictionary:)-([UInt8],_)`` makes the same matcher faster than
  /// from rules.
  ///
  /// They hold what matching needs; explanations need the rules themselves. A rule with `sameKind` that names an event ID keeps
  /// the path that the dictionary had for it when it was compiled.
  ///
  /// - Throws: ``CompiledRulesError/updated`` for a matcher that has been updated.
  /// - Complexity: O(size of the compiled rules).
  public func compiled() throws(CompiledRulesError) -> [UInt8] {
    guard programs.count == 1, removed.isEmpty else { throw .updated }
    var writer = CompiledWriter()
    writer.append(settings.encoded(properties.references))
    programs[0].program.pointee.write(to: &writer)
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
    let (settings, references) = (compiled.settings, compiled.references)
    var properties = PropertyNumbers()
    let fields = FieldTable(settings, &properties)
    for reference in references { _ = properties.number(of: reference) }
    guard properties.references == references else { throw .damaged }
    let program = try RuleProgram(
      from: &reader, hierarchy: settings.hierarchy(dictionary), elementProperties: Set(fields.elementProperties),
      propertyCount: references.count)
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
  fileprivate let settings: MatcherSettings
  fileprivate let references: [PropertyReference]

  /// The path style of the rules, in which a dictionary must have its paths.
  public var style: PathStyleName { settings.style }
  /// What identities contain by the rules, with which captures must be identified for a dictionary.
  public var identity: IdentityOptions { settings.identity }
  /// Whether some rule reads properties off other elements of screens, so that a dictionary must know what these say.
  public var readsScreens: Bool { settings.readsScreens }

  /// Copies bytes that ``Matcher/compiled()`` returned.
  ///
  /// - Throws: ``CompiledRulesError``.
  /// - Complexity: O(*n*), *n* bytes.
  public init(_ bytes: [UInt8]) throws(CompiledRulesError) {
    var reader = try bytes.withUnsafeBytes { bytes in
      Result { () throws(CompiledRulesError) in try CompiledReader(bytes) }
    }.get()
    (settings, references) = try MatcherSettings.decode(try reader.array(UInt8.self))
    self.reader = reader
  }

  /// Returns whether bytes begin as compiled rules do. They may still be damaged; no rule file begins so.
  public static func isBeginning(of bytes: [UInt8]) -> Bool { bytes.starts(with: CompiledFormat.magic) }
}
