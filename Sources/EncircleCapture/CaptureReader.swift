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
  /// The encoding of the captures, which overrides their declarations. If it is nil, each capture is read in the encoding of its
  /// byte order mark, else in the one that it declares, else in UTF-8.
  public var encoding: CaptureEncoding?
  public var limits = CaptureLimits()
  /// The view controllers of the app at the moment of the captures. The format of the captures must give the addresses of
  /// views. If it is nil, only the controllers that a capture itself lists are used.
  public var controllers: ControllerHierarchy?
  /// The page that the captures show: the activity of Android captures that name none, as for `ViewTree.addingActivity(_:)`, or the
  /// address of web pages.
  public var page: String?

  public init(format: CaptureFormat? = nil, encoding: CaptureEncoding? = nil) {
    self.format = format
    self.encoding = encoding
  }

  /// Reads a file; `-` is standard input.
  ///
  /// - Throws: A ``CaptureError`` with the file and the place of the problem.
  public func read(contentsOf path: String) throws(CaptureError) -> ViewTree {
    do throws(CaptureError) {
      return try withBytes(of: Self.bytes(of: path, limit: limits.bytes), readText)
    } catch {
      var error = error
      error.file = path == "-" ? "<stdin>" : path
      throw error
    }
  }

  /// Returns the bytes of a file after decompression; `-` is standard input.
  static func bytes(of path: String, limit: Int) throws(CaptureError) -> [UInt8] {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      return try source.readAll(limit: limit)
    } catch {
      throw CaptureError(input: error)
    }
  }

  /// Returns the bytes of a capture after decompression.
  package static func decompressed(_ bytes: [UInt8], limit: Int) throws(CaptureError) -> [UInt8] {
    do throws(InputError) {
      var source = ByteSource(bytes)
      return try source.readAll(limit: limit)
    } catch {
      throw CaptureError(input: error)
    }
  }

  /// Reads a capture in memory: any of `CaptureFormat`, in any encoding that XML can declare, gzip-compressed or not.
  /// Ignores text around it that consoles and tools add.
  ///
  /// - Throws: A ``CaptureError`` with the place of the problem.
  /// - Complexity: O(*n*), *n* bytes after decompression.
  public func read(_ bytes: [UInt8]) throws(CaptureError) -> ViewTree {
    try withBytes(of: Self.decompressed(bytes, limit: limits.bytes), readText)
  }

  private func readText(_ bytes: UnsafeBufferPointer<UInt8>) throws(CaptureError) -> ViewTree {
    let (converted, skipping) = try TextEncoding.convert(bytes, as: encoding, limit: limits.bytes)
    let tree: ViewTree =
      if let converted { try withBytes(of: converted, readUTF8) } else {
        try readUTF8(bytes.part(skipping..<bytes.count))
      }
    return page.map { tree.addingPage($0) } ?? tree
  }

  private func readUTF8(_ text: UnsafeBufferPointer<UInt8>) throws(CaptureError) -> ViewTree {
    guard text.count <= limits.bytes else { throw CaptureError(.tooLarge(limit: limits.bytes)) }
    let content = CaptureContent(of: text, as: format)
    let escaped: EscapedText? =
      switch content {
      case .xml(let start): EscapedText(text, xml: start)
      case .other: EscapedText(elementsIn: text)
      default: nil
      }
    if let escaped {
      do throws(CaptureError) {
        return try withBytes(of: escaped.bytes, readContent)
      } catch {
        throw error.moved(into: escaped, of: text)
      }
    }
    let prefix: LinePrefix? =
      switch content {
      case .xml(let start): LinePrefix.find(in: text, xml: start)
      case .views, .other: LinePrefix.find(in: text)
      default: nil
      }
    if let prefix {
      do throws(CaptureError) {
        return try withBytes(of: prefix.removed(from: text), readContent)
      } catch {
        throw error.moved(behind: prefix, in: text)
      }
    }
    return try read(content, of: text)
  }

  private func readContent(of text: UnsafeBufferPointer<UInt8>) throws(CaptureError) -> ViewTree {
    try read(CaptureContent(of: text, as: format), of: text)
  }

  private func read(
    _ content: CaptureContent, of text: UnsafeBufferPointer<UInt8>
  ) throws(CaptureError) -> ViewTree {
    do throws(CaptureError) {
      switch content {
      case .nothing: throw CaptureError(.empty)
      case .xml(let start): return try readXML(text, from: start)
      case .html(let start):
        return try withoutControllers(HTMLReader.parse(text, from: start, limits: limits))
      case .json(let start): return try readJSON(text, from: start)
      case .views(let start):
        return try RecursiveDescriptionReader.parse(text, from: start, limits: limits, controllers: controllers)
      case .elements(let start):
        let tree = try XCUIDescriptionReader.parse(text, from: start, limits: limits)
        return try withoutControllers(tree)
      case .controllers(let start):
        throw CaptureError(.onlyControllers, at: SourceLocation(of: start, in: text))
      case .other(let description):
        let place = SourceLocation(line: 1, column: 1)
        if let format { throw CaptureError(.wrongFormat(expected: format, found: description), at: place) }
        throw CaptureError(.unknownFormat(description), at: place)
      }
    } catch {
      throw error.adding(treeLine: treeLine(error, content, in: text))
    }
  }

  private func readXML(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws(CaptureError) -> ViewTree {
    // Other text in front, as copies of captures have it, is cut off, because nothing may precede an XML declaration.
    let body = text.part(start..<text.count)
    do throws(CaptureError) {
      return try withoutControllers(SAXDriver.parse(body, format: format, limits: limits))
    } catch {
      throw start == 0 ? error : error.moved(behind: text.part(0..<start))
    }
  }

  private func readJSON(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws(CaptureError) -> ViewTree {
    switch try JSONCapture(text, from: start, format: format, limits: limits) {
    case .tree(let capture, let root):
      let tree = try JSONTreeReader.parse(capture, root: root, limits: limits, controllers: controllers)
      return tree.format == .calabash ? tree : try withoutControllers(tree)
    case .webPage(let capture, let root):
      return try withoutControllers(WebSnapshotReader.parse(capture, root: root, limits: limits))
    case .text(let string):
      // The string holds the text of another format. JSON inside it is not accepted.
      let bytes = string.decoded
      let refusal: CaptureError.Kind =
        format.map { .wrongFormat(expected: $0, found: "JSON") } ?? .unknownFormat("JSON")
      do throws(CaptureError) {
        return try withBytes(of: bytes) { inner throws(CaptureError) in
          switch CaptureContent(of: inner, as: format) {
          case .xml(let start): try readXML(inner, from: start)
          case .html(let start): try withoutControllers(HTMLReader.parse(inner, from: start, limits: limits))
          case .elements(let start):
            try withoutControllers(XCUIDescriptionReader.parse(inner, from: start, limits: limits))
          default: throw CaptureError(refusal)
          }
        }
      } catch {
        throw error.moved(into: string, decoded: bytes, of: text)
      }
    }
  }

  /// Returns a tree of a format without addresses of views, or throws an error if the caller gave controllers.
  private func withoutControllers(_ tree: ViewTree) throws(CaptureError) -> ViewTree {
    if controllers != nil { throw CaptureError(.noAddresses(tree.format)) }
    return tree
  }

  /// Returns the first line of the tree that an error is about or, if the input is not a capture, the line of the next text that looks
  /// like a tree; nil if that adds nothing.
  private func treeLine(_ error: CaptureError, _ content: CaptureContent, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    let start: Int?
    switch (error.kind, content) {
    case (.unknownFormat, _), (.wrongFormat, _):
      let place = error.location?.offset(in: text) ?? 0
      let next = CaptureContent.treeStart(in: text, from: place)
      // What is at the place may be a tree of another format than the wanted one.
      start = next == place ? nil : next
    case (_, .xml(let offset)), (_, .views(let offset)):
      start = text[..<offset].allSatisfy { isWhiteSpace($0) || ViewLine.isMark($0) } ? nil : offset
    default: start = nil
    }
    let line = start.map { SourceLocation(of: $0, in: text).line }
    return line == 1 ? nil : line
  }

  private func withBytes<R>(
    of array: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try array.withUnsafeBufferPointer { buffer throws(CaptureError) -> R in try body(buffer) }
  }
}

extension CaptureError {
  package init(input error: InputError) {
    switch error {
    case .noSuchFile: self.init(.noSuchFile)
    case .isDirectory: self.init(.isDirectory)
    case .unreadable(let reason): self.init(.unreadable(reason))
    case .badCompression(let reason): self.init(.badCompression(reason))
    case .otherCompression(let format): self.init(.unknownFormat("data that is compressed with \(format), not gzip"))
    case .tooLarge(let limit): self.init(.tooLarge(limit: limit))
    }
  }

  /// Returns the error with its location moved to where it is when `prefix` stands in front of the text.
  func moved(behind prefix: UnsafeBufferPointer<UInt8>) -> CaptureError {
    guard var location else { return self }
    let start = SourceLocation(of: prefix.count, in: prefix)
    if location.line == 1 { location.column += start.column - 1 }
    location.line += start.line - 1
    return CaptureError(kind, at: location)
  }

  /// Returns an error in the decoded text of a JSON string, with its place moved into the JSON.
  fileprivate func moved(
    into string: JSONCapture.Text, decoded: [UInt8], of text: UnsafeBufferPointer<UInt8>
  ) -> CaptureError {
    let offset = decoded.withUnsafeBufferPointer { inner in location.map { $0.offset(in: inner) } ?? 0 }
    let place = SourceLocation(of: string.originalOffset(of: offset), in: text)
    return CaptureError(kind, at: place)
  }

  /// Returns an error in a text without its escapes, with its place moved to where it is with them.
  fileprivate func moved(into escaped: EscapedText, of text: UnsafeBufferPointer<UInt8>) -> CaptureError {
    guard let location else { return self }
    let offset = escaped.bytes.withUnsafeBufferPointer { location.offset(in: $0) }
    let place = SourceLocation(of: EscapedText.originalOffset(of: offset, in: text), in: text)
    return CaptureError(kind, at: place)
  }

  /// Returns an error in lines without their prefix, with its place moved to where it is behind the prefix.
  fileprivate func moved(behind prefix: LinePrefix, in text: UnsafeBufferPointer<UInt8>) -> CaptureError {
    guard var location else { return self }
    let start = SourceLocation(line: location.line, column: 1).offset(in: text)
    let line = text.part(start..<text.lineEnd(from: start))
    location.column += line.part(0..<prefix.length(in: line)).count(where: { $0 & 0xC0 != 0x80 })
    return CaptureError(kind, at: location, treeLine: treeLine)
  }

  fileprivate func adding(treeLine: Int?) -> CaptureError { CaptureError(kind, at: location, treeLine: treeLine) }
}

extension SourceLocation {
  /// Returns the offset of the place in a text.
  fileprivate func offset(in text: UnsafeBufferPointer<UInt8>) -> Int {
    var here = SourceLocation(line: 1, column: 1)
    var i = 0
    while i < text.count, here.line < line || (here.line == line && here.column < column) {
      let byte = text[i]
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, i + 1 < text.count, text[i + 1] == 0x0A { i += 1 }
        here = SourceLocation(line: here.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        here.column += 1
      }
      i += 1
    }
    return i
  }
}
