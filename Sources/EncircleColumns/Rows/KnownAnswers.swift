import EncircleEvents

/// Caches the answers to rows that one version of the rules has decided, in written form, because past rows repeat themselves.
///
/// Rows are compared by digests with a random key of the process, so nobody can construct two different rows with the same digest.
/// If rows hardly ever repeat, as with a column of times, most are not looked up.
final class KnownAnswers {
  private typealias Place = Range<Int>

  /// The maximum number of bytes of answers. When there are more, all are discarded: on average, that costs no more than adding
  /// them did.
  static let byteLimit = 32 << 20
  // After `sample` look-ups the share of known rows is checked. If it is below an eighth, the next `pause` rows are not looked up.
  private static let sample = 1 << 14
  private static let pause = 1 << 18

  private var table = TupleTable()
  private var places: [Place] = []
  private var bytes: [UInt8] = []
  private var lookUps = 0
  private var hits = 0
  private var skipped = 0

  /// Returns the digest by which to look up a row; nil if it should not be looked up.
  func digest(of row: UnsafeBufferPointer<UInt8>) -> EventDigest? {
    if lookUps == Self.sample {
      if hits * 8 < lookUps, skipped < Self.pause {
        skipped += 1
        return nil
      }
      (lookUps, hits, skipped) = (0, 0, 0)
    }
    lookUps += 1
    return TupleDigester.digest(of: row)
  }

  /// Appends the answer to a row; returns false if it is not known.
  func append(answerTo digest: EventDigest, to output: inout [UInt8]) -> Bool {
    guard let number = table.answer(to: digest) else { return false }
    hits += 1
    output.append(contentsOf: bytes[places[Int(number)]])
    return true
  }

  /// Keeps the answer to a row that is not known.
  func insert(_ digest: EventDigest, answer: ArraySlice<UInt8>) {
    // The table empties itself when it is full, and `places` must follow.
    if bytes.count + answer.count > Self.byteLimit || places.count == TupleTable.limit {
      table.removeAll()
      places.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }
    table.insert(digest, answer: UInt32(places.count))
    places.append(bytes.count..<bytes.count + answer.count)
    bytes.append(contentsOf: answer)
  }
}
