import EncircleText

/// The percent-encoded fields of a form or of a query.
struct FormFields {
  private let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
  /// Further fields are ignored: an SDK sends six.
  private static let maximumFields = 100

  init(_ text: [UInt8]) {
    fields = text.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFields).prefix(Self.maximumFields).map {
      field in
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return (field, field[field.endIndex...]) }
      return (field[..<equals], field[(equals + 1)...])
    }
  }

  /// The decoded value of the first field with the name.
  subscript(_ name: String) -> String? {
    value(name).map { String(decoding: PercentEncoding.decode($0, plus: UInt8(ascii: " ")), as: UTF8.self) }
  }

  /// Returns the value of a field in Base64 or JSON, in which an unencoded plus sign is not a space.
  func bytes(_ name: String) -> [UInt8]? { value(name).map { PercentEncoding.decode($0) } }

  private func value(_ name: String) -> ArraySlice<UInt8>? {
    fields.first { $0.name.elementsEqual(name.utf8) }?.value
  }
}
