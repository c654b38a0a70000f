import EncircleEvents
import EncircleIdentity
import EncircleText

// What a decision says, as bytes that lie in the matcher: for output that makes no texts.

extension Matcher {
  /// The bytes of a rule's id; valid as long as the matcher is.
  package func idBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.ids[rule]
  }

  /// The bytes of the name under which a rule selects events; valid as long as the matcher is.
  package func emitBytes(ofRule number: Int) -> UnsafeBufferPointer<UInt8> {
    let (program, rule) = place(ofRule: number)
    return program.pointee.emit(of: rule)
  }

  /// The names of excluded pages by their numbers, in byte order, each once.
  package func excludedPageNames(_ numbers: [Int]) -> [UTF8String] {
    Set(numbers.map { excludedPages[$0].name }).sorted()
  }
}

extension MatchState {
  /// The event ID of the event that a reader has returned last and that has just been matched; the reader has the
  /// matcher's projection.
  package mutating func eventID(ofEventOf reader: borrowing EventReader, _ matcher: borrowing Matcher) -> EventID? {
    reader.withValues { element($0, matcher).eventID }
  }

  /// How the element was found of the event that a reader has returned last and that has just been matched; the reader has
  /// the matcher's projection.
  package mutating func resolution(
    ofEventOf reader: borrowing EventReader, _ matcher: borrowing Matcher
  ) -> Decision.Resolution {
    reader.withValues { resolution($0, matcher) }
  }
}
