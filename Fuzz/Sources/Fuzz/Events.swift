import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Reads events, accounts for every byte of the input, and decides each event in two ways.
func readEvents(_ input: [UInt8]) -> CInt {
  // Broken compression ends the input early, for both readers.
  if let text = decompress(input) {
    var account = Account(text)
    readAll(input, lengthLimit: EventReader.defaultLengthLimit) { record, bytes in account.add(record, bytes) }
    account.close()
  } else {
    readAll(input, lengthLimit: EventReader.defaultLengthLimit) { _, _ in }
  }
  // A projection while reading must not change records.
  compareProjected(input, lengthLimit: EventReader.defaultLengthLimit)
  compareProjected(input, lengthLimit: 40)
  // A small limit, so that long pieces are not kept.
  readAll(input, lengthLimit: 40) { record, bytes in
    precondition(bytes.count <= 40)
    if case .rejection(let rejection) = record { precondition(rejection.bytes.count <= 40) }
  }
  return 0
}

private func decompress(_ input: [UInt8]) -> [UInt8]? {
  var source = ByteSource(input)
  return try? source.readAll(limit: 1 << 26)
}

private let projection = EventProjection(
  ["a", "n", "$element_path", "中"].map { .property(UTF8String($0)) }
    + ["/event", "/a"].compactMap { PropertyReference(parsing: $0) })

/// Reads with and without a projection, which must give the same records.
private func compareProjected(_ input: [UInt8], lengthLimit: Int) {
  var plain = EventReader(bytes: input, lengthLimit: lengthLimit)
  var projected = EventReader(bytes: input, projection: projection, lengthLimit: lengthLimit)
  while true {
    let expected = try? plain.next()
    let found = try? projected.next()
    precondition(expected == found, "the records differ")
    guard let expected else { return }
    guard case .event = expected else { continue }
    let bytes = plain.withEvent { Array($0) }
    let others = projected.withEvent { Array($0) }
    precondition(bytes == others, "the event is another one")
  }
}

private func readAll(
  _ input: [UInt8], lengthLimit: Int, _ body: (EventReader.Record, UnsafeBufferPointer<UInt8>) -> Void
) {
  var reader = EventReader(bytes: input, lengthLimit: lengthLimit)
  var decider = Decider(matcher, cacheLimit: 1 << 16)
  var line = 1
  do throws(InputError) {
    while let record = try reader.next() {
      switch record {
      case .event(let number):
        precondition(number >= line, "lines ascend")
        line = number
        decide(reader, using: &decider)
      case .rejection(let rejection):
        precondition(rejection.line >= line && rejection.location.line >= rejection.line, "lines ascend")
        precondition(rejection.location.column > 0 && rejection.byteCount >= rejection.bytes.count)
        precondition(!rejection.description.isEmpty && !rejection.reason.message.isEmpty)
        line = rejection.line
      }
      reader.withEvent { body(record, $0) }
    }
  } catch {
    precondition(!error.description.isEmpty)
  }
  precondition((try? reader.next()) == .some(nil), "nothing follows the end")
}

/// Decides the reader's event from the input's bytes, and as a value.
private func decide(_ reader: borrowing EventReader, using decider: inout Decider) {
  let decision = decider.decide(eventOf: reader)
  let bytes = reader.withEvent { Array($0) }
  guard let event = try? AnalyticsEvent(json: bytes) else { fatalError("what the reader takes for an event is none") }
  let other = decider.decide(event)
  precondition(decision == other, "read: \(decision), as a value: \(other)")
  precondition((try? AnalyticsEvent(json: event.json)) == event, "a written event reads back")
}

/// Searches for each record in the input after the previous one.
private struct Account {
  private let input: [UInt8]
  private var position: Int
  private var line = 1

