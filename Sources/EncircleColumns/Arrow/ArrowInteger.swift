import EncircleText

/// The kinds of whole numbers.
enum ArrowInteger {
  case int8, uint8, int16, uint16, int32, uint32, int64, uint64

  /// Creates the kind with this format in Arrow's notation; nil for anything else.
  init?(_ format: String) {
    switch format {
    case "c": self = .int8
    case "C": self = .uint8
    case "s": self = .int16
    case "S": self = .uint16
    case "i": self = .int32
    case "I": self = .uint32
    case "l": self = .int64
    case "L": self = .uint64
    default: return nil
    }
  }

  /// Returns the conversion of a column of times to milliseconds; nil if it has no times.
  static func time(_ format: String) -> (ArrowInteger, divisor: Int64, factor: Int64)? {
    if format.beginsWithBytes(of: "ts") {
      switch format.prefix(4) {
      case "tss:": return (.int64, 1, 1000)
      case "tsm:": return (.int64, 1, 1)
      case "tsu:": return (.int64, 1000, 1)
      case "tsn:": return (.int64, 1_000_000, 1)
      default: return nil
      }
    }
    return ArrowInteger(format).map { ($0, 1, 1) }
  }

  /// Returns the number at a place; nil if it is beyond 64 bits with a sign.
  @inline(__always)
  func value(_ values: UnsafeRawPointer, _ place: Int) -> Int64? {
    @inline(__always) func load<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> Int64? {
      Int64(exactly: values.loadUnaligned(fromByteOffset: place &* MemoryLayout<T>.size, as: T.self))
    }
    return switch self {
    case .int8: load(Int8.self)
    case .uint8: load(UInt8.self)
    case .int16: load(Int16.self)
    case .uint16: load(UInt16.self)
    case .int32: load(Int32.self)
    case .uint32: load(UInt32.self)
    case .int64: load(Int64.self)
    case .uint64: load(UInt64.self)
    }
  }
}
