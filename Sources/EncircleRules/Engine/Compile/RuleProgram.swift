import EncircleEvents
import EncircleIdentity
import EncircleText

/// Rules compiled into flat tables of numbers: what a ``Matcher`` is made of. Immutable.
///
///     rule ─ clauses ─ tests
///              └ selectors ─ steps
///     key ─▶ leaf = clause + selector
///
/// A key is what an event must have for a leaf to be worth a look; `index`, `leaves` and `values` find the leaves.
struct RuleProgram: ~Copyable, Sendable {
  /// One rule.
  struct RuleRecord: BitwiseCopyable, Sendable {
    /// The number of its ``RuleExtras``, times 2, or all ones; plus 1 for an exclude rule in any case.
    var bits: UInt32

    static let noExtras = UInt32.max >> 1
    var isExclude: Bool { bits & 1 == 1 }
    /// Its conditions besides the clauses, and its name if that is not the id.
    var extras: Int? { bits >> 1 == Self.noExtras ? nil : Int(bits >> 1) }
  }

  /// What few rules have.
  struct RuleExtras: BitwiseCopyable, Sendable {
    /// The text under which events are selected.
    var emit: UInt32
    /// The name of the app, or ``none``.
    var app: UInt32
    var time: RuleTime
    /// Clauses of which none may hold.
    var unlessStart: UInt32
    var unlessCount: UInt32
  }

  /// Conditions that must all hold.
  struct ClauseRecord: BitwiseCopyable, Sendable {
    var rule: UInt32
    /// Numbers of tests: clauseTests[testStart ..< testStart + testCount], those of the element first.
    var testStart: UInt32
    var testCount: UInt32
    /// Selectors of which one must match the element, if there are any.
    var selectorStart: UInt32
    var selectorCount: UInt32
    /// The number of its ``ClauseExtras``, or ``none``.
    var extras: UInt32
  }

  /// What few clauses have.
  struct ClauseExtras: BitwiseCopyable, Sendable {
    /// A selector that the element must match besides, or ``none``.
    var place: UInt32
    /// Event IDs of which one must be the element's, sorted: eventIDs[idStart ..< idStart + idCount], if there are any.
    var idStart: UInt32
    var idCount: UInt32
  }

  /// A clause, and the selector under which it was filed, or -1.
  struct Leaf: BitwiseCopyable, Sendable {
    var clause: UInt32
    var selector: Int32
  }

  /// What a test looks at; equal tests of all rules are one.
  struct Test: Sendable {
    /// The number of a property in the projection, or ``event`` or ``page``.
    let subject: Int
    let condition: CompiledCondition

    static let event = -1
    static let page = -2
  }

  static let none = UInt32.max

  /// Ids of the rules, in byte order.
  let ids: TextList
  let rules: FrozenArray<RuleRecord>
  let ruleExtras: FrozenArray<RuleExtras>
  /// Names under which events are selected, other than ids.
  let emits: TextList
  let clauses: FrozenArray<ClauseRecord>
  let clauseExtras: FrozenArray<ClauseExtras>
  let eventIDs: FrozenArray<EventID>
  let clauseTests: FrozenArray<UInt32>
  let tests: [Test]
  let flatTests: FrozenArray<FastTest>
  let testTexts: FrozenArray<UInt8>
  let classes: ClassTable
  /// The classes that selectors name as they are written: what paths with underscores are read by. Selectors made for
  /// elements of the same kind are readings themselves.
  let namedClasses: FrozenArray<ClassNumber>
  let selectors: SelectorTable
  let names: StringTable
  /// The classes and the names once more, in a form that is faster to look up.
  let classNumbers: FrozenNames
  let nameNumbers: FrozenNames
  let index: PathIndex
  let leaves: KeyTable
  let leafRecords: FrozenArray<Leaf>
  let values: ValueIndex
  /// What `values` was made of, and the tests as bytes: what is saved of them.
  let filedValues: [(keys: ValueKeys, leaf: UInt32)]
  let testKeys: StringTable
  let use: Use

  /// What of an event the rules look at, so that the rest need not be worked out.
  struct Use: BitwiseCopyable, Sendable {
    /// Some rule names an event ID.
    var eventIDs = false
    /// Some selector asks more of a class than its name.
    var classNames = false
    /// Some leaf with an element is filed without a page.
    var elementsOnAnyPage = false
    /// Some leaf is filed under an element at all.
    var elements = false
    /// Some leaf is filed under neither element nor value.
    var noElements = false
  }

