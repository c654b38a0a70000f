#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Numbers in C's format, which SDKs use for the values of controls.
enum CNumberFormat {
  /// Writes a number like `%g`: 6 significant digits, without trailing zeros.
  static func general(_ number: Double) -> String { text(number, "%g") }

  /// Writes a number like `%f`: 6 digits after the point.
  static func fixed(_ number: Double) -> String { text(number, "%f") }

  /// Writes a number like `%.0f`: without digits after the point, half to even.
  static func rounded(_ number: Double) -> String { text(number, "%.0f") }

  private static func text(_ number: Double, _ format: String) -> String {
    // The longest text is the greatest number with `%f`: 309 digits, the point and 6 digits.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 352) { buffer in
      let count = withVaList([number]) { vsnprintf(buffer.baseAddress, buffer.count, format, $0) }
      return String(decoding: buffer.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
