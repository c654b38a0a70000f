import EncircleCapture
import EncircleDictionary
import EncircleIdentity
import EncircleInput
import EncircleRules
import EncircleText
import EncircleTree

/// The captures and the dictionary from which the server knows elements, and the reader for captures.
public struct ScreenSource: Sendable {
  /// The files and directories with captures.
  public var captures: [String]
  /// The dictionary file.
  public var dictionary: String?
  /// Reads a capture.
  public var reader: CaptureReader

  public init(captures: [String] = [], dictionary: String? = nil, reader: CaptureReader = CaptureReader()) {
    self.captures = captures
    self.dictionary = dictionary
    self.reader = reader
  }

  var isEmpty: Bool { captures.isEmpty && dictionary == nil }
}

/// The captures that have been read. Each is read again only if its file has changed.
struct ScreenFiles: Sendable {
  /// The maximum total number of elements in the captures.
  static let maximumElements = 2_000_000

  private struct Entry {
    let state: FileStamp
    let tree: ViewTree?
  }

  private var entries: [UTF8String: Entry] = [:]
  private var dictionaryState: FileStamp?
  private var dictionary: (styles: [PathStyleName], elements: ElementDictionary)?
  /// The captures with their paths, in byte order.
  private(set) var trees: [(path: String, tree: ViewTree)] = []
  /// The files that could not be read, each with the reason.
  private(set) var problems: [String] = []

  /// Returns whether a file has been changed, added or removed since the last read.
  func hasChanged(_ source: ScreenSource) -> Bool {
    if dictionaryState != source.dictionary.flatMap({ FileStamp($0) }) { return true }
    let files = Set(source.captures.flatMap { FileList.files($0) }.map { UTF8String($0) })
    return files.count != entries.count || files.contains { entries[$0]?.state != FileStamp($0.text) }
  }

  /// Reads the files that have changed.
  ///
  /// - Parameter styles: The styles of the dictionary's paths.
  mutating func read(_ source: ScreenSource, styles: [PathStyleName]) {
    var current: [UTF8String: Entry] = [:]
    problems = []
    trees = []
    var count = 0
    for path in source.captures {
      let files = FileList.files(path)
      if files.isEmpty { problems.append("\(path): there are no captures") }
      for file in files where current[UTF8String(file)] == nil {
        guard let state = FileStamp(file) else { continue }
        var entry = Entry(state: state, tree: nil)
        if let known = entries[UTF8String(file)], known.state == state, known.tree != nil {
          entry = known
        } else {
          do throws(CaptureError) {
            entry = Entry(state: state, tree: try source.reader.read(contentsOf: file))
          } catch {
            if file.hasSameBytes(as: path) || !error.isOfOtherFile {
              problems.append("\(file):\(error.location.map { "\($0): " } ?? " ")\(error.message)")
            }
          }
        }
        current[UTF8String(file)] = entry
        guard let tree = entry.tree else { continue }
        count += tree.count
        if count > Self.maximumElements {
          problems.append(
            "\(file): is left out, because the captures have more than \(Self.maximumElements) elements in total")
          current[UTF8String(file)] = Entry(state: state, tree: nil)
          count -= tree.count
        } else {
          trees.append((file, tree))
        }
      }
    }
    entries = current
    readDictionary(source, styles)
  }

  private mutating func readDictionary(_ source: ScreenSource, _ styles: [PathStyleName]) {
    guard let path = source.dictionary else {
      dictionary = nil
      return
    }
    let state = FileStamp(path)
    if state == dictionaryState, let dictionary, dictionary.styles == styles { return }
    dictionaryState = state
    do throws(DictionaryError) {
      let reader = try DictionaryReader(path: path)
      let elements = try ElementDictionary.inEach(of: styles) { (style) throws(DictionaryError) in
        try reader.load(style: style)
      }
      dictionary = (styles, elements)
    } catch {
      dictionary = nil
      problems.append("\(path): \(error.message)")
    }
  }

  /// The elements of the dictionary file.
  var dictionaryElements: ElementDictionary? { dictionary?.elements }
}
