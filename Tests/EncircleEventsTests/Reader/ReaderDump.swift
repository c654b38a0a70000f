import EncircleEvents
import EncircleInput

/// What a reader makes of an input, one record a line: `line bytes`, or `!line:column reason | bytes`.
func records(_ input: [UInt8], pieceSize: Int = .max, lengthLimit: Int = EventReader.defaultLengthLimit) -> [String] {
  var reader = EventReader(ByteSource(input, pieceSize: pieceSize), lengthLimit: lengthLimit)
  var result: [String] = []
  while true {
    do throws(InputError) {
      guard let record = try reader.next() else { return result }
      switch record {
      case .event(let line):
        reader.withParsedEvent { bytes, tape in
          result.append("\(line) \(String(decoding: bytes, as: UTF8.self))")
          let isWhole = tape.count > 0 && tape[0].kind == .object && tape[0].range == 0..<bytes.count
          if !isWhole { result.append("?? the tape is not that of the event") }
        }
      case .rejection(let rejection):
        let reason = if case .json(let kind) = rejection.reason { "\(kind)" } else { "\(rejection.reason)" }
        let size = rejection.byteCount == rejection.bytes.count ? "" : " (\(rejection.byteCount) bytes)"
        let lines = rejection.line == rejection.location.line ? "" : "from \(rejection.line) "
        result.append(
          "!\(lines)\(rejection.location) \(reason) | "
            + String(decoding: rejection.bytes, as: UTF8.self) + size)
      }
    } catch {
      result.append("error: \(error)")
    }
  }
}

enum ByteInputs {
  /// The results for an array of values, its elements as records, at every piece size.
  static func split(_ input: [UInt8], lengthLimit: Int = EventReader.defaultLengthLimit) -> [[String]] {
    ([Int.max] + Array(1...max(1, input.count))).map { records(input, pieceSize: $0, lengthLimit: lengthLimit) }
  }
}
