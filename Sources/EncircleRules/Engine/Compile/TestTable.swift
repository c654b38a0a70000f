import EncircleEvents
import EncircleText

/// The tests of all rules. Equal tests share one number, so each is evaluated only once for an event.
struct TestTable: ~Copyable, Sendable {
  /// A condition on one value of an event.
  struct Test: Sendable {
    /// The number of a property in the projection, or ``event`` or ``page``.
    let subject: Int
    let condition: CompiledCondition

    /// The subject of a test on the event's name.
    static let event = -1
    /// The subject of a test on the page.
    static let page = -2
  }

  private let tests: [Test]
  /// The shortcut of each test.
  let fast: FrozenArray<FastTest>
  /// The texts that shortcuts compare with.
  let texts: FrozenArray<UInt8>
  // Subject and condition as bytes: the key for finding equal tests, and the form in which tests are saved.
  private let keys: StringTable

  var count: Int { tests.count }

  // An estimate of the size of a test and its condition.
  var byteCount: Int { tests.count * 160 }

  /// Returns the condition of a test.
  func condition(of number: UInt32) -> CompiledCondition { tests[Int(number)].condition }

  /// Returns whether some test is of one of these properties.
  func hasTest(of subjects: Set<Int>) -> Bool { tests.contains { subjects.contains($0.subject) } }

  /// The numbers of the properties that are tested.
  var properties: Set<Int> { Set(tests.lazy.map(\.subject).filter { $0 >= 0 }) }

  /// Returns the number of a test; nil if the table does not contain it.
  func number(of condition: Condition, subject: Int) -> UInt32? {
    var key: [UInt8] = []
    Self.append(condition, subject: subject, to: &key)
    return key.withUnsafeBufferPointer { keys.find($0)?.rawValue }
  }

  fileprivate static func append(_ condition: Condition, subject: Int, to key: inout [UInt8]) {
    withUnsafeBytes(of: Int64(subject).littleEndian) { key.append(contentsOf: $0) }
    condition.encode(to: &key)
  }
}

extension TestTable {
  /// Collects tests.
  struct Builder {
    private let elementProperties: Set<Int>
    private var tests: [Test] = []
    private var fast: [FastTest] = []
    private var texts: [UInt8] = []
    private var keys = StringTable()
    private var key: [UInt8] = []

    /// - Parameter elementProperties: The numbers of the properties that identify the element.
    init(elementProperties: Set<Int>) { self.elementProperties = elementProperties }

    /// Returns the number of a test, which is added if it is new.
    mutating func number(of condition: Condition, subject: Int) -> UInt32 {
      key.removeAll(keepingCapacity: true)
      TestTable.append(condition, subject: subject, to: &key)
      let id = key.withUnsafeBufferPointer { keys.intern($0) }
      if Int(id.rawValue) == tests.count {
        let isOfElement = subject < 0 || elementProperties.contains(subject)
        tests.append(Test(subject: subject, condition: CompiledCondition(condition)))
        fast.append(FastTest(condition, subject: subject, isOfElement: isOfElement, texts: &texts))
      }
      return id.rawValue
    }

    /// Returns the subject of a test.
    func subject(of number: UInt32) -> Int { tests[Int(number)].subject }

    /// Returns whether a test depends on the element alone.
    func isOfElement(_ number: UInt32) -> Bool { fast[Int(number)].isOfElement }

    func freeze() -> TestTable {
      TestTable(tests: tests, fast: FrozenArray(fast), texts: FrozenArray(texts), keys: keys)
    }
  }
}

// MARK: - Saving

extension TestTable {
  func write(to writer: inout CompiledWriter) { writer.append(keys) }

  init(
    from reader: inout CompiledReader, elementProperties: Set<Int>, propertyCount: Int
  ) throws(CompiledRulesError) {
    let keys = try reader.stringTable()
    var builder = Builder(elementProperties: elementProperties)
    for i in 0..<keys.count {
      let number = keys.withBytes(of: StringID(UInt32(i))) { key -> UInt32? in
        guard key.count > 8 else { return nil }
        let subject = UnsafeRawPointer(key.baseAddress.unsafelyUnwrapped).loadUnaligned(as: Int64.self).littleEndian
        guard subject >= Test.page, subject < propertyCount else { return nil }
        return Condition(decoding: key.part(8..<key.count)).map { builder.number(of: $0, subject: Int(subject)) }
      }
      // Each condition has only one encoding, so a test that occurs twice means that the file was changed.
      guard let number, Int(number) == i else { throw .damaged }
    }
    self = builder.freeze()
  }
}
