import EncircleText

/// The values by which events are broken down, distinguished by a hash of their bytes.
struct SeriesValues {
  /// The index of values that are not kept apart.
  static let other = 0
  /// The maximum number of values with their own rows.
  static let maximumRows = 12

  private(set) var texts = [""]
  /// The numbers of events with each value, in the period and in total.
  private var counts: [(current: Int, all: Int)] = [(0, 0)]
  private var indexes: [Int: Int] = [:]

  /// Returns whether a node has a value that is shown as a text.
  static func hasText(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .string, .number, .true, .false: true
    case .null, .array, .object: false
    }
  }

  mutating func index(ofText text: String) -> Int {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { index(of: $0) }
  }

  /// Returns the index of a text.
  mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard bytes.count <= EventStore.longestValue else { return Self.other }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    let hash = hasher.finalize()
    if let index = indexes[hash] { return index }
    guard texts.count <= EventStore.maximumValues else { return Self.other }
    texts.append(String(decoding: bytes, as: UTF8.self))
    counts.append((0, 0))
    indexes[hash] = texts.count - 1
    return texts.count - 1
  }

  /// Returns the index of a node's value; nil if the value is not shown as a text.
  mutating func index(of node: JSONNode, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard Self.hasText(node) else { return nil }
    guard node.hasEscapes else { return index(of: text.part(node.range)) }
    var bytes: [UInt8] = []
    JSONString.decode(text.part(node.range), into: &bytes)
    return bytes.withUnsafeBufferPointer { index(of: $0) }
  }

  mutating func count(_ index: Int, _ isCurrent: Bool) {
    counts[index].all += 1
    if isCurrent { counts[index].current += 1 }
  }

  /// The values with the most events, by index.
  var largest: [Int] {
    let found = counts.indices.dropFirst().filter { counts[$0].all > 0 }
    return Array(
      found.sorted { a, b in
        if counts[a].current != counts[b].current { return counts[a].current > counts[b].current }
        if counts[a].all != counts[b].all { return counts[a].all > counts[b].all }
        return texts[a].utf8.lexicographicallyPrecedes(texts[b].utf8)
      }.prefix(Self.maximumRows))
  }
}

/// The counted events, and the people who caused them. A few bytes of each event are kept, so the numbers of people are exact.
struct SeriesTally {
  private let query: SeriesQuery
  /// For each event: its value, its cell (subject and bucket), and the number of its person; 0 is nobody.
  private var values: [UInt32] = []
  private var cells: [UInt32] = []
  private var persons: [UInt32] = []
  private var people: [Int: UInt32] = [:]

  init(_ query: SeriesQuery) { self.query = query }

  /// The number of events so far. An event counts once for each of its subjects.
  var count: Int { cells.count }

  /// Returns the number of a person. People are distinguished by a hash of their identifiers.
  mutating func person(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    guard bytes.baseAddress != nil else { return 0 }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    let next = UInt32(people.count + 1)
    return { (known: inout UInt32?) in
      if let known { return known }
      known = next
      return next
    }(&people[hasher.finalize()])
  }

  /// Counts an event.
  ///
  /// - Parameter subjects: The subjects of the event, as bits.
  mutating func add(_ subjects: Int, value: Int, _ bucket: Int, _ person: UInt32) {
    var rest = subjects
    while rest != 0 {
      let subject = rest.trailingZeroBitCount
      rest &= rest - 1
      values.append(UInt32(value))
      cells.append(UInt32(subject * query.allBuckets + bucket))
      persons.append(person)
    }
  }

  func answer(_ values: SeriesValues, isComplete: Bool) -> SeriesAnswer {
    var answer = SeriesAnswer(isComplete: isComplete)
    let largest = query.breakdown == nil ? [] : values.largest
    // The row of each value within a subject; the last row is for all other values.
    var rowOfValue = Array(repeating: largest.count, count: values.texts.count)
    for (row, value) in largest.enumerated() { rowOfValue[value] = row }
    let rowCount = largest.count + 1
    let numbers = numbers(rowOfValue, rowCount)
    for subject in query.subjects.indices {
      for row in 0..<rowCount {
        let isRest = row == largest.count && query.breakdown != nil
        let own = numbers[subject * rowCount + row]
        if query.breakdown != nil, own.allEvents == 0 { continue }
        let (before, current) = own.split(query)
        answer.rows.append(
          .init(
            subject: subject, value: row < largest.count ? values.texts[largest[row]] : nil, isRest: isRest,
            numbers: current, before: before))
      }
    }
    return answer
  }

  /// Returns the events and people of each subject and row, with the previous period first.
  ///
  /// - Complexity: O(events + subjects · rows · buckets).
  private func numbers(_ rowOfValue: [Int], _ rowCount: Int) -> [SeriesCells] {
    let buckets = query.allBuckets
    let groups = query.subjects.count * rowCount
    // The events are sorted by counting, so that the events of a cell are adjacent and each person is stamped with only the last cell.
    var starts = Array(repeating: 0, count: groups * buckets + 1)
    func place(_ index: Int) -> Int {
      let (subject, bucket) = Int(cells[index]).quotientAndRemainder(dividingBy: buckets)
      return (subject * rowCount + rowOfValue[Int(values[index])]) * buckets + bucket
    }
    for index in cells.indices { starts[place(index) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    var sorted = Array(repeating: UInt32(0), count: cells.count)
    for index in cells.indices {
      let place = place(index)
      sorted[next[place]] = persons[index]
      next[place] += 1
    }
    var inCell = Array(repeating: -1, count: people.count + 1)
    var inPeriod = inCell
    return (0..<groups).map { group in
      var own = SeriesCells(buckets: buckets)
      for bucket in 0..<buckets {
        let cell = group * buckets + bucket
        let isCurrent = bucket >= buckets - query.buckets
        let period = 2 * group + (isCurrent ? 1 : 0)
        own.events[bucket] = starts[cell + 1] - starts[cell]
        for position in starts[cell]..<starts[cell + 1] {
          let person = Int(sorted[position])
          if person == 0 { continue }
          if inCell[person] != cell {
            inCell[person] = cell
            own.people[bucket] += 1
          }
          if inPeriod[person] != period {
            inPeriod[person] = period
            if isCurrent { own.peopleInPeriod += 1 } else { own.peopleBefore += 1 }
          }
        }
      }
      return own
    }
  }
}

/// The events and people of one row, by bucket.
private struct SeriesCells {
  var events: [Int]
  var people: [Int]
  var peopleInPeriod = 0
  var peopleBefore = 0

  init(buckets: Int) {
    events = Array(repeating: 0, count: buckets)
    people = events
  }

  var allEvents: Int { events.reduce(0, +) }

  /// Returns the numbers of the period, and of the previous period if the query compares.
  func split(_ query: SeriesQuery) -> (before: SeriesNumbers?, current: SeriesNumbers) {
    var current = SeriesNumbers(buckets: query.buckets)
    current.events = Array(events.suffix(query.buckets))
    current.people = Array(people.suffix(query.buckets))
    current.allPeople = peopleInPeriod
    guard query.comparesBefore else { return (nil, current) }
    var before = SeriesNumbers(buckets: query.buckets)
    before.events = Array(events.prefix(query.buckets))
    before.people = Array(people.prefix(query.buckets))
    before.allPeople = peopleBefore
    return (before, current)
  }
}
