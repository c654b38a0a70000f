import ArgumentParser
import EncircleInput

/// Files that commands read as a whole.
enum InputBytes {
  /// Returns the bytes of a file after decompression; `-` is standard input.
  ///
  /// - Throws: An exit code, after printing the problem.
  static func read(_ path: String, limit: Int) throws -> [UInt8] {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      return try source.readAll(limit: limit)
    } catch {
      throw ExitStatus(error).failure("\(EventInput.name(of: path)): error: \(error)")
    }
  }
}
