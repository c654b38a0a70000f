import EncircleEvents
import EncircleInput
import EncircleText

/// Places, some of which are in most test events.
let someProjection = EventProjection(
  ["a", "b", "c", "n", "$element_path", "$title", "é", "中文", "", "x", "a name of more than thirty-one bytes, just so"]
    .map {
      .property(UTF8String($0))
    } + ["/a", "/b", "/event", "/properties", "/n", "/time"].compactMap { PropertyReference(parsing: $0) },
  keyPlaces: [0, 4, 5, 11])

/// The values of an event, one a place.
func dump(_ values: borrowing ProjectedEvent) -> [String] {
  (0..<values.projection.count).compactMap { number in
    let value = values[number]
    if value.kind == .missing { return nil }
    return "\(values.projection.references[number]) \(value.kind) \(String(decoding: value.bytes, as: UTF8.self))"
  }
}

/// The records that a reader makes of an input, with and without a projection; both must be the same.
func records(_ input: [UInt8], pieceSize: Int = .max, lengthLimit: Int = EventReader.defaultLengthLimit) -> [String] {
  let plain = plainRecords(input, pieceSize: pieceSize, lengthLimit: lengthLimit)
  let projected = plainRecords(input, pieceSize: pieceSize, lengthLimit: lengthLimit, projection: someProjection)
  return plain == projected ? plain : plain + ["?? with a projection:"] + projected
}

/// What a reader makes of an input, one record a line: `line bytes`, or `!line:column reason | bytes`.
private func plainRecords(
  _ input: [UInt8], pieceSize: Int, lengthLimit: Int, projection: EventProjection? = nil
) -> [String] {
  var reader = EventReader(
    ByteSource(input, pieceSize: pieceSize), projection: projection, lengthLimit: lengthLimit)
  var slow = ProjectedEvent(someProjection)
  return readAll(&reader, projection, &slow)
}

/// The same, from a reader that the input is appended to, in chunks that end at the cuts.
func appendedRecords(
  _ input: [UInt8], cuts: some Sequence<Int>, lengthLimit: Int = EventReader.defaultLengthLimit,
  projection: EventProjection? = someProjection
) -> [String] {
  var slow = ProjectedEvent(someProjection)
  var reader = EventReader(projection: projection, lengthLimit: lengthLimit)
  var result: [String] = []
  var start = 0
  for cut in cuts {
    reader.append(input[start..<cut])
    start = cut
    result += readAll(&reader, projection, &slow)
    let needsInput = reader.needsInput
    if !needsInput, result.last?.hasPrefix("error") != true { result.append("?? the end before the end") }
  }
  reader.append(input[start...])
  reader.finish()
  result += readAll(&reader, projection, &slow)
  let needsInput = reader.needsInput
  if needsInput { result.append("?? no end") }
  return result
}

/// The same, from blocks of lines where the input is lines.
func blockRecords(
  _ input: [UInt8], pieceSize: Int = .max, blockSize: Int, lengthLimit: Int = EventReader.defaultLengthLimit
) -> [String] {
  var slow = ProjectedEvent(someProjection)
  var blocks = LineBlocks(
    ByteSource(input, pieceSize: pieceSize), projection: someProjection, lengthLimit: lengthLimit, blockSize: blockSize)
  guard blocks.isLines else {
    var reader = blocks.documents()
    return readAll(&reader, someProjection, &slow)
  }
  var result: [String] = []
  while true {
    do throws(InputError) {
      guard let piece = try blocks.next() else { return result }
      switch piece {
      case .lines(let block):
        var reader = EventReader(block, projection: someProjection, lengthLimit: lengthLimit)
        result += readAll(&reader, someProjection, &slow)
      case .rejection(let rejection): result.append(dump(rejection))
      }
    } catch {
      result.append("error: \(error)")
    }
  }
}

private func dump(_ rejection: Rejection) -> String {
  let reason = if case .json(let kind) = rejection.reason { "\(kind)" } else { "\(rejection.reason)" }
  let size = rejection.byteCount == rejection.bytes.count ? "" : " (\(rejection.byteCount) bytes)"
  let lines = rejection.line == rejection.location.line ? "" : "from \(rejection.line) "
  return "!\(lines)\(rejection.location) \(reason) | " + String(decoding: rejection.bytes, as: UTF8.self) + size
}

private func readAll(
  _ reader: inout EventReader, _ projection: EventProjection?, _ slow: inout ProjectedEvent
) -> [String] {
  var result: [String] = []
  // The values of events that are said to come next.
  var announced: [[String]] = []
  while true {
    do throws(InputError) {
      guard let record = try reader.next() else {
        if !announced.isEmpty { result.append("?? \(announced) do not come") }
        return result
      }
      switch record {
      case .event(let line):
        reader.withParsedEvent { bytes, tape in
          result.append("\(line) \(String(decoding: bytes, as: UTF8.self))")
          let isWhole = tape.count > 0 && tape[0].kind == .object && tape[0].range == 0..<bytes.count
          if !isWhole { result.append("?? the tape is not that of the event") }
          if projection != nil {
            slow.load(tape, bytes)
            let (expected, found) = (dump(slow), dump(reader.upcomingValues[0]))
            if expected != found { result.append("?? \(found) instead of \(expected)") }
            if slow.keyDigest != reader.upcomingValues[0].keyDigest {
              result.append("?? another digest of \(found)")
            }
            let upcoming = reader.upcomingValues.indices.map { dump(reader.upcomingValues[$0]) }
            if upcoming.isEmpty || !upcoming.starts(with: announced.isEmpty ? [expected] : announced) {
              result.append("?? \(upcoming) instead of \(announced)")
            }
            announced = Array(upcoming.dropFirst())
          }
        }
      case .rejection(let rejection):
        if !announced.isEmpty { result.append("?? \(announced) are not next") }
        result.append(dump(rejection))
      }
    } catch {
      result.append("error: \(error)")
    }
  }
}

enum ByteInputs {
  /// The results for an input, read and appended in pieces of every size.
  static func split(_ input: [UInt8], lengthLimit: Int = EventReader.defaultLengthLimit) -> [[String]] {
    ([Int.max] + Array(1...max(1, input.count))).map { records(input, pieceSize: $0, lengthLimit: lengthLimit) }
      + (1...input.count + 1).map {
        appendedRecords(input, cuts: stride(from: $0, to: input.count, by: $0), lengthLimit: lengthLimit)
      }
  }
}