  init(
    ids: TextList, rules: FrozenArray<RuleRecord>, ruleExtras: FrozenArray<RuleExtras>, emits: TextList,
    clauses: FrozenArray<ClauseRecord>, clauseExtras: FrozenArray<ClauseExtras>, eventIDs: FrozenArray<EventID>,
    clauseTests: FrozenArray<UInt32>, tests: [Test], flatTests: FrozenArray<FastTest>, testTexts: FrozenArray<UInt8>,
    classes: consuming ClassTable, namedClasses: FrozenArray<ClassNumber>, selectors: consuming SelectorTable,
    names: StringTable,
    index: consuming PathIndex, leaves: KeyTable, leafRecords: FrozenArray<Leaf>,
    filedValues: [(keys: ValueKeys, leaf: UInt32)],
    testKeys: StringTable, use: Use
  ) {
    self.ids = ids
    self.rules = rules
    self.ruleExtras = ruleExtras
    self.emits = emits
    self.clauses = clauses
    self.clauseExtras = clauseExtras
    self.eventIDs = eventIDs
    self.clauseTests = clauseTests
    self.tests = tests
    self.flatTests = flatTests
    self.testTexts = testTexts
    classNumbers = classes.frozenNames
    self.classes = classes
    self.namedClasses = namedClasses
    self.selectors = selectors
    self.names = names
    nameNumbers = FrozenNames(names)
    self.index = index
    self.leaves = leaves
    self.leafRecords = leafRecords
    values = ValueIndex(filedValues) { property, text in
      let contains = Condition.text(.contains, UTF8String(String(decoding: text, as: UTF8.self)), fold: false)
      return testKeys.number(ofTest: contains, subject: property)
    }
    self.filedValues = filedValues
    self.testKeys = testKeys
    self.use = use
  }

  /// The name under which a rule selects events.
  func emit(of rule: Int) -> UnsafeBufferPointer<UInt8> {
    if let extras = rules[rule].extras { return emits[Int(ruleExtras[extras].emit)] }
    return ids[rule]
  }

  /// The number of the name that a value is, if rules name it.
  @inline(__always) func nameNumber(_ value: ProjectedValue) -> UInt32? {
    value.kind == .string ? nameNumbers.find(value.bytes) : nil
  }

  /// The memory that the tables take, in bytes, without the texts of ids and names.
  var byteCount: Int {
    rules.byteCount + ruleExtras.byteCount + clauses.byteCount + clauseExtras.byteCount + eventIDs.byteCount
      + clauseTests.byteCount + namedClasses.byteCount + selectors.byteCount + index.byteCount + leaves.byteCount
      + leafRecords.byteCount
      + classNumbers.byteCount + nameNumbers.byteCount + ids.starts.byteCount + emits.starts.byteCount
      + values.byteCount
      // An estimate of what a test and its condition take.
      + tests.count * 160
  }
}

extension StringTable {
  /// Appends the bytes by which a test is known.
  static func appendTestKey(_ condition: Condition, subject: Int, to key: inout [UInt8]) {
    withUnsafeBytes(of: Int64(subject).littleEndian) { key.append(contentsOf: $0) }
    condition.encode(to: &key)
  }

  /// The number of a test, for a table of tests.
  func number(ofTest condition: Condition, subject: Int) -> UInt32? {
    var key: [UInt8] = []
    Self.appendTestKey(condition, subject: subject, to: &key)
    return key.withUnsafeBufferPointer { find($0)?.rawValue }
  }
}

/// A program that many use, at one place: looking at it there counts no references.
final class SharedProgram: @unchecked Sendable {
  // Never changes between the beginning and the end.
  let program: UnsafeMutablePointer<RuleProgram>

  init(_ program: consuming RuleProgram) {
    self.program = .allocate(capacity: 1)
    self.program.initialize(to: program)
  }

  deinit { program.deinitialize(count: 1).deallocate() }
}

/// When a rule applies, in milliseconds since 1970.
struct RuleTime: BitwiseCopyable, Sendable {
  private let hasFrom: Bool
  private let hasTo: Bool
  private let from: Int64
  private let to: Int64

  init(from: Int64?, to: Int64?) {
    (hasFrom, self.from) = (from != nil, from ?? 0)
    (hasTo, self.to) = (to != nil, to ?? 0)
  }

  /// Where its flags are, in bytes.
  static var flagOffsets: [Int] {
    [\RuleTime.hasFrom, \RuleTime.hasTo].compactMap { MemoryLayout<RuleTime>.offset(of: $0) }
  }

  var isAlways: Bool { !hasFrom && !hasTo }

  /// Whether a moment, a number as JSON writes it, lies between the bounds; all of the last millisecond does.
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let time = DecimalNumber(text) else { return false }
    if hasFrom, time < DecimalNumber(from) { return false }
    let end = to == .max ? DecimalNumber(UInt64(1) << 63) : DecimalNumber(to + 1)
    return !hasTo || time < end
  }
}

/// Texts one after the other. Immutable.
struct TextList: Sendable {
  let bytes: FrozenArray<UInt8>
  /// Text i is bytes[starts[i] ..< starts[i + 1]].
  let starts: FrozenArray<UInt64>

  init(bytes: FrozenArray<UInt8>, starts: FrozenArray<UInt64>) {
    self.bytes = bytes
    self.starts = starts
  }

  init(_ texts: some Sequence<String>) {
    var bytes: [UInt8] = []
    var starts: [UInt64] = [0]
    for text in texts {
      bytes.append(contentsOf: text.utf8)
      starts.append(UInt64(bytes.count))
    }
    self.init(bytes: FrozenArray(bytes), starts: FrozenArray(starts))
  }

  var count: Int { starts.count - 1 }

  @inline(__always) subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
    bytes[Int(starts[index])..<Int(starts[index + 1])]
  }
}
