import EncircleInput
import EncircleText
import EncircleTree

/// Reads captures into view trees.
///
/// ```swift
/// let tree = try CaptureReader().read(contentsOf: "home.xml")
/// print(tree.count, tree.className(of: ElementID(0)))
/// ```
public struct CaptureReader: Sendable {
  /// The format that captures must have. If it is nil, the format is detected from the content.
  public var format: CaptureFormat?
  public var limits = CaptureLimits()

  public init(format: CaptureFormat? = nil) { self.format = format }

  /// Reads a file; `-` is standard input.
  ///
  /// - Throws: A ``CaptureError`` with the file and the place of the problem.
  public func read(contentsOf path: String) throws(CaptureError) -> ViewTree {
    do throws(CaptureError) {
      return try withBytes(of: readBytes(path), readText)
    } catch {
      var error = error
      error.file = path == "-" ? "<stdin>" : path
      throw error
    }
  }

  private func readBytes(_ path: String) throws(CaptureError) -> [UInt8] {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      return try source.readAll(limit: limits.bytes)
    } catch {
      throw CaptureError(input: error)
    }
  }

  /// Reads a capture in memory: any of `CaptureFormat`, in any encoding that XML can declare, gzip-compressed or not.
  ///
  /// - Throws: A ``CaptureError`` with the place of the problem.
  /// - Complexity: O(*n*), *n* bytes after decompression.
  public func read(_ bytes: [UInt8]) throws(CaptureError) -> ViewTree {
    let text: [UInt8]
    do throws(InputError) {
      var source = ByteSource(bytes)
      text = try source.readAll(limit: limits.bytes)
    } catch {
      throw CaptureError(input: error)
    }
    return try withBytes(of: text, readText)
  }

  private func readText(_ bytes: UnsafeBufferPointer<UInt8>) throws(CaptureError) -> ViewTree {
    let (converted, skipping) = try TextEncoding.convert(bytes, limit: limits.bytes)
    guard let converted else { return try readUTF8(bytes.part(skipping..<bytes.count)) }
    return try withBytes(of: converted, readUTF8)
  }

  private func readUTF8(_ text: UnsafeBufferPointer<UInt8>) throws(CaptureError) -> ViewTree {
    guard text.count <= limits.bytes else { throw CaptureError(.tooLarge(limit: limits.bytes)) }
    switch ContentKind(of: text) {
    case .nothing: throw CaptureError(.empty)
    case .xml(let start):
      if format == .recursiveDescription {
        throw CaptureError(.wrongFormat(expected: .recursiveDescription, found: "XML"))
      }
      // An XML declaration may not follow white space, which copies of captures have in front.
      let body = text.part(start..<text.count)
      do throws(CaptureError) {
        return try SAXDriver.parse(body, format: format, limits: limits)
      } catch {
        throw start == 0 ? error : error.moved(behind: text.part(0..<start))
      }
    case .views:
      if let format, format != .recursiveDescription {
        throw CaptureError(.wrongFormat(expected: format, found: "recursiveDescription text"))
      }
      return try RecursiveDescriptionReader.parse(text, limits: limits)
    case .other(let description):
      if format == .recursiveDescription { return try RecursiveDescriptionReader.parse(text, limits: limits) }
      let place = SourceLocation(line: 1, column: 1)
      if let format { throw CaptureError(.wrongFormat(expected: format, found: description), at: place) }
      throw CaptureError(.unknownFormat(description), at: place)
    }
  }

  private func withBytes<R>(
    of array: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try array.withUnsafeBufferPointer { buffer throws(CaptureError) -> R in try body(buffer) }
  }
}

extension CaptureError {
  fileprivate init(input error: InputError) {
    switch error {
    case .noSuchFile: self.init(.noSuchFile)
    case .isDirectory: self.init(.isDirectory)
    case .unreadable(let reason): self.init(.unreadable(reason))
    case .badCompression(let reason): self.init(.badCompression(reason))
    case .tooLarge(let limit): self.init(.tooLarge(limit: limit))
    }
  }

  /// Returns the error with its location moved to where it is when `prefix` stands in front of the text.
  fileprivate func moved(behind prefix: UnsafeBufferPointer<UInt8>) -> CaptureError {
    guard var location else { return self }
    let start = SourceLocation(of: prefix.count, in: prefix)
    if location.line == 1 { location.column += start.column - 1 }
    location.line += start.line - 1
    return CaptureError(kind, at: location)
  }
}
