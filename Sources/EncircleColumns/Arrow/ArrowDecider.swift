import CEncircle
import EncircleEvents
import EncircleRules
import EncircleText

/// Decides the rows of record batches, which it reads by the Arrow C data interface without copying texts. Each thread
/// needs its own decider.
///
/// Each distinct tuple of the values that the rules read is decided only once, because past events repeat themselves. The answers are
/// kept for later batches, as engines pass no more than a few thousand rows at a time. Tuples are compared by digests with a random
/// key of the process, so nobody can make two of them collide.
public final class ArrowDecider {
  private typealias Text = UnsafeBufferPointer<UInt8>

  // The maximum memory for answers, in bytes. Beyond it, answers and tuples are discarded between two batches.
  private static let answerLimit = 64 << 20

  private let matcher: Matcher
  private let version: [UInt8]
  // The state is made for the columns of the first batch, and made again when a batch has other columns.
  private var state: State?

  /// - Parameter version: The `rules_version` in the answers.
  public init(_ matcher: Matcher, version: String = "") {
    self.matcher = matcher
    self.version = Array(version.utf8)
  }

  /// Decides the rows of a batch. The result has as many rows, with the columns `rules`, `emit`, `excluded_by`, `pages`, `selected`,
  /// `rules_version` and `error`.
  ///
  /// - Parameters:
  ///   - schema: A struct with columns named as in ``EventColumn``; others are ignored. It is only read.
  ///   - array: The rows. They are only read.
  ///   - outSchema, outArray: Filled with the answers, which the caller releases.
  /// - Throws: ``ArrowProblem``; then there is nothing to release.
  /// - Complexity: O(size of the values that the rules read), plus the decisions on distinct tuples.
  public func decide(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>,
    into outSchema: UnsafeMutablePointer<ArrowSchema>, _ outArray: UnsafeMutablePointer<ArrowArray>
  ) throws(ArrowProblem) {
    let (columns, places) = try ArrowBatch.columns(schema)
    if state?.all != columns { state = State(matcher, columns) }
    guard let state else { return }
    let wanted = state.wanted
    let batch = try ArrowBatch(schema, array, wanted.map { columns[$0] }, places: wanted.map { places[$0] })
    if state.answers.byteCount > Self.answerLimit { state.forget() }
    let numbers = try state.decide(batch)
    let answers = try AnswerBatch(numbers, state.answers, version: version)
    answers.export(outSchema, outArray)
  }

  /// The state kept between batches with the same columns.
  private final class State {
    /// All columns of events that batches have.
    let all: [EventColumn]
    /// The positions of the columns on which decisions depend.
    let wanted: [Int]
    private let decider: RowDecider
    // The names of properties on which decisions depend; nil if they may depend on all.
    private let names: StringTable?
    private var tuples = TupleTable()
    private var repeats = RepeatCounter()
    private(set) var answers = AnswerList()
    private var row: EventRow
    // One for each row of a block.
    private var digesters = [TupleDigester](repeating: TupleDigester(), count: blockSize)
    private static let blockSize = 256

    init(_ matcher: Matcher, _ columns: [EventColumn]) {
      all = columns
      let decisive = matcher.decisivePlaces
      let fields = matcher.stylesAndFields.map { $0.1 }
      wanted = columns.indices.filter { i in
        guard case .field(let field) = columns[i] else { return true }
        return fields.contains { $0.places(of: field).contains { decisive.contains($0) } }
      }
      let kept = wanted.map { columns[$0] }
      decider = RowDecider(matcher, kept)
      row = EventRow(columnCount: kept.count)
      names = Self.names(of: decisive)
    }

    private static func names(of places: Set<PropertyReference>) -> StringTable? {
      var names = StringTable()
      for place in places {
        switch place {
        case .property(let name): _ = names.intern(name.text)
        case .pointer(let pointer):
          guard let first = pointer.steps.first?.name else { return nil }
          if ["properties", "attributes"].contains(where: { first.elementsEqual($0.utf8) }) { return nil }
        // These texts depend only on the path and the page, which are in the tuple already.
        case .textsWithin: continue
        }
      }
      return names
    }