  init(_ input: [UInt8]) {
    self.input = input
    position = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func add(_ record: EventReader.Record, _ event: UnsafeBufferPointer<UInt8>) {
    switch record {
    case .event(let line):
      precondition(event.first == UInt8(ascii: "{") && event.last == UInt8(ascii: "}"))
      skip(to: Array(event), line)
    case .rejection(let rejection):
      precondition(rejection.bytes.count == rejection.byteCount, "nothing here is too long")
      skip(to: rejection.bytes, rejection.line)
    }
  }

  func close() {
    precondition(input[position...].allSatisfy(Self.isBetween), "something at the end belongs to no record")
  }

  private mutating func skip(to bytes: [UInt8], _ expectedLine: Int) {
    guard !bytes.isEmpty else { return }
    while !input[position...].starts(with: bytes) {
      precondition(position < input.count && Self.isBetween(input[position]), "something belongs to no record")
      advance(1)
    }
    // A record that only has brackets and commas may be found before its actual place.
    let isCertain = !bytes.allSatisfy(Self.isBetween)
    precondition(!isCertain || line == expectedLine, "found in line \(line), not \(expectedLine)")
    advance(bytes.count)
  }

  private mutating func advance(_ count: Int) {
    line += input[position..<position + count].count { $0 == UInt8(ascii: "\n") }
    position += count
  }

  /// Returns whether a byte is white space, or a delimiter of array elements.
  private static func isBetween(_ byte: UInt8) -> Bool { " \t\r\n[],".utf8.contains(byte) }
}

private let matcher = livingForEver { Matcher(ruleSetOfEveryKind, dictionary: dictionary) }

/// Rules that use every feature.
let rulesOfEveryKind = """
  version: 1
  app: com.example.shop
  classes: { ProductCell: UITableViewCell }
  pages: { exclude: [DebugViewController] }
  rules:
    - { id: click, include: { event: $AppClick } }
    - { id: fold, include: { event: { equals: $APPCLICK, fold: true } } }
    - { id: page, include: { page: { kindOf: UIViewController } } }
    - { id: selector, include: { selector: "**/:UITableViewCell(section:0 row:*)/UIButton" } }
    - { id: any, include: { selector: "*" } }
    - { id: id, include: { eventID: \(buttonID) }, sameKind: true }
    - { id: identity, include: { identity: "path(UIWindow(0)_A_B)&controller(A)" } }
    - { id: time, from: 2026-01-01, to: 2026-12-31, include: { where: { n: { exists: true } } } }
    - { id: "null", include: { where: { n: null } } }
    - { id: "true", include: { where: { n: true } } }
    - { id: one, include: { where: { n: 1 } } }
    - { id: text, include: { where: { n: a } } }
    - { id: empty, include: { where: { n: "" } } }
    - { id: missing, include: { where: { n: { exists: false } } } }
    - { id: number, include: { where: { n: { ">": 1, "<=": 1e3 } } } }
    - { id: version, include: { where: { $app_version: { version: ">=5.2 <6" } } } }
    - { id: matches, include: { where: { n: { matches: "^[a-z]+$" } } } }
    - { id: glob, include: { where: { n: { glob: "a*b" } } } }
    - { id: parts, include: { where: { n: { prefix: a, not: { suffix: b }, contains: c } } } }
    - { id: pointer, include: { where: { /a/0/n: { exists: true }, /a/1: { not: { equals: 1 } } } } }
    - { id: replaced, include: { where: { n: "\\uFFFD" } } }
    - { id: items, include: { where: { n: { any: { prefix: a }, all: { not: 1 } } } } }
    - { id: numbers, include: { where: { n: { number: { ">=": 100 } } } } }
    - { id: sample, include: { where: { n: { sample: { share: 50%, salt: a } } } } }
    - { id: spans, during: [{ to: 2026-01-01 }, { from: 2026-03-01 }], emit: [a, b], include: { where: { x: 1 } } }
    - { id: within, include: { within: { selector: ProductCell, says: { prefix: 桃, not: 李 } } } }
    - { id: given, include: { selector: UIButton }, properties: { row: { path: row }, name: { element: ../UILabel(0) } } }
    - { id: not, exclude: { where: { x: { not: { in: [1, "1", false] }, exists: true } } } }
  """
