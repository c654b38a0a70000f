import EncircleText
import EncircleTree

/// Why a capture could not be read.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem, with what was found.
  public enum Kind: Hashable, Sendable {
    /// The file could not be opened or read; the text is the system's.
    case unreadable(String)
    /// There is no such file.
    case noSuchFile
    /// A directory where a file was expected.
    case isDirectory
    /// No bytes, or white space only.
    case empty
    /// More bytes than ``CaptureLimits/bytes``, after decompression.
    case tooLarge(limit: Int)
    /// Broken gzip data.
    case badCompression(String)
    /// The content is none of the known formats; the text says what it looks like.
    case unknownFormat(String)
    /// The format was named and the content is another.
    case wrongFormat(expected: CaptureFormat, found: String)
    /// The text is not in the encoding that it declares or is detected to be in.
    case badEncoding(String)
    /// An encoding that cannot be decoded here.
    case unknownEncoding(String)
    /// Not well-formed XML; the text is libxml2's.
    case malformedXML(String)
    /// The content ends before it is complete.
    case truncated(String)
    /// A document type declaration, which no capture has.
    case documentType
    /// More namespace declarations than any capture has.
    case tooManyNamespaces(limit: Int)
    /// An element that the format does not have.
    case unknownElement(String)
    /// Text where only elements may stand.
    case unexpectedText
    /// An element without its class.
    case missingClass(element: String)
    /// An attribute whose value cannot be understood.
    case badAttribute(name: String, expected: String)
    /// A version of view-tree XML that this reader does not know.
    case unknownVersion(String)
    /// A capture without any element.
    case noElements
    /// More elements than ``CaptureLimits/elements``.
    case tooManyElements(limit: Int)
    /// Elements nested deeper than ``CaptureLimits/depth``.
    case tooDeep(limit: Int)
    /// An element with more attributes than ``CaptureLimits/attributes``.
    case tooManyAttributes(limit: Int)
    /// An attribute longer than ``CaptureLimits/attributeBytes``.
    case attributeTooLong(limit: Int)
    /// A line of a text dump that is no view.
    case unexpectedLine
    /// A view of a text dump that is more than one level deeper than the view above it.
    case missingLevel
  }

  /// What is wrong.
  public var kind: Kind
  /// The file; nil if the capture was read from memory.
  public var file: String?
  /// The place of the problem; nil if the problem is the capture as a whole.
  public var location: SourceLocation?

  /// Creates an error.
  public init(_ kind: Kind, file: String? = nil, at location: SourceLocation? = nil) {
    self.kind = kind
    self.file = file
    self.location = location
  }

  /// `file:line:column: error: message`, without what is not known.
  public var description: String { Diagnostic(message, file: file, at: location).description }

  /// The problem in words. Attribute values are never quoted: they may be what somebody typed.
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
