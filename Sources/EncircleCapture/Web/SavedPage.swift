import EncircleText

/// The marks of browsers in saved pages.
enum SavedPage {
  /// Returns the address in Chromium's comment `saved from url=(0028)https://…`; nil for other comments.
  static func url(in comment: UnsafeBufferPointer<UInt8>) -> String? {
    let text = comment.drop(while: isWhiteSpace)
    let mark = Array("saved from url=(".utf8)
    guard text.starts(with: mark) else { return nil }
    var rest = text.dropFirst(mark.count).drop(while: isDigit)
    guard rest.popFirst() == UInt8(ascii: ")") else { return nil }
    // Chromium escapes dashes in the address, which would end the comment.
    let url = rest.prefix { !isWhiteSpace($0) }
    return url.isEmpty ? nil : String(decoding: url, as: UTF8.self).replacingBytes(of: "%2D%2D", with: "--")
  }
}
