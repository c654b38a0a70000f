import EncircleIdentity

/// The clauses of a program's rules, including the clauses of `unless`, in the order of the rules.
struct ClauseTable: ~Copyable, Sendable {
  /// One clause: conditions that must all hold.
  struct Record: BitwiseCopyable, Sendable {
    var rule: UInt32
    /// The numbers of its tests, element tests first: testNumbers[testStart ..< testStart + testCount].
    var testStart: UInt32
    var testCount: UInt32
    /// Selectors; if there are any, one must match the element.
    var selectorStart: UInt32
    var selectorCount: UInt32
    /// The number of its ``Extras``, or ``RuleProgram/none``.
    var extras: UInt32

    var testRange: Range<Int> { Int(testStart)..<Int(testStart) + Int(testCount) }
    var selectors: Range<Int> { Int(selectorStart)..<Int(selectorStart) + Int(selectorCount) }
  }

  /// Conditions on the element other than selectors. Few clauses have any.
  struct Extras: BitwiseCopyable, Sendable {
    /// An additional selector that the element must match, or ``RuleProgram/none``.
    var place: UInt32
    /// Event IDs, sorted; if there are any, one must be the element's: eventIDs[idStart ..< idStart + idCount].
    var idStart: UInt32
    var idCount: UInt32

    var eventIDs: Range<Int> { Int(idStart)..<Int(idStart) + Int(idCount) }
  }

  let records: FrozenArray<Record>
  let extras: FrozenArray<Extras>
  let eventIDs: FrozenArray<EventID>
  let testNumbers: FrozenArray<UInt32>

  var byteCount: Int { records.byteCount + extras.byteCount + eventIDs.byteCount + testNumbers.byteCount }

  /// Returns the numbers of a clause's tests, element tests first.
  @inline(__always) func tests(of clause: Record) -> UnsafeBufferPointer<UInt32> { testNumbers[clause.testRange] }

  /// Returns the event IDs of a clause; one must be the element's.
  func eventIDs(of clause: Record) -> UnsafeBufferPointer<EventID> {
    clause.extras == RuleProgram.none ? eventIDs[0..<0] : eventIDs[extras[Int(clause.extras)].eventIDs]
  }
}

extension ClauseTable {
  /// Collects clauses: ``begin()``, the tests, ``end(rule:selectors:place:eventIDs:)``.
  struct Builder {
    private var records: [Record] = []
    private var extras: [Extras] = []
    private var eventIDs: [EventID] = []
    private var testNumbers: [UInt32] = []
    private var testStart = 0

    /// The number of clauses so far.
    var count: Int { records.count }

    mutating func reserve(_ count: Int, tests: Int) {
      records.reserveCapacity(count)
      testNumbers.reserveCapacity(tests)
    }

    mutating func begin() { testStart = testNumbers.count }

    mutating func append(test number: UInt32) { testNumbers.append(number) }

    /// Adds the clause whose tests were appended.
    mutating func end(rule: UInt32, selectors: Range<Int>, place: UInt32?, eventIDs ids: [EventID]?) {
      var number = RuleProgram.none
      if place != nil || ids != nil {
        number = UInt32(extras.count)
        extras.append(
          Extras(place: place ?? RuleProgram.none, idStart: UInt32(eventIDs.count), idCount: UInt32(ids?.count ?? 0)))
        eventIDs += ids ?? []
      }
      records.append(
        Record(
          rule: rule, testStart: UInt32(testStart), testCount: UInt32(testNumbers.count - testStart),
          selectorStart: UInt32(selectors.lowerBound), selectorCount: UInt32(selectors.count), extras: number))
    }

    subscript(clause: UInt32) -> Record { records[Int(clause)] }

    /// Returns the event IDs of a clause; one must be the element's.
    func eventIDs(of clause: Record) -> ArraySlice<EventID> {
      clause.extras == RuleProgram.none ? [] : eventIDs[extras[Int(clause.extras)].eventIDs]
    }

    /// Returns the numbers of a clause's tests, element tests first.
    func tests(of clause: UInt32) -> ArraySlice<UInt32> { testNumbers[records[Int(clause)].testRange] }

    func freeze() -> ClauseTable {
      ClauseTable(
        records: FrozenArray(records), extras: FrozenArray(extras), eventIDs: FrozenArray(eventIDs),
        testNumbers: FrozenArray(testNumbers))
    }
  }
}

// MARK: - Saving

extension ClauseTable {
  func write(to writer: inout CompiledWriter) {
    writer.append(records)
    writer.append(extras)
    writer.append(eventIDs)
    writer.append(testNumbers)
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let records: FrozenArray<Record> = try reader.array()
    let extras: FrozenArray<Extras> = try reader.array()
    let eventIDs: FrozenArray<EventID> = try reader.array()
    let testNumbers: FrozenArray<UInt32> = try reader.array()
    self.init(records: records, extras: extras, eventIDs: eventIDs, testNumbers: testNumbers)
  }

  /// Returns whether every number in the table refers to something that is there.
  func isConsistent(ruleCount: Int, testCount: Int, selectorCount: Int) -> Bool {
    records.all.allSatisfy { clause in
      Int(clause.rule) < ruleCount && clause.testRange.upperBound <= testNumbers.count
        && clause.selectors.upperBound <= selectorCount
        && (clause.extras == RuleProgram.none || Int(clause.extras) < extras.count)
    }
      && extras.all.allSatisfy { extras in
        (extras.place == RuleProgram.none || Int(extras.place) < selectorCount)
          && extras.eventIDs.upperBound <= eventIDs.count
      }
      && testNumbers.all.allSatisfy { Int($0) < testCount }
  }
}
