import EncircleText
import EncircleTree

/// An error in a capture, or in reading its file.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error, with the values at fault.
  public enum Kind: Hashable, Sendable {
    /// The file could not be opened or read, for the reason that the system gives.
    case unreadable(String)
    case noSuchFile
    /// The path leads to a directory.
    case isDirectory
    /// The capture has no bytes, or only white space.
    case empty
    /// The capture has more bytes than ``CaptureLimits/bytes``, after decompression.
    case tooLarge(limit: Int)
    /// The gzip data are broken.
    case badCompression(String)
    /// The content is in none of the known formats. The value names what it seems to be.
    case unknownFormat(String)
    /// The content is not in the format that the caller named.
    case wrongFormat(expected: CaptureFormat, found: String)
    /// The text is not in the encoding that it declares or is detected to be in.
    case badEncoding(String)
    /// The text declares an encoding that cannot be decoded here.
    case unknownEncoding
    /// The XML is not well-formed. The value gives the reason, without quoting the document.
    case malformedXML(String)
    /// The text is not JSON. The value gives the reason, without quoting it.
    case malformedJSON(String)
    /// The JSON has more values than ``CaptureLimits/jsonValues``.
    case tooManyValues(limit: Int)
    /// The text is a hierarchy of view controllers, which has no views.
    case onlyControllers
    /// The text has no hierarchy of view controllers.
    case noControllers
    /// The format gives no addresses of views, which are needed to find the views of controllers.
    case noAddresses(CaptureFormat)
    /// The content ends before it is complete.
    case truncated(String)
    /// The XML has a document type declaration, which no capture needs.
    case documentType
    /// The XML has more namespace declarations than any capture needs.
    case tooManyNamespaces(limit: Int)
    /// The different names of elements, attributes and processing instructions in the XML are longer than those of any capture.
    case namesTooLong(limit: Int)
    /// The format does not have the element. The value names the expected one.
    case unknownElement(expected: String)
    /// There is text where only elements may stand.
    case unexpectedText
    /// An element has no class.
    case missingClass(element: String)
    /// The value of an attribute cannot be understood.
    case badAttribute(name: String, expected: String)
    /// The version of view-tree XML is not known to this reader.
    case unknownVersion
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
    /// The class names from a window down to an element are longer than ``CaptureLimits/pathBytes``.
    case pathTooLong(limit: Int)
    /// A controller, title or message is longer than ``CaptureLimits/identityTextBytes``.
    case identityTextTooLong(limit: Int)
    /// The elements and texts of a web page take more memory than its size allows, in bytes.
    case pageTooLarge(limit: Int)
    /// The identities of all elements together are longer than ``CaptureLimits/identityBytesPerByte`` allows.
    case identitiesTooLong(limit: Int)
    /// A text dump has a NUL byte, or XML has one behind its first `<`.
    case nulByte
    /// A class name of a text dump is longer than any that a compiler makes, in bytes.
    case nameTooLong(limit: Int)
    /// A line of a text dump is not a view.
    case unexpectedLine
    /// Something follows the end of a view in its line.
    case textAfterView
    /// A line of XCTest's `debugDescription` has no element where one is expected, or more than one.
    case notOneElement
    /// A view of a text dump is more than one level deeper than the view in the line above it.
    case missingLevel
    /// A line of XCTest's `debugDescription` is not indented, although its element is inside the one that `→` marks.
    case lostIndentation
  }

  public var kind: Kind
  /// The file, or nil if the capture was read from memory.
  public var file: String?
  /// The place in the capture, or nil if the error concerns the capture as a whole.
  public var location: SourceLocation?
  /// The first line, counted from 1, of text that looks like a tree, if other text precedes it.
  public var treeLine: Int?

  public init(_ kind: Kind, file: String? = nil, at location: SourceLocation? = nil, treeLine: Int? = nil) {
    self.kind = kind
    self.file = file
    self.location = location
    self.treeLine = treeLine
  }

  /// True if the file is probably of another kind than captures, such as a program that writes them: its format is unknown, or
  /// other text precedes the apparent tree.
  package var isOfOtherFile: Bool {
    if case .unknownFormat = kind { return true }
    return treeLine != nil
  }

  /// `file:line:column: error: message`, without unknown parts, and the option of the tool that helps.
  public var description: String {
    Diagnostic(message + (option.map { "; \($0)" } ?? ""), file: file, at: location).description
  }

  /// The error in words. It quotes only names from the formats themselves, because anything else in the capture may be something that
  /// somebody typed.
  public var message: String {
    treeLine.map { "\(problem) (what looks like a view tree begins in line \($0))" } ?? problem
  }

  private var problem: String {
    switch kind {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .noSuchFile: "no such file"
    case .isDirectory: "is a directory"
    case .empty: "is empty"
    case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
    case .badCompression(let reason): "broken gzip data: \(reason)"
    case .unknownFormat(let found):
      "is not a capture: expected view-tree XML, a WebDriverAgent or uiautomator page source, "
        + "recursiveDescription text or another format of captures, found \(found)"
    case .wrongFormat(let expected, let found): "expected a capture in format \(expected.rawValue), found \(found)"
    case .badEncoding(let encoding): "text is not valid \(encoding)"
    case .unknownEncoding: "declares an unknown encoding"
    case .malformedXML(let reason): reason
    case .malformedJSON(let reason): "not valid JSON: \(reason)"
    case .tooManyValues(let limit): "more than \(limit) values and names in JSON"
    case .onlyControllers:
      "is a hierarchy of view controllers without views: read the recursiveDescription of the same moment, with this text "
        + "in the same file"
    case .noControllers:
      "has no hierarchy of view controllers: expected lines of _printHierarchy, `<Class 0x…>, state: …, view: <Class: 0x…>`"
    case .noAddresses(let format):
      "--controllers needs addresses of views, which recursive-description and calabash have, but not \(format.rawValue)"
    case .truncated(let reason): "ends too early: \(reason)"
    case .documentType: "a document type declaration (DOCTYPE) is refused: captures have none"
    case .tooManyNamespaces(let limit): "more than \(limit) namespace declarations"
    case .namesTooLong(let limit):
      "the different names of elements and attributes are longer than \(limit) bytes together"
    case .unknownElement(let expected): "unknown element: expected \(expected)"
    case .unexpectedText: "unexpected text between elements"
    case .missingClass(let element): "element '\(element)' has no class"
    case .badAttribute(let name, let expected): "attribute '\(name)' is malformed: expected \(expected)"
    case .unknownVersion: "unknown version of view-tree XML: expected 1"
    case .noElements: "has no elements"
    case .tooManyElements(let limit): "more than \(limit) elements"
    case .tooDeep(let limit): "elements are nested deeper than \(limit) levels"
    case .tooManyAttributes(let limit): "more than \(limit) attributes in one element"
    case .attributeTooLong(let limit): "an attribute is longer than \(limit) bytes"
    case .pathTooLong(let limit):
      "the class names from the window down to this element are longer than \(limit) bytes together"
    case .identityTextTooLong(let limit):
      "a title, message or controller, which identities contain, is longer than \(limit) bytes"
    case .identitiesTooLong(let limit): "the identities of all elements are longer than \(limit) bytes together"
    case .pageTooLarge(let limit): "the elements and texts of the page take more than \(limit) bytes of memory"
    case .nulByte: "the text has a NUL byte"
    case .nameTooLong(let limit): "a class name is longer than \(limit) bytes"
    case .unexpectedLine: "expected a view, `<Class: 0x…; frame = (x y; w h); …>`"
    case .textAfterView: "expected the end of the line after the `>` that ends a view"
    case .notOneElement: "expected a line with one element, `Type, 0x…, {{x, y}, {width, height}}, …`"
    case .missingLevel: "the view is nested more than one level deeper than the view above it"
    case .lostIndentation:
      "expected the spaces that show how deep the element is inside the one with `→`: they are lost"
    }
  }

  /// The option of the tool that helps. The message does not name it, because clients of the service have no options.
  private var option: String? {
    switch kind {
    case .unknownFormat: "--input-format lists all formats"
    case .badEncoding, .unknownEncoding: "use --encoding to read it in another encoding"
    case .onlyControllers: "use --controllers if this text has a file of its own"
    default: nil
    }
  }
}
