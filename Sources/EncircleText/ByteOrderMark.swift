/// The character U+FEFF at the beginning of a text, which some programs write and readers do not count as part of the text.
package enum ByteOrderMark {
  /// Its bytes in UTF-8.
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Collection<UInt8> {
  /// The bytes of a text in UTF-8 without a byte order mark at the beginning.
  package var withoutByteOrderMark: SubSequence {
    starts(with: ByteOrderMark.utf8) ? dropFirst(ByteOrderMark.utf8.count) : self[...]
  }
}
