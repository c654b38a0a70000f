import CMinizip

/// Reads the entries of a ZIP archive in pieces, and unpacks at most a limited number of bytes in total.
struct ZIPReader: ~Copyable {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let input: OpaquePointer
  private let limit: Int
  private var unpacked = 0

  private static let pieceSize = 1 << 16
  /// The first bytes of files in the format before XLSX, or with a password.
  static let compoundFile: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0]

  /// - Parameter limit: The maximum number of bytes that are unpacked, of all entries.
  init(_ bytes: [UInt8], limit: Int) throws(WorkbookError) {
    if bytes.starts(with: Self.compoundFile) { throw WorkbookError(.compoundFile) }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    guard let input = zip_input_open(copy.baseAddress, copy.count) else {
      copy.deallocate()
      throw WorkbookError(.noArchive)
    }
    (self.bytes, self.input, self.limit) = (copy, input, limit)
  }

  deinit {
    zip_input_free(input)
    bytes.deallocate()
  }

  /// Passes the pieces of an entry to `body`; returns `false` if no entry has the name.
  ///
  /// - Throws: ``WorkbookError`` if the entry is broken or too large, and any error of `body`.
  mutating func read(
    _ name: String, _ body: (UnsafeBufferPointer<UInt8>) throws(WorkbookError) -> Void
  ) throws(WorkbookError) -> Bool {
    switch zip_input_find(input, name) {
    case zip_entry_missing: return false
    case zip_entry_open: break
    default: throw WorkbookError(.broken, name)
    }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.pieceSize)
    defer { buffer.deallocate() }
    while true {
      let count = zip_input_read(input, buffer.baseAddress, buffer.count)
      guard count >= 0 else { throw WorkbookError(.broken, name) }
      if count == 0 { return true }
      unpacked += count
      guard unpacked <= limit else { throw WorkbookError(.tooLarge(limit: limit)) }
      try body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
