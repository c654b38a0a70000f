import ArgumentParser
import EncircleText
import EncircleWorkbook

/// Files with comma-separated values, in the encodings that spreadsheets write.
enum TableFile {
  /// An encoding of a file.
  enum Encoding: String, CaseIterable, ExpressibleByArgument {
    /// UTF-8 with a byte order mark, by which spreadsheets recognize it.
    case utf8 = "utf-8"
    case gb18030
  }

  /// The largest file, in bytes.
  static let maximumSize = 1 << 26

  /// Writes a file, or to standard output.
  ///
  /// - Parameter file: Nil for standard output.
  static func write(_ bytes: [UInt8], to file: OutputFile?) throws {
    if let file { return try FileReplacement.save(bytes, as: file) }
    var bytes = bytes
    let writer = ResultWriter()
    try writer.write(&bytes)
    try writer.flush()
  }

  /// Decodes a file: UTF-8 with or without a byte order mark, UTF-16 with one, else GB18030.
  ///
  /// - Throws: An exit code, after printing the problem.
  static func text(of bytes: [UInt8], named path: String) throws -> String {
    let name = EventInput.name(of: path)
    if let text = TableText.decoded(bytes) { return text }
    throw ExitStatus.badData.failure("\(name): error: neither UTF-8 nor GB18030: save the table as CSV in one of them")
  }

  /// Returns the bytes of a table in an encoding; nil if the system does not support it.
  static func bytes(_ text: String, _ encoding: Encoding) -> [UInt8]? {
    switch encoding {
    case .utf8: ByteOrderMark.utf8 + text.utf8
    case .gb18030: TableText.gb18030(text)
    }
  }
}
