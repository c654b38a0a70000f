import CMinizip

/// Makes a ZIP archive, in memory. Equal entries make equal archives.
struct ZIPWriter: ~Copyable {
  private let output: OpaquePointer

  init() throws(WorkbookError) {
    guard let output = zip_output_open() else { throw WorkbookError(.noMemory) }
    self.output = output
  }

  deinit { zip_output_free(output) }

  /// - Parameter isPacked: `false` for data that is already compressed, such as pictures.
  func add(_ name: String, _ bytes: [UInt8], isPacked: Bool = true) throws(WorkbookError) {
    let status = bytes.withUnsafeBufferPointer {
      zip_output_add(output, name, $0.baseAddress, $0.count, isPacked ? 6 : 0)
    }
    guard status == 0 else { throw WorkbookError(.noMemory) }
  }

  consuming func finish() throws(WorkbookError) -> [UInt8] {
    var count = 0
    guard let bytes = zip_output_finish(output, &count) else { throw WorkbookError(.noMemory) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
