import EncircleText

/// Reads the words of an attribute, which white space separates.
struct WordScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Returns the next word, or nil at the end.
  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    while position < text.count, isWhiteSpace(text[position]) { position += 1 }
    let start = position
    while position < text.count, !isWhiteSpace(text[position]) { position += 1 }
    return position > start ? text.part(start..<position) : nil
  }

  mutating func nextDouble() -> Double? { next().flatMap { Number.double($0) } }

  mutating func nextInteger() -> Int? { next().flatMap { Number.integer($0) } }
}
