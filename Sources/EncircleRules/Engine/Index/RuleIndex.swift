import EncircleEvents
import EncircleIdentity
import EncircleText

/// Finds the clauses that an event may satisfy, in buckets under the event's keys.
///
/// The index may find too many clauses, never too few: each one is then evaluated.
struct RuleIndex: ~Copyable, Sendable {
  /// A clause, and the selector under whose key it is filed, or -1.
  struct Entry: BitwiseCopyable, Sendable {
    var clause: UInt32
    var selector: Int32
  }

  /// The parts of events that some entry depends on. The other parts need not be computed.
  struct Features: BitwiseCopyable, Sendable {
    /// Some rule names an event ID.
    var eventIDs = false
    /// Some selector tests class names by a pattern or a superclass.
    var classNames = false
    /// Some entry with an element stands under a key without a page.
    var elementsOnAnyPage = false
    /// Some entry stands under the key of an element.
    var elements = false
    /// Some entry stands under neither an element nor a value.
    var noElements = false
  }

  let paths: PathIndex
  /// Key → numbers of entries.
  let buckets: KeyTable
  let entries: FrozenArray<Entry>
  let values: ValueIndex
  let features: Features

  init(
    paths: consuming PathIndex, buckets: consuming KeyTable, entries: FrozenArray<Entry>, values: consuming ValueIndex,
    features: Features
  ) {
    self.paths = paths
    self.buckets = buckets
    self.entries = entries
    self.values = values
    self.features = features
  }

  var byteCount: Int { paths.byteCount + buckets.byteCount + entries.byteCount + values.byteCount }

  /// Returns the entries under an event ID.
  @inline(__always) func entries(forEventID id: EventID) -> UnsafeBufferPointer<UInt32> {
    buckets.find(paths.keys.eventID(id))
  }

  /// Calls `body` with the entries that are filed under neither an element nor a value. `event` and `page` are the numbers of the
  /// event's name and page. The name's number is looked up only if there are such entries.
  @inline(__always)
  func forEachEntry(
    event: @autoclosure () -> UInt32?, page: UInt32?, _ body: (UnsafeBufferPointer<UInt32>) -> Void
  ) {
    guard features.noElements else { return }
    body(buckets.find(paths.keys.noElement(event: nil, page: nil)))
    if let page { body(buckets.find(paths.keys.noElement(event: nil, page: page))) }
    guard let event = event() else { return }
    body(buckets.find(paths.keys.noElement(event: event, page: nil)))
    if let page { body(buckets.find(paths.keys.noElement(event: event, page: page))) }
  }

  /// Calls `body` with the entries that a path may match, some of them more than once.
  ///
  /// The tables are larger than the processor's caches, so they are read in stages, each of them for all keys: while the memory for
  /// one key is being fetched, so is the memory for the others.
  @inline(__always)
  func forEachEntry(
    matching path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ selectors: borrowing SelectorTable,
    _ classes: borrowing ClassTable, _ scratch: inout PathIndex.Scratch, _ body: (UInt32) -> Void
  ) {
    forEachEntry(withKeysOf: path, page: page, &scratch, body)
    if !paths.automaton.isEmpty { paths.automaton.forEachMatch(path, selectors, classes, &scratch.automaton, body) }
  }
}

extension RuleIndex {
  /// Calls `body` with the entries under the keys of a path, some of them more than once. Omits selectors without keys.
  @inline(__always)
  func forEachEntry(
    withKeysOf path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ scratch: inout PathIndex.Scratch,
    _ body: (UInt32) -> Void
  ) {
    paths.collectKeys(of: path, page: page, &scratch, in: buckets)
    for i in 0..<scratch.bucketKeys.count {
      for entry in buckets.values(of: scratch.bucketKeys[i]) { body(entry) }
    }
  }
}

// MARK: - Saving

extension RuleIndex {
  func write(to writer: inout CompiledWriter) {
    paths.write(to: &writer)
    writer.append(buckets)
    writer.append(entries)
    values.write(to: &writer)
    features.write(to: &writer)
  }

  init(from reader: inout CompiledReader, tests: borrowing TestTable, nameCount: Int) throws(CompiledRulesError) {
    let paths = try PathIndex(from: &reader)
    let buckets = try reader.keyTable()
    let entries: FrozenArray<Entry> = try reader.array()
    let values = try ValueIndex(from: &reader, tests: tests, nameCount: nameCount)
    let features = try Features(from: &reader)
    self.init(paths: paths, buckets: buckets, entries: entries, values: values, features: features)
  }

  /// Returns whether every number in the tables refers to something that is there.
  func isConsistent(
    clauseCount: Int, selectors: borrowing SelectorTable, classCount: Int, propertyCount: Int
  ) -> Bool {
    let selectorLimit = Int32(clamping: selectors.count)
    return entries.all.allSatisfy { Int($0.clause) < clauseCount && $0.selector < selectorLimit }
      && buckets.values(areBelow: entries.count)
      && paths.isConsistent(classCount: classCount, stepCount: selectors.steps.count, entryCount: entries.count)
      && values.isConsistent(entryCount: entries.count, propertyCount: propertyCount)
  }
}

extension RuleIndex.Features {
  fileprivate func write(to writer: inout CompiledWriter) {
    let flags = [eventIDs, classNames, elementsOnAnyPage, elements, noElements]
    writer.append(FrozenArray(flags.map { $0 ? 1 : 0 as UInt8 }))
  }

  fileprivate init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let flags: FrozenArray<UInt8> = try reader.array()
    guard flags.count == 5 else { throw .damaged }
    eventIDs = flags[0] != 0
    classNames = flags[1] != 0
    elementsOnAnyPage = flags[2] != 0
    elements = flags[3] != 0
    noElements = flags[4] != 0
  }
}
