import EncircleText

/// The percent-encoded fields of a form or of a query.
struct FormFields {
  private let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
  /// Further fields are ignored: an SDK sends six.
  private static let mostFields = 100

  init(_ text: [UInt8]) {
    fields = text.split(separator: UInt8(ascii: "&"), maxSplits: Self.mostFields).prefix(Self.mostFields).map { field in
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return (field, field[field.endIndex...]) }
      return (field[..<equals], field[(equals + 1)...])
    }
  }

  /// The decoded value of the first field with the name.
  subscript(_ name: String) -> String? {
    value(name).map { String(decoding: Self.decode($0, plus: UInt8(ascii: " ")), as: UTF8.self) }
  }

  /// The value of a field in Base64 or JSON, in which an unencoded plus sign is not a space.
  func bytes(_ name: String) -> [UInt8]? { value(name).map { Self.decode($0, plus: UInt8(ascii: "+")) } }

  private func value(_ name: String) -> ArraySlice<UInt8>? {
    fields.first { $0.name.elementsEqual(name.utf8) }?.value
  }

  /// Percent signs without two digits behind them are left as they are.
  private static func decode(_ text: ArraySlice<UInt8>, plus: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var i = text.startIndex
    while i < text.endIndex {
      let byte = text[i]
      if byte == UInt8(ascii: "%"), i + 2 < text.endIndex, let high = digit(text[i + 1]), let low = digit(text[i + 2]) {
        result.append(high << 4 | low)
        i += 3
        continue
      }
      result.append(byte == UInt8(ascii: "+") ? plus : byte)
      i += 1
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
