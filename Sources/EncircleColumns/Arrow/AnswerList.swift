import EncircleRules
import EncircleText

/// The different answers to rows, by number. Rows with the same rules, pages and error have one answer.
struct AnswerList {
  /// A list of texts, or a single text: its place in the arrays of lengths and bytes.
  struct Part {
    /// The place of its first length.
    var start = 0
    var count = 0
    /// The place of its first byte; its texts follow each other.
    var byteStart = 0
    var byteCount = 0
  }

  /// The lists `rules`, `emit`, `excluded_by` and `pages`, in this order, and the error.
  struct Answer {
    var lists = (Part(), Part(), Part(), Part())
    var error = Part()
    var isSelected = false
  }

  /// The maximum memory for the answers, in bytes.
  static let maximumBytes = Int(Int32.max)

  private let byteLimit: Int
  private var numbers = StringTable()
  private(set) var answers: [Answer] = []
  private(set) var lengths: [Int32] = []
  private(set) var bytes: [UInt8] = []
  private var key: [UInt8] = []

  init(byteLimit: Int = Self.maximumBytes) { self.byteLimit = byteLimit }

  /// The memory of the answers, in bytes.
  var byteCount: Int {
    bytes.count + 4 * lengths.count + answers.count * MemoryLayout<Answer>.stride + numbers.byteCount
  }

  /// Returns the number of the answer that a decider has just found.
  ///
  /// - Throws: ``ArrowProblem/tooLarge`` if the answers take more memory than the limit.
  mutating func number(of decider: RowDecider) throws(ArrowProblem) -> UInt32 {
    let record = decider.record
    key.removeAll(keepingCapacity: true)
    key.append(record.isSelected ? 1 : 0)
    key.append(contentsOf: UnsafeRawBufferPointer(record.rules))
    // This is no rule's number, so it separates the rules from the pages.
    key.append(contentsOf: [UInt8](repeating: 0xFF, count: 4))
    for page in record.pages { withUnsafeBytes(of: UInt32(truncatingIfNeeded: page)) { key.append(contentsOf: $0) } }
    return try intern { list in
      var answer = Answer(isSelected: record.isSelected)
      answer.lists.0 = list.part { append in decider.forEachRule(append) }
      answer.lists.1 = list.part { append in for name in record.names { append(name.bytes) } }
      answer.lists.2 = list.part { append in decider.forEachExclude(append) }
      answer.lists.3 = list.part { append in
        for page in decider.pages {
          var text = page.text
          text.withUTF8(append)
        }
      }
      return answer
    }
  }

  /// Returns the number of the answer to a row that cannot be decided.
  ///
  /// - Throws: ``ArrowProblem/tooLarge`` if the answers take more memory than the limit.
  mutating func number(of problem: String) throws(ArrowProblem) -> UInt32 {
    key.removeAll(keepingCapacity: true)
    key.append(2)
    key.append(contentsOf: problem.utf8)
    return try intern { list in
      var answer = Answer()
      answer.error = list.part { append in
        var problem = problem
        problem.withUTF8(append)
      }
      return answer
    }
  }

  private mutating func intern(_ make: (inout AnswerList) -> Answer) throws(ArrowProblem) -> UInt32 {
    let number = key.withUnsafeBufferPointer { numbers.intern($0).rawValue }
    guard number == answers.count else { return number }
    answers.append(make(&self))
    guard byteCount <= byteLimit else { throw .tooLarge }
    return number
  }

  private mutating func part(_ texts: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) -> Part {
    var part = Part(start: lengths.count, byteStart: bytes.count)
    texts { text in
      lengths.append(Int32(truncatingIfNeeded: text.count))
      bytes.append(contentsOf: text)
      part.count += 1
      part.byteCount += text.count
    }
    return part
  }
}
