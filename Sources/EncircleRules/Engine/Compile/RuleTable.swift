import EncircleEvents
import EncircleText

/// The rules of a program, without their clauses. A rule's number is its place in byte order of the ids.
struct RuleTable: ~Copyable, Sendable {
  /// One rule: most have nothing but clauses and an effect.
  struct Record: BitwiseCopyable, Sendable {
    /// The lowest bit is 1 for an exclude rule; the others are the number of the rule's ``Extras``, or all ones.
    private var bits: UInt32

    private static let noExtras = UInt32.max >> 1

    init(isExclude: Bool, extras: Int?) {
      bits = (extras.map { UInt32($0) } ?? Self.noExtras) << 1 | (isExclude ? 1 : 0)
    }

    var isExclude: Bool { bits & 1 == 1 }
    var extras: Int? { bits >> 1 == Self.noExtras ? nil : Int(bits >> 1) }
  }

  /// Conditions other than the clauses, and names other than the ID. Few rules have any.
  struct Extras: BitwiseCopyable, Sendable {
    /// The numbers of the names under which events are selected, at least one: emitStart ..< emitStart + emitCount.
    var emitStart: UInt32
    var emitCount: UInt32
    /// The numbers of the names of the apps; if there are any, one must match: appNames[appStart ..< appStart + appCount].
    var appStart: UInt32
    var appCount: UInt32
    var time: RuleTime
    /// The time spans; if there are any, one must contain the event's time: windows[windowStart ..< windowStart + windowCount].
    var windowStart: UInt32
    var windowCount: UInt32
    /// Clauses; none may hold: unlessStart ..< unlessStart + unlessCount.
    var unlessStart: UInt32
    var unlessCount: UInt32
    /// The tolerance in millionths, or ``RuleProgram/none``.
    var tolerance: UInt32
    private let padding: UInt32 = 0

    /// The number of millionths of the highest tolerance.
    static let tolerances: Double = 1_000_000

    var emits: Range<Int> { Int(emitStart)..<Int(emitStart) + Int(emitCount) }
    var windows: Range<Int> { Int(windowStart)..<Int(windowStart) + Int(windowCount) }
    var apps: Range<Int> { Int(appStart)..<Int(appStart) + Int(appCount) }
    var unless: Range<Int> { Int(unlessStart)..<Int(unlessStart) + Int(unlessCount) }
  }

  /// The ids, in byte order.
  let ids: TextList
  let records: FrozenArray<Record>
  let extras: FrozenArray<Extras>
  /// The names under which events are selected, for rules that do not use their ids.
  let emits: TextList
  /// The properties that rules give events, by rule; most have none. They are read once an event has been decided.
  let properties: [Int: [RuleProperty]]
  /// The numbers of the names of apps.
  let appNames: FrozenArray<UInt32>
  /// The spans of time of rules with several.
  let windows: FrozenArray<RuleTime>
  /// For each rule, its details as a JSON object; empty for rules without any. The list itself is empty if no rule has
  /// details.
  let details: TextList

  var byteCount: Int {
    records.byteCount + extras.byteCount + appNames.byteCount + windows.byteCount + details.starts.byteCount
      + ids.starts.byteCount + emits.starts.byteCount
  }

  /// This is true if some rule has a limited time of validity.
  var testsTime: Bool { extras.all.contains { !$0.time.isAlways || !$0.windows.isEmpty } }

  /// Returns the number of names under which a rule selects events.
  @inline(__always) func emitCount(of rule: Int) -> Int {
    if let extras = records[rule].extras { return Int(self.extras[extras].emitCount) }
    return 1
  }

  /// Returns a name under which a rule selects events.
  ///
  /// - Parameter number: Less than ``emitCount(of:)``.
  @inline(__always) func emit(of rule: Int, _ number: Int) -> UnsafeBufferPointer<UInt8> {
    if let extras = records[rule].extras { return emits[Int(self.extras[extras].emitStart) + number] }
    return ids[rule]
  }

  /// Returns the details of a rule as a JSON object; empty if it has none.
  func details(of rule: Int) -> UnsafeBufferPointer<UInt8> {
    details.count == 0 ? UnsafeBufferPointer(start: nil, count: 0) : details[rule]
  }

  /// Returns the number of the rule with that id.
  ///
  /// - Complexity: O(log *n*), *n* rules.
  func number(ofRule id: UTF8String) -> Int? {
    id.withUTF8 { wanted in
      let place = (0..<ids.count).partitioningIndex { !ids[$0].lexicographicallyPrecedes(wanted) }
      return place < ids.count && sameBytes(ids[place], wanted) ? place : nil
    }
  }
}

extension RuleTable {
  /// Collects rules.
  struct Builder {
    private var records: [Record] = []
    private var extras: [Extras] = []
    private var emits: [String] = []
    private var properties: [Int: [RuleProperty]] = [:]
    private var appNames: [UInt32] = []
    private var windows: [RuleTime] = []

    mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

    /// Adds a rule that has nothing but clauses, and is emitted under its id.
    mutating func append(isExclude: Bool) { records.append(Record(isExclude: isExclude, extras: nil)) }

    /// Adds a rule.
    mutating func append(
      isExclude: Bool, emits names: [String], apps: [UInt32], time: RuleTime, windows spans: [RuleTime],
      unless: Range<UInt32>, tolerance: Double?
    ) {
      records.append(Record(isExclude: isExclude, extras: extras.count))
      extras.append(
        Extras(
          emitStart: UInt32(emits.count), emitCount: UInt32(names.count), appStart: UInt32(appNames.count),
          appCount: UInt32(apps.count), time: time, windowStart: UInt32(windows.count),
          windowCount: UInt32(spans.count), unlessStart: unless.lowerBound,
          unlessCount: UInt32(unless.count),
          tolerance: tolerance.map { UInt32((min(max($0, 0), 1) * Extras.tolerances).rounded()) } ?? RuleProgram.none))
      emits += names
      appNames += apps
      windows += spans
    }

