import EncircleText
import EncircleTree

/// Rules compiled into flat tables of numbers: the part of a ``Matcher`` that does the work. Immutable.
///
///     rule ─ clauses ─ tests ─ conditions
///              └ selectors ─ steps ─ classes
///     key ─▶ bucket of entries, each a clause and perhaps one of its selectors
///
/// An event has keys, such as its page or the end of its element's path; `index` finds the entries under these keys, and
/// only their clauses are tried. Each table knows how it is written to a file of compiled rules, read from one, and checked.
struct RuleProgram: ~Copyable, Sendable {
  /// Stands in for a number in records where the number is optional.
  static let none = UInt32.max

  let rules: RuleTable
  let clauses: ClauseTable
  let tests: TestTable
  /// The names of events, pages and apps that rules ask for.
  let names: NumberedNames
  let classes: ProgramClasses
  let selectors: SelectorTable
  let index: RuleIndex

  init(
    rules: consuming RuleTable, clauses: consuming ClauseTable, tests: consuming TestTable,
    names: consuming NumberedNames, classes: consuming ProgramClasses, selectors: consuming SelectorTable,
    index: consuming RuleIndex
  ) {
    self.rules = rules
    self.clauses = clauses
    self.tests = tests
    self.names = names
    self.classes = classes
    self.selectors = selectors
    self.index = index
  }

  /// The memory that the tables take, in bytes, without the texts of ids and names.
  var byteCount: Int {
    rules.byteCount + clauses.byteCount + tests.byteCount + names.byteCount + classes.byteCount + selectors.byteCount
      + index.byteCount
  }
}

// MARK: - Saving

extension RuleProgram {
  /// Writes all tables.
  func write(to writer: inout CompiledWriter) {
    rules.write(to: &writer)
    clauses.write(to: &writer)
    tests.write(to: &writer)
    classes.write(to: &writer)
    names.write(to: &writer)
    selectors.write(to: &writer)
    index.write(to: &writer)
  }

  /// Reads and checks the output of ``write(to:)``.
  ///
  /// - Parameters:
  ///   - elementProperties: The numbers of the properties that identify the element.
  ///   - propertyCount: The number of properties in the matcher's projection.
  /// - Throws: ``CompiledRulesError/damaged``, also for a number that refers to nothing, so that no look-up can leave its table.
  init(
    from reader: inout CompiledReader, hierarchy: ClassHierarchy, elementProperties: Set<Int>, propertyCount: Int
  ) throws(CompiledRulesError) {
    let rules = try RuleTable(from: &reader)
    let clauses = try ClauseTable(from: &reader)
    let tests = try TestTable(from: &reader, elementProperties: elementProperties, propertyCount: propertyCount)
    let classes = try ProgramClasses(from: &reader, hierarchy: hierarchy)
    let names = try NumberedNames(from: &reader)
    let selectors = try SelectorTable(from: &reader)
    let index = try RuleIndex(from: &reader, tests: tests, nameCount: names.count)
    guard rules.isConsistent(clauseCount: clauses.records.count, nameCount: names.count),
      clauses.isConsistent(
        ruleCount: rules.records.count, testCount: tests.count, selectorCount: selectors.count),
      selectors.isConsistent(classCount: classes.count),
      index.isConsistent(
        clauseCount: clauses.records.count, selectors: selectors, classCount: classes.count,
        propertyCount: propertyCount)
    else { throw .damaged }
    self.init(
      rules: rules, clauses: clauses, tests: tests, names: names, classes: classes, selectors: selectors, index: index)
  }
}

/// A program that several matchers and threads share. It lies at one address, where it is used without counting references.
final class SharedProgram: @unchecked Sendable {
  // Only the initialiser writes the memory, so this is Sendable.
  private let storage: UnsafeMutablePointer<RuleProgram>

  /// The program; valid while this object exists.
  var program: UnsafePointer<RuleProgram> { UnsafePointer(storage) }

  init(_ program: consuming RuleProgram) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: program)
  }

  deinit { storage.deinitialize(count: 1).deallocate() }
}
