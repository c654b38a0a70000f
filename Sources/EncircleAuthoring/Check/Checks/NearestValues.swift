import EncircleText

/// The texts that occur at a property, prepared for finding the intended spelling of a mistyped text.
struct NearestValues {
  /// A text that occurs.
  struct Match {
    let text: String
    let count: Int
  }

  private let texts: [(text: String, count: Int)]
  // The form of each text, as bytes, and the first text of each form.
  private var formBytes: [[UInt8]] = []
  private var forms: [String: Int] = [:]
  /// The bytes of all texts.
  private(set) var size = 0
  private var withoutNumbers: Set<UTF8String> = []

  /// - Parameter texts: How often each text occurs.
  init(_ texts: [UTF8String: Int]) {
    // The most frequent text of a form represents the form.
    self.texts = texts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map {
      ($0.key.text, $0.value)
    }
    for (i, (text, _)) in self.texts.enumerated() {
      let form = TextVariants.form(text)
      formBytes.append(Array(form.utf8))
      size += text.utf8.count
      if !form.isEmpty, forms[form] == nil { forms[form] = i }
      withoutNumbers.insert(UTF8String(TextVariants.withoutNumbers(text)))
    }
  }

  /// Returns whether a text occurs with other numbers.
  func hasWithOtherNumbers(_ text: String) -> Bool {
    withoutNumbers.contains(UTF8String(TextVariants.withoutNumbers(text)))
  }

  /// Returns the text that differs only in its spelling, with the numbers of `text`.
  func variant(of text: String) -> Match? {
    guard let i = forms[TextVariants.form(text)] else { return nil }
    let known = TextVariants.text(texts[i].text, withNumbersOf: text) ?? texts[i].text
    return known.hasSameBytes(as: text) ? nil : Match(text: known, count: texts[i].count)
  }

  /// Returns the nearest text; nil if no text is near enough.
  ///
  /// - Parameter isOpen: True if the texts are displayed texts, which are often alike.
  /// - Complexity: O(texts × length²).
  func nearest(to text: String, isOpen: Bool) -> Match? {
    let wanted = Array(text.unicodeScalars.map(\.value))
    let most = isOpen ? wanted.count / 4 : max(wanted.count > 2 ? 1 : 0, wanted.count / 5)
    guard most > 0, wanted.count <= 64 else { return nil }
    var best: (distance: Int, index: Int)?
    for (i, (other, _)) in texts.enumerated() {
      let scalars = Array(other.unicodeScalars.map(\.value))
      let allowed = min(min(most, 3), best.map { $0.distance - 1 } ?? .max)
      guard scalars.count <= 64, abs(scalars.count - wanted.count) <= allowed else { continue }
      let distance = Self.distance(wanted, scalars)
      if distance <= allowed { best = (distance, i) }
    }
    return best.map { Match(text: texts[$0.index].text, count: texts[$0.index].count) }
  }

  /// Returns the only text of two or three characters that differs from the given one in a single character; nil if there are
  /// several, because short texts mostly mean different things.
  ///
  /// - Parameter counts: Returns whether a text is a plausible correction.
  /// - Complexity: O(texts).
  func onlyNeighbour(of text: String, counts: (UTF8String) -> Bool) -> Match? {
    let wanted = Array(text.unicodeScalars.map(\.value))
    guard (2...3).contains(wanted.count), !text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var found: Match?
    for (other, count) in texts {
      let scalars = Array(other.unicodeScalars.prefix(4).map(\.value))
      guard scalars.count == wanted.count, zip(wanted, scalars).count(where: { $0 != $1 }) == 1,
        counts(UTF8String(other))
      else { continue }
      guard found == nil else { return nil }
      found = Match(text: other, count: count)
    }
    return found
  }

  /// Returns a text that contains `text`, ignoring case.
  ///
  /// - Complexity: O(length of all texts × length).
  func containing(_ text: String) -> Match? {
    let form = Array(TextVariants.form(text).utf8)
    guard form.count > 3 else { return nil }
    let found = formBytes.firstIndex { $0.count < 4 * form.count && Self.contains($0, form) }
    return found.map { Match(text: texts[$0].text, count: texts[$0].count) }
  }

  /// Returns the part of a known text that differs from `text` only in its spelling.
  ///
  /// - Complexity: O(length of all texts), and for one of them O(length²).
  func part(like text: String, isPart: (String, String) -> Bool) -> Match? {
    let form = TextVariants.form(text)
    guard !form.isEmpty else { return nil }
    let length = text.unicodeScalars.count
    let bytes = Array(form.utf8)
    for (i, (other, count)) in texts.enumerated() where Self.contains(formBytes[i], bytes) {
      let scalars = Array(other.unicodeScalars)
      guard scalars.count <= 256 else { continue }
      for size in [length, length - 1, length + 1, length - 2, length + 2] where size > 0 && size <= scalars.count {
        for start in 0...(scalars.count - size) {
          let part = String(String.UnicodeScalarView(scalars[start..<start + size]))
          guard TextVariants.form(part) == form, !part.hasSameBytes(as: text), isPart(other, part) else {
            continue
          }
          return Match(text: part, count: count)
        }
      }
    }
    return nil
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count, let first = part.first else { return part.isEmpty }
    return (0...text.count - part.count).contains { text[$0] == first && text[$0...].starts(with: part) }
  }

  /// Returns the least number of insertions, deletions, replacements and swaps of neighbours between two texts.
  private static func distance(_ a: [UInt32], _ b: [UInt32]) -> Int {
    var above: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var best = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, above[j - 1] + 1) }
        next.append(best)
      }
      (above, row) = (row, next)
    }
    return row[b.count]
  }
}
