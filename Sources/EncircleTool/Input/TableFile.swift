import ArgumentParser
import EncircleInput
import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files with comma-separated values, in the encodings in which spreadsheets write them.
enum TableFile {
  /// An encoding of a file.
  enum Encoding: String, CaseIterable, ExpressibleByArgument {
    /// With a byte order mark, by which spreadsheets know it.
    case utf8 = "utf-8"
    case gb18030
  }

  /// The largest file, in bytes.
  static let maximumSize = 1 << 26

  /// Reads a file: UTF-8 with a byte order mark or not, else GB18030.
  ///
  /// - Throws: An exit code, after printing the problem.
  static func read(_ path: String) throws -> String {
    let name = EventInput.name(of: path)
    let bytes: [UInt8]
    do throws(InputError) {
      var source = try ByteSource(path: path)
      bytes = try source.readAll(limit: maximumSize)
    } catch {
      printError("\(name): error: \(error)")
      throw ExitCode(ExitStatus(error).rawValue)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if let decoded = converted(bytes, from: "GB18030", to: "UTF-8"),
      let text = String(validating: decoded, as: UTF8.self)
    {
      return text
    }
    printError("\(name): error: neither UTF-8 nor GB18030: save the table as CSV in one of them")
    throw ExitCode(ExitStatus.badData.rawValue)
  }

  /// Returns the bytes of a table in an encoding; nil if the system cannot write that.
  static func bytes(_ text: String, _ encoding: Encoding) -> [UInt8]? {
    switch encoding {
    case .utf8: [0xEF, 0xBB, 0xBF] + text.utf8
    case .gb18030: converted(Array(text.utf8), from: "UTF-8", to: "GB18030")
    }
  }

  /// Converts bytes by the system's iconv; nil if they are not in the encoding, or the system does not know it.
  private static func converted(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
    guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var chunk = [CChar](repeating: 0, count: 1 << 16)
    return input.withUnsafeMutableBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      while left > 0 {
        var failure: Int32 = 0
        let written = chunk.withUnsafeMutableBufferPointer { chunk in
          var place = chunk.baseAddress
          var room = chunk.count
          if iconv(converter, &next, &left, &place, &room) == -1 { failure = errno }
          return chunk.count - room
        }
        result += chunk[..<written].lazy.map { UInt8(bitPattern: $0) }
        // The chunk is full, and there is more; anything else is no text in the encoding.
        if failure != 0, failure != E2BIG || written == 0 { return nil }
      }
      return result
    }
  }
}
