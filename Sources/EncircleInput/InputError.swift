/// The reason why bytes could not be read.
public enum InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist.
  case noSuchFile
  /// A directory where a file was expected.
  case isDirectory
  /// The file could not be opened or read; the text is the system's.
  case unreadable(String)
  /// Broken gzip data, in words.
  case badCompression(String)
  /// Data of another compressor than gzip, such as `zstd`.
  case otherCompression(String)
  /// More bytes than the caller allows.
  case tooLarge(limit: Int)

  /// The problem in words, without the name of the file.
  public var description: String {
    switch self {
    case .noSuchFile: "no such file"
    case .isDirectory: "is a directory"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .badCompression(let reason): "broken gzip data: \(reason)"
    case .otherCompression(let format): "is compressed with \(format); only gzip is read"
    case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
    }
  }
}
