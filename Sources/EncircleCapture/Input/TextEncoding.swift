import CLibxml2
import EncircleText

/// Converts the text of a capture to UTF-8 before anything else reads it.
///
/// The scan for oversized tags and the parsers must see the same bytes, so libxml2 never gets bytes that it would decode.
enum TextEncoding {
  /// Returns the text as UTF-8 without a byte order mark, or nil if `data` is already in this form after its first `skipping` bytes.
  ///
  /// - Parameter encoding: The encoding of the text, which overrides its declaration; nil to detect it.
  static func convert(
    _ data: UnsafeBufferPointer<UInt8>, as encoding: CaptureEncoding? = nil, limit: Int
  ) throws(CaptureError) -> (converted: [UInt8]?, skipping: Int) {
    if let encoding { return try convert(data, named: encoding, limit: limit) }
    func byte(_ i: Int) -> UInt8? { i < data.count ? data[i] : nil }
    switch (byte(0), byte(1), byte(2), byte(3)) {
    case (0xEF, 0xBB, 0xBF, _): return (nil, 3)
    case (0x00, 0x00, 0xFE, 0xFF): return (try convertUTF32(data.part(4..<data.count), bigEndian: true), 0)
    case (0xFF, 0xFE, 0x00, 0x00): return (try convertUTF32(data.part(4..<data.count), bigEndian: false), 0)
    case (0xFE, 0xFF, _, _): return (try convertUTF16(data.part(2..<data.count), bigEndian: true), 0)
    case (0xFF, 0xFE, _, _): return (try convertUTF16(data.part(2..<data.count), bigEndian: false), 0)
    case (0x00, UInt8(ascii: "<"), _, _): return (try convertUTF16(data, bigEndian: true), 0)
    case (UInt8(ascii: "<"), 0x00, let c?, _) where c != 0:
      return (try convertUTF16(data, bigEndian: false), 0)
    default: break
    }
    guard let name = declaredEncoding(in: data) ?? encodingOfPage(data) else { return (nil, 0) }
    let place = SourceLocation(line: 1, column: 1)
    guard let declared = CaptureEncoding(name) else { throw CaptureError(.unknownEncoding, at: place) }
    switch declared.kind {
    case .utf8: return (nil, 0)
    case .utf16, .utf32:
      // The declaration itself was readable as single bytes.
      throw CaptureError(.badEncoding(declared.name), at: place)
    case .windows1252: return (convertWindows1252(data), 0)
    case .other: return (try convert(data, from: declared.name, limit: limit), 0)
    }
  }

  private static func convert(
    _ data: UnsafeBufferPointer<UInt8>, named encoding: CaptureEncoding, limit: Int
  ) throws(CaptureError) -> (converted: [UInt8]?, skipping: Int) {
    switch encoding.kind {
    case .utf8: return (nil, data.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0)
    case .utf16(let bigEndian):
      let mark = data.starts(with: [0xFE, 0xFF]) ? true : data.starts(with: [0xFF, 0xFE]) ? false : nil
      let body = mark == nil ? data : data.part(2..<data.count)
      return (try convertUTF16(body, bigEndian: bigEndian ?? mark ?? (data.first == 0)), 0)
    case .utf32(let bigEndian):
      let mark = data.starts(with: [0, 0, 0xFE, 0xFF]) ? true : data.starts(with: [0xFF, 0xFE, 0, 0]) ? false : nil
      let body = mark == nil ? data : data.part(4..<data.count)
      return (try convertUTF32(body, bigEndian: bigEndian ?? mark ?? (data.first == 0)), 0)
    case .windows1252: return (convertWindows1252(data), 0)
    case .other: return (try convert(data, from: encoding.name, limit: limit), 0)
    }
  }

  /// Refuses a text that is not UTF-8 or has a NUL byte.
  static func check(_ text: UnsafeBufferPointer<UInt8>) throws(CaptureError) {
    if let offset = text.firstInvalidUTF8 {
      throw CaptureError(.badEncoding("UTF-8"), at: SourceLocation(of: offset, in: text))
    }
    if let offset = text.offset(of: 0) {
      throw CaptureError(.nulByte, at: SourceLocation(of: offset, in: text))
    }
  }

  /// Returns the encoding in an XML declaration, or nil if it declares none.
  static func declaredEncoding(in data: UnsafeBufferPointer<UInt8>) -> String? {
    guard data.starts(withLiteral: "<?xml") else { return nil }
    let head = data.prefix(256)
    guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = Array(head[..<end])
    let key = Array("encoding".utf8)
    guard declaration.count > key.count else { return nil }
    for i in 0...declaration.count - key.count where Array(declaration[i..<i + key.count]) == key {
      var rest = declaration[(i + key.count)...].drop(while: isWhiteSpace)
      guard rest.popFirst() == UInt8(ascii: "=") else { continue }
      rest = rest.drop(while: isWhiteSpace)
      guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
      return String(decoding: rest.prefix { $0 != quote }, as: UTF8.self)
    }
    return nil
  }