    /// Gives the rule that was added last properties.
    mutating func setProperties(_ list: [RuleProperty]) { properties[records.count - 1] = list }

    /// - Parameter details: By rule, or empty.
    func freeze(ids: some Sequence<String>, details: [String]) -> RuleTable {
      RuleTable(
        ids: TextList(ids), records: FrozenArray(records), extras: FrozenArray(extras), emits: TextList(emits),
        properties: properties, appNames: FrozenArray(appNames), windows: FrozenArray(windows),
        details: TextList(details))
    }
  }
}

// MARK: - Saving

extension RuleTable {
  func write(to writer: inout CompiledWriter) {
    writer.append(ids)
    writer.append(records)
    writer.append(extras)
    writer.append(emits)
    writer.append(appNames)
    writer.append(windows)
    writer.append(details)
    var bytes: [UInt8] = []
    ByteCoding.append(properties.count, to: &bytes)
    for (rule, list) in properties.sorted(by: { $0.key < $1.key }) {
      ByteCoding.append(rule, to: &bytes)
      ByteCoding.append(list.count, to: &bytes)
      for property in list { property.encode(to: &bytes) }
    }
    writer.append(bytes)
  }

  private static func properties(
    _ bytes: FrozenArray<UInt8>
  ) throws(CompiledRulesError) -> [Int: [RuleProperty]] {
    var decoder = ByteCoding.Decoder(bytes: bytes.all)
    let lists = decoder.list { decoder -> (Int, [RuleProperty])? in
      guard let rule = decoder.number(), let list = decoder.list({ RuleProperty(from: &$0) }) else { return nil }
      return (rule, list)
    }
    guard let lists, decoder.isAtEnd, lists.allSatisfy({ $1.count <= RuleProperty.maximumPerRule }) else {
      throw .damaged
    }
    return Dictionary(lists) { first, _ in first }
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let ids = try reader.textList()
    let records: FrozenArray<Record> = try reader.array()
    let extras: FrozenArray<Extras> = try reader.array()
    let emits = try reader.textList()
    let appNames: FrozenArray<UInt32> = try reader.array()
    let windows: FrozenArray<RuleTime> = try reader.array()
    let details = try reader.textList()
    let properties = try Self.properties(try reader.array())
    self.init(
      ids: ids, records: records, extras: extras, emits: emits, properties: properties, appNames: appNames,
      windows: windows, details: details)
  }

  /// Returns whether a text is a JSON object in one line.
  private static func isLine(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var tape = JSONTape()
    return text.allSatisfy { $0 >= 0x20 } && (try? tape.parse(text)) != nil && tape[0].kind == .object
  }

  /// Returns whether every number in the table refers to something that is there.
  func isConsistent(clauseCount: Int, nameCount: Int) -> Bool {
    ids.count == records.count && (details.count == 0 || details.count == records.count)
      && properties.keys.allSatisfy { $0 < records.count }
      && (0..<details.count).allSatisfy { details[$0].isEmpty || Self.isLine(details[$0]) }
      && RuleTime.flagOffsets.allSatisfy { windows.bytes(at: $0, areAtMost: 1) }
      && records.all.allSatisfy { record in record.extras.map { $0 < extras.count } ?? true }
      && Extras.flagOffsets.allSatisfy { extras.bytes(at: $0, areAtMost: 1) }
      && extras.all.allSatisfy { extras in
        extras.emitCount > 0 && extras.emits.upperBound <= emits.count
          && extras.windows.upperBound <= windows.count && extras.apps.upperBound <= appNames.count
          && extras.unless.upperBound <= clauseCount
          && (extras.tolerance == RuleProgram.none || Double(extras.tolerance) <= Extras.tolerances)
      }
      && appNames.all.allSatisfy { Int($0) < nameCount }
  }
}

extension RuleTable.Extras {
  fileprivate static var flagOffsets: [Int] {
    let time = MemoryLayout<Self>.offset(of: \.time) ?? 0
    return RuleTime.flagOffsets.map { $0 + time }
  }
}

/// The time span of a rule, in milliseconds since 1970.
struct RuleTime: BitwiseCopyable, Sendable {
  private let hasFrom: Bool
  private let hasTo: Bool
  private let padding: (UInt16, UInt16, UInt16) = (0, 0, 0)
  private let from: Int64
  private let to: Int64

  init(from: Int64?, to: Int64?) {
    (hasFrom, self.from) = (from != nil, from ?? 0)
    (hasTo, self.to) = (to != nil, to ?? 0)
  }

  /// The byte offsets of the flags. The flags are checked, because a file of compiled rules may contain any byte there.
  static var flagOffsets: [Int] {
    [\RuleTime.hasFrom, \RuleTime.hasTo].compactMap { MemoryLayout<RuleTime>.offset(of: $0) }
  }

  var isAlways: Bool { !hasFrom && !hasTo }

  /// Returns whether the time of an event lies between the bounds. The last millisecond is included with its fractions.
  func contains(_ value: ProjectedValue) -> Bool {
    guard let time = EventTime.milliseconds(value) else { return false }
    if hasFrom, time < DecimalNumber(from) { return false }
    let end = to == .max ? DecimalNumber(UInt64(1) << 63) : DecimalNumber(to + 1)
    return !hasTo || time < end
  }
}
