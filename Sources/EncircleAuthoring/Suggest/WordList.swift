import EncircleRuleFiles
import EncircleText

/// Words that replace the texts of screens in names: 首页 becomes `home`.
///
/// ```yaml
/// 首页: home
/// 加入购物车: add_to_cart
/// ```
public struct WordList: Sendable {
  /// The largest file, in bytes.
  public static let maximumFileSize = 1 << 20
  /// The maximum number of words.
  public static let maximumWords = 20_000
  /// The longest text that has a word, and the longest word, in bytes.
  public static let longestText = 200
  public static let longestWord = 64

  private var words: [UTF8String: String] = [:]
  // The lengths of the texts that may be a part of another one, the longest first.
  private var lengths: [Int] = []

  /// Creates a list without words.
  public init() {}

  /// Creates a list of words.
  ///
  /// - Throws: ``InvalidWord`` with the first word that is not allowed in a name.
  /// - Complexity: O(*n* log *n*).
  package init(_ words: some Sequence<(text: String, word: String)>) throws(InvalidWord) {
    for (text, word) in words {
      if let message = Self.problem(text, word) { throw InvalidWord(text: text, message: message) }
      guard add(text, word) else { throw InvalidWord(text: text, message: Self.tooMany) }
    }
    finish()
  }

  /// A text with a word that is not allowed in a name.
  package struct InvalidWord: Error {
    package let text: String
    package let message: String
  }

  /// Reads a file.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem.
  public init(path: String) throws(RuleFileErrors) {
    try self.init(yaml: RuleDirectory.text(of: path, limit: Self.maximumFileSize), name: path)
  }

  /// Reads a text: a mapping of texts to words.
  ///
  /// - Throws: ``RuleFileErrors`` with every problem.
  public init(yaml text: String, name: String = "<words>") throws(RuleFileErrors) {
    var reader = NodeReader(text, name: name)
    if let root = reader.root() {
      if root.mapping == nil { reader.reportNoMapping("a mapping of texts to words, such as '首页: home'", at: root) }
      for (key, value) in root.mapping ?? [] {
        guard let text = reader.name(key, "a text"), let word = reader.name(value, "a word") else { continue }
        if let message = Self.problem(text.text, word.text) {
          reader.report(message, at: text.text.utf8.count > Self.longestText ? key : value)
        } else if !add(text.text, word.text) {
          reader.report(Self.tooMany, at: key)
          break
        }
      }
    }
    guard reader.diagnostics.isEmpty else { throw RuleFileErrors(reader.diagnostics, isMissingInput: false) }
    finish()
  }

  private static let tooMany = "a word list has at most \(maximumWords) words"

  private static func problem(_ text: String, _ word: String) -> String? {
    if text.isEmpty { return "expected a text" }
    if text.utf8.count > longestText { return "a text of a word list has at most \(longestText) bytes" }
    guard word.utf8.allSatisfy(isFilenameByte), NameSlug.isMeaningful(NameSlug.slug(word)) else {
      return "a word has ASCII letters, digits, '_', '-' and '.', and a letter at least"
    }
    return word.utf8.count > longestWord ? "a word has at most \(longestWord) bytes" : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  private mutating func add(_ text: String, _ word: String) -> Bool {
    guard words.count < Self.maximumWords else { return false }
    words[UTF8String(text)] = word
    return true
  }

  private mutating func finish() {
    lengths = Set(words.keys.map(\.text.utf8.count)).filter { $0 <= NameSlug.longestText }.sorted(by: >)
  }

  // MARK: - Translating

  /// Returns the word of a text as a whole; nil if it has none.
  func word(for text: String) -> String? { words[UTF8String(text)] }

  /// Returns a text as a name: its word or, if it has none, its ASCII letters and digits, with words in place of the longest
  /// parts that have one. Nil if it has other letters without a word, if nothing is left, or if the text is too long for a name.
  ///
  /// - Complexity: O(length × different lengths of texts in the list).
  func name(for text: String) -> String? {
    if let word = word(for: text) { return word }
    guard text.utf8.count <= NameSlug.longestText else { return nil }
    let bytes = Array(text.utf8)
    var parts: [String] = []
    var plain: [UInt8] = []
    func flush() {
      let slug = NameSlug.slug(String(decoding: plain, as: UTF8.self), separator: "_", keepsDots: false)
      if !slug.isEmpty { parts.append(slug) }
      plain = []
    }
    var scalars = text.unicodeScalars[...]
    var place = 0
    while let scalar = scalars.first {
      if let (length, word) = longestPart(of: bytes, at: place) {
        flush()
        parts.append(word)
        place += length
        scalars = text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: place)...]
        continue
      }
      if scalar.isASCII {
        plain.append(UInt8(ascii: scalar))
      } else if scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark {
        return nil
      } else {
        plain.append(UInt8(ascii: " "))
      }
      place += UTF8.width(scalar)
      scalars.removeFirst()
    }
    flush()
    let name = parts.joined(separator: "_")
    return NameSlug.isMeaningful(name) ? name : nil
  }

  /// Returns the word of the longest text that begins at a place, and its length. Texts that begin or end with an ASCII letter are whole
  /// words there.
  private func longestPart(of bytes: [UInt8], at place: Int) -> (length: Int, word: String)? {
    for length in lengths where place + length <= bytes.count {
      let end = place + length
      if place > 0, Self.isWord(bytes[place]), Self.isWord(bytes[place - 1]) { continue }
      if end < bytes.count, Self.isWord(bytes[end - 1]), Self.isWord(bytes[end]) { continue }
      if let word = words[UTF8String(String(decoding: bytes[place..<end], as: UTF8.self))] { return (length, word) }
    }
    return nil
  }
}