  /// Returns the encoding that a web page names. A browser gives `outerHTML` in UTF-8, whatever the page itself was in.
  private static func encodingOfPage(_ data: UnsafeBufferPointer<UInt8>) -> String? {
    guard let start = data.firstIndex(where: { !isWhiteSpace($0) }), HTMLStart.isPage(data, from: start),
      data.firstInvalidUTF8 != nil, let name = HTMLStart.declaredEncoding(in: data)
    else { return nil }
    guard let (_, read) = encodingsOfBrowsers.first(where: { $0.names.contains(name) }), CaptureEncoding(read) != nil
    else { return name }
    return read
  }

  // The encodings in which browsers read pages that name others: https://encoding.spec.whatwg.org/#names-and-labels
  private static let encodingsOfBrowsers: [(names: [String], read: String)] = [
    (["gb2312", "gbk", "gb_2312-80", "x-gbk"], "GB18030"),
    (["iso-8859-1", "iso8859-1", "latin1", "ascii", "us-ascii"], "windows-1252"),
    (["shift_jis", "shift-jis", "sjis", "x-sjis"], "windows-31j"),
    (["euc-jp", "x-euc-jp"], "EUC-JP-MS"),
    (["euc-kr", "ks_c_5601-1987"], "CP949"),
  ]

  /// Decodes windows-1252 as browsers do: bytes without a character are control characters.
  private static func convertWindows1252(_ data: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(data.count)
    for byte in data {
      let scalar = byte & 0xE0 == 0x80 ? windows1252[Int(byte & 0x1F)] : Unicode.Scalar(byte)
      if let bytes = UTF8.encode(scalar) { result.append(contentsOf: bytes) }
    }
    return result
  }

  // The characters of the bytes from 0x80 to 0x9F; all others are the scalars of the same number.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  private static func convertUTF16(
    _ data: UnsafeBufferPointer<UInt8>, bigEndian: Bool
  ) throws(CaptureError) -> [UInt8] {
    let units = (0..<data.count / 2).lazy.map { i -> UInt16 in
      let a = UInt16(data[2 * i])
      let b = UInt16(data[2 * i + 1])
      return bigEndian ? a << 8 | b : b << 8 | a
    }
    let name = bigEndian ? "UTF-16 (big-endian)" : "UTF-16 (little-endian)"
    return try transcode(units, as: UTF16.self, name: name, incomplete: data.count % 2 != 0)
  }

  private static func convertUTF32(
    _ data: UnsafeBufferPointer<UInt8>, bigEndian: Bool
  ) throws(CaptureError) -> [UInt8] {
    let units = (0..<data.count / 4).lazy.map { i -> UInt32 in
      let unit = UnsafeRawBufferPointer(data).loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self)
      return bigEndian ? UInt32(bigEndian: unit) : UInt32(littleEndian: unit)
    }
    return try transcode(units, as: UTF32.self, name: "UTF-32", incomplete: data.count % 4 != 0)
  }

  private static func transcode<Encoding: UnicodeCodec>(
    _ units: some Sequence<Encoding.CodeUnit>, as encoding: Encoding.Type, name: String, incomplete: Bool
  ) throws(CaptureError) -> [UInt8] {
    var result: [UInt8] = []
    var decoder = encoding.init()
    var iterator = units.makeIterator()
    func fail() -> CaptureError {
      result.withUnsafeBufferPointer { CaptureError(.badEncoding(name), at: SourceLocation(of: $0.count, in: $0)) }
    }
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): if let bytes = UTF8.encode(scalar) { result.append(contentsOf: bytes) }
      case .emptyInput: break decoding
      case .error: throw fail()
      }
    }
    if incomplete { throw fail() }
    return result
  }

  /// Decodes with libxml2, which knows the encodings of the iconv or ICU that it was built with.
  private static func convert(
    _ data: UnsafeBufferPointer<UInt8>, from name: String, limit: Int
  ) throws(CaptureError) -> [UInt8] {
    guard let handler = xmlFindCharEncodingHandler(name) else {
      throw CaptureError(.unknownEncoding, at: SourceLocation(line: 1, column: 1))
    }
    defer { _ = xmlCharEncCloseFunc(handler) }
    // Otherwise libxml2 would print conversion errors. The handler is set for this thread only.
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    guard let input = xmlBufferCreateSize(data.count + 1), let output = xmlBufferCreateSize(data.count * 2 + 64)
    else {
      throw CaptureError(.tooLarge(limit: limit))
    }
    defer {
      xmlBufferFree(input)
      xmlBufferFree(output)
    }
    xmlBufferAdd(input, data.baseAddress, Int32(data.count))
    var left = Int(xmlBufferLength(input))
    while left > 0 {
      let status = xmlCharEncInFunc(handler, output, input)
      let now = Int(xmlBufferLength(input))
      guard status >= 0, now < left else {
        let location = SourceLocation(of: data.count - now, in: data)
        throw CaptureError(.badEncoding(name), at: location)
      }
      left = now
      if Int(xmlBufferLength(output)) > limit { throw CaptureError(.tooLarge(limit: limit)) }
    }
    return Array(UnsafeBufferPointer(start: xmlBufferContent(output), count: Int(xmlBufferLength(output))))
  }
}
