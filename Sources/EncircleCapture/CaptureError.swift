import EncircleText
import EncircleTree

/// An error in a capture, or in reading its file.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error, with the values at fault.
  public enum Kind: Hashable, Sendable {
    /// The file could not be opened or read, for the reason that the system gives.
    case unreadable(String)
    case noSuchFile
    /// The path is that of a directory.
    case isDirectory
    /// The capture has no bytes, or only white space.
    case empty
    /// The capture has more bytes than ``CaptureLimits/bytes``, after decompression.
    case tooLarge(limit: Int)
    /// The gzip data are broken.
    case badCompression(String)
    /// The content is in none of the known formats. The value says what it looks like.
    case unknownFormat(String)
    /// The content is not in the format that the reader was told to expect.
    case wrongFormat(expected: CaptureFormat, found: String)
    /// The text is not in the encoding that it declares or is detected to be in.
    case badEncoding(String)
    /// The text is in an encoding that cannot be decoded here.
    case unknownEncoding(String)
    /// The XML is not well-formed. The value is libxml2's message.
    case malformedXML(String)
    /// The content ends before it is complete.
    case truncated(String)
    /// The XML has a document type declaration, which no capture needs.
    case documentType
    /// The XML has more namespace declarations than any capture needs.
    case tooManyNamespaces(limit: Int)
    /// The format has no such element.
    case unknownElement(String)
    /// There is text where only elements may stand.
    case unexpectedText
    /// An element has no class.
    case missingClass(element: String)
    /// The value of an attribute cannot be understood.
    case badAttribute(name: String, expected: String)
    /// The version of view-tree XML is not known to this reader.
    case unknownVersion(String)
    /// The capture has no elements.
    case noElements
    /// The capture has more elements than ``CaptureLimits/elements``.
    case tooManyElements(limit: Int)
    /// Elements are nested deeper than ``CaptureLimits/depth``.
    case tooDeep(limit: Int)
    /// An element has more attributes than ``CaptureLimits/attributes``.
    case tooManyAttributes(limit: Int)
    /// An attribute is longer than ``CaptureLimits/attributeBytes``.
    case attributeTooLong(limit: Int)
    /// A line of a text dump is no view.
    case unexpectedLine
    /// A view of a text dump is more than one level deeper than the view in the line above it.
    case missingLevel
  }

  public var kind: Kind
  /// The file, or nil if the capture was read from memory.
  public var file: String?
  /// The place in the capture, or nil if the error concerns the capture as a whole.
  public var location: SourceLocation?

  public init(_ kind: Kind, file: String? = nil, at location: SourceLocation? = nil) {
    self.kind = kind
    self.file = file
    self.location = location
  }

  /// `file:line:column: error: message`, without what is not known.
  public var description: String { Diagnostic(message, file: file, at: location).description }

  /// The error in words. Values of attributes are never quoted, as they may be what somebody typed.
  public var message: String {
    switch kind {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .noSuchFile: "no such file"
    case .isDirectory: "is a directory"
    case .empty: "is empty"
    case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
    case .badCompression(let reason): "broken gzip data: \(reason)"
    case .unknownFormat(let found):
      "is not a capture: expected view-tree XML, a WebDriverAgent or uiautomator page source, "
        + "or recursiveDescription text, found \(found)"
    case .wrongFormat(let expected, let found): "expected a capture in format \(expected.rawValue), found \(found)"
    case .badEncoding(let encoding): "text is not valid \(encoding)"
    case .unknownEncoding(let name): "unknown encoding '\(name)'"
    case .malformedXML(let reason): reason
    case .truncated(let reason): "ends too early: \(reason)"
    case .documentType: "a document type declaration (DOCTYPE) is refused: captures have none"
    case .tooManyNamespaces(let limit): "more than \(limit) namespace declarations"
    case .unknownElement(let name): "unknown element '\(name)'"
    case .unexpectedText: "unexpected text between elements"
    case .missingClass(let element): "element '\(element)' has no class"
    case .badAttribute(let name, let expected): "attribute '\(name)' is malformed: expected \(expected)"
    case .unknownVersion(let version): "unknown version '\(version)' of view-tree XML: expected 1"
    case .noElements: "has no elements"
    case .tooManyElements(let limit): "more than \(limit) elements"
    case .tooDeep(let limit): "elements are nested deeper than \(limit) levels"
    case .tooManyAttributes(let limit): "more than \(limit) attributes in one element"
    case .attributeTooLong(let limit): "an attribute is longer than \(limit) bytes"
    case .unexpectedLine: "expected a view, `<Class: 0x…; frame = (x y; w h); …>`"
    case .missingLevel: "the view is nested more than one level deeper than the view above it"
    }
  }
}