    func forget() {
      tuples.removeAll()
      answers = AnswerList()
    }

    /// Decides the rows of a batch, and returns the numbers of their answers.
    func decide(_ batch: ArrowBatch) throws(ArrowProblem) -> [UInt32] {
      var numbers: [UInt32] = []
      numbers.reserveCapacity(batch.count)
      for start in stride(from: 0, to: batch.count, by: Self.blockSize) {
        let rows = start..<min(start + Self.blockSize, batch.count)
        guard repeats.isWorthwhile(for: rows.count) else {
          for number in rows { numbers.append(try decide(batch, number)) }
          continue
        }
        try digest(batch, rows)
        for number in rows {
          let digest = digesters[number &- start].finish()
          if let digest, let known = tuples.answer(to: digest) {
            repeats.note(isKnown: true)
            numbers.append(known)
            continue
          }
          repeats.note(isKnown: false)
          let answer = try decide(batch, number)
          if let digest { tuples.insert(digest, answer: answer) }
          numbers.append(answer)
        }
      }
      return numbers
    }

    /// Digests the tuples of a block of rows column by column, so that the kind of a column is looked up only once for a block.
    private func digest(_ batch: ArrowBatch, _ rows: Range<Int>) throws(ArrowProblem) {
      for i in 0..<rows.count { digesters[i].begin() }
      for (column, source) in batch.sources.enumerated() {
        let label = 2 * column
        switch source {
        case .plain(let texts):
          for row in rows {
            if let text = try texts.text(row) { digesters[row &- rows.lowerBound].add(text, label: label) }
          }
        case .dictionary(let texts):
          for row in rows { try texts.add(row, to: &digesters[row &- rows.lowerBound], label: label) }
        case .map(let map):
          for row in rows {
            try map.forEachPair(row) { name, value in
              guard isDecisive(name) else { return }
              digesters[row &- rows.lowerBound].add(name, label: label)
              digesters[row &- rows.lowerBound].add(value, label: label + 1)
            }
          }
        }
      }
    }

    private func isDecisive(_ name: Text) -> Bool { names.map { $0.find(name) != nil } ?? true }

    private func decide(_ batch: ArrowBatch, _ number: Int) throws(ArrowProblem) -> UInt32 {
      row.begin(number + 1)
      for (column, source) in batch.sources.enumerated() {
        switch source {
        case .plain(let texts): row.set(column, try texts.text(number))
        case .dictionary(let texts): row.set(column, try texts.text(number))
        case .map(let map):
          try map.forEachPair(number) { name, value in if isDecisive(name) { row.append(name, value) } }
        }
      }
      if let problem = decider.decide(&row) { return try answers.number(of: problem) }
      return try answers.number(of: decider)
    }
  }
}

/// Decides whether looking up earlier tuples is worthwhile, which it is not where they hardly repeat.
private struct RepeatCounter {
  // After `trial` rows, the share of known tuples decides; if it is low, the next `pause` rows are not looked up.
  private static let trial = 1 << 13
  private static let pause = 1 << 16

  private var rows = 0
  private var known = 0
  private var left = 0

  /// Returns whether to look up the next rows, given their number.
  mutating func isWorthwhile(for rows: Int) -> Bool {
    if left == 0 { return true }
    left = max(0, left - rows)
    return false
  }

  @inline(__always)
  mutating func note(isKnown: Bool) {
    rows &+= 1
    if isKnown { known &+= 1 }
    guard rows == Self.trial else { return }
    // If fewer than an eighth were known, look-ups save hardly more time than they cost.
    if known < Self.trial / 8 { left = Self.pause }
    (rows, known) = (0, 0)
  }
}
