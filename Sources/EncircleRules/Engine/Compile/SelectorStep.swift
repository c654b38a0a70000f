import EncircleIdentity
import EncircleText

/// One step of a selector as numbers: a test of a component's class and one of its locator.
struct SelectorStep: BitwiseCopyable, Hashable, Sendable {
  /// The test of the class.
  enum ClassTest: UInt8, CaseIterable, Sendable {
    /// `**`: any number of components, of any class.
    case recursiveWildcard
    case any
    case name
    case glob
    case kindOf
  }

  /// The test of the locator.
  enum LocatorTest: UInt8, CaseIterable, Sendable {
    case anything, none, index, row, item, rowOrItem, position
    /// No locator, and certain texts, whose numbers are in the table.
    case texts
    /// Conditions on an element of a web page; the list of ranges in the first test contains their numbers.
    case conditions
  }

  /// A test of a number: a closed range, or the number of a list of ranges in the table, where there are several ranges or
  /// their bounds do not fit into 32 bits.
  struct Numbers: BitwiseCopyable, Hashable, Sendable {
    /// The smallest number that matches; `Int32.min` means no bound. If it is greater than `upper`, the test is a list, and `upper`
    /// is the number of the list.
    private(set) var lower = Int32.min
    /// The greatest number that matches; `Int32.max` stands for no bound.
    private(set) var upper = Int32.max

    /// Matches every number.
    init() {}

    /// Matches a closed range; nil if it is empty or does not fit. A bound that is nil means no bound.
    init?(lower: Int?, upper: Int?) {
      if let lower {
        guard let bound = Int32(exactly: lower), bound > .min else { return nil }
        self.lower = bound
      }
      if let upper {
        guard let bound = Int32(exactly: upper), bound < .max else { return nil }
        self.upper = bound
      }
      guard self.lower <= self.upper else { return nil }
    }

    /// Matches the ranges of a list.
    init(list: Int) {
      lower = .max
      upper = Int32(list)
    }

    /// The number of the list of ranges; nil if this is a range.
    var list: Int? { lower > upper ? Int(upper) : nil }
    /// This is true if every number matches.
    var isAny: Bool { lower == .min && upper == .max }
    /// The only number that matches; nil if several may.
    var only: Int? { lower == upper && lower != .min && lower != .max ? Int(lower) : nil }
    /// Both bounds.
    var bits: UInt64 { UInt64(UInt32(bitPattern: lower)) << 32 | UInt64(UInt32(bitPattern: upper)) }
  }

  /// A closed range of numbers in a list.
  struct NumberRange: BitwiseCopyable, Hashable, Sendable {
    let lower: Int
    let upper: Int
  }

  var classTest: ClassTest
  var locatorTest = LocatorTest.anything
  private let padding: UInt16 = 0
  /// The number of the class, or of the glob among the table's patterns.
  var number: UInt32 = 0
  // The test of an index, of section and row or item, of indexx and indexy, or of the numbers of text and id.
  var first = Numbers()
  var second = Numbers()

  static let recursiveWildcard = SelectorStep(classTest: .recursiveWildcard)
}

// MARK: - Saving

extension FrozenArray<SelectorStep> {
  /// Returns whether enumerations in steps that were read from a file have values that exist, and whether all numbers refer
  /// to something that is there.
  func isConsistent(classCount: Int, patternCount: Int, listCount: Int) -> Bool {
    guard bytes(at: 0, areAtMost: UInt8(SelectorStep.ClassTest.allCases.count - 1)),
      bytes(
        at: MemoryLayout<SelectorStep>.offset(of: \.locatorTest) ?? 1,
        areAtMost: UInt8(SelectorStep.LocatorTest.allCases.count - 1))
    else { return false }
    return all.allSatisfy { step in
      let isNumber =
        switch step.classTest {
        case .name, .kindOf: Int(step.number) < classCount
        case .glob: Int(step.number) < patternCount
        case .any, .recursiveWildcard: true
        }
      return isNumber
        && [step.first, step.second].allSatisfy { numbers in numbers.list.map { 0..<listCount ~= $0 } ?? true }
    }
  }
}
