import EncircleText

/// Searches for the end of a broken element of an array, and gives up if the end is not certain.
///
/// The end is certain if the element's quotes, brackets, colons and commas follow each other as in an object, whatever is wrong
/// with the texts and words between them, and if another object follows in the same line. After a missing quote, the scan would
/// take texts for the parts between them, and fail. So the inside of a text is never taken for an event.
struct BrokenElement {
  enum Outcome {
    /// The element has this length.
    case ends(length: Int)
    /// The end cannot be determined.
    case uncertain
    /// More text is needed to determine the end.
    case needsText
  }

  private enum Expectation {
    case value, key, colon, comma
    /// The comma behind the element.
    case commaBehind
    /// The next element.
    case next
  }

  /// The error in the element.
  let error: JSONError
  private(set) var outcome = Outcome.needsText
  private var offset = 0
  private var length = 0
  private var expectation = Expectation.value
  // The closing brackets of all open collections.
  private var open: [UInt8] = []
  private var isInText = false
  private var isEscaped = false
  private var isInWord = false

  init(_ error: JSONError) { self.error = error }

  /// Gives up: there is no more text.
  mutating func end() { outcome = .uncertain }

  /// Continues the scan.
  ///
  /// - Parameter text: The text from the beginning of the element on: the text of earlier calls, which is not scanned again,
  ///   and more.
  mutating func advance(in text: UnsafeBufferPointer<UInt8>) {
    while case .needsText = outcome, offset < text.count {
      take(text[offset])
      offset += 1
    }
  }

  private mutating func take(_ byte: UInt8) {
    if isInText, byte != UInt8(ascii: "\n") {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText = false
      }
      return
    }
    let wasInWord = isInWord
    isInWord = false
    switch (byte, expectation) {
    case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\r"), _): break
    case (UInt8(ascii: "{"), .next): outcome = .ends(length: length)
    case (UInt8(ascii: "{"), .value), (UInt8(ascii: "["), .value):
      let isObject = byte == UInt8(ascii: "{")
      open.append(UInt8(ascii: isObject ? "}" : "]"))
      expectation = isObject ? .key : .value
    case (UInt8(ascii: "}"), .key), (UInt8(ascii: "}"), .value), (UInt8(ascii: "}"), .comma),
      (UInt8(ascii: "]"), .value), (UInt8(ascii: "]"), .comma):
      guard open.popLast() == byte else { return end() }
      expectation = open.isEmpty ? .commaBehind : .comma
      length = offset + 1
    case (UInt8(ascii: ":"), .colon): expectation = .value
    case (UInt8(ascii: ","), .commaBehind): expectation = .next
    case (UInt8(ascii: ","), .comma), (UInt8(ascii: ","), .value):
      expectation = open.last == UInt8(ascii: "}") ? .key : .value
    case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .value):
      isInText = true
      expectation = expectation == .key ? .colon : .comma
    case (UInt8(ascii: "\n"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _),
      (UInt8(ascii: "}"), _), (UInt8(ascii: "]"), _), (UInt8(ascii: ":"), _), (UInt8(ascii: ","), _):
      end()
    case (_, .key), (_, .value):
      isInWord = true
      expectation = expectation == .key ? .colon : .comma
    default:
      if wasInWord { isInWord = true } else { end() }
    }
  }
}
