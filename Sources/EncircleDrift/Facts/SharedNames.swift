import EncircleText

/// The class names and texts of two screens, each under one number for both, and how similar they are.
///
/// A similarity is computed when it is first asked for and then remembered, as screens repeat their classes and texts.
struct SharedNames {
  private var table = StringTable()
  private let kind: Kind

  /// The units of comparison: the words of class names, or pairs of bytes of texts.
  enum Kind { case classes, texts }

  init(_ kind: Kind) { self.kind = kind }

  var count: Int { table.count }

  mutating func intern(_ text: String) -> Int32 { Int32(table.intern(text).rawValue) }

  subscript(id: Int32) -> String { table[StringID(UInt32(id))] }

  /// Returns the length of a name in bytes.
  func length(of id: Int32) -> Int { table.length(of: StringID(UInt32(id))) }

  /// Returns the parts of a name that are compared, sorted: hashes of lower-case words, or pairs of bytes.
  func signature(of id: Int32) -> [UInt32] {
    table.withBytes(of: StringID(UInt32(id))) { bytes in
      let bytes = bytes.prefix(DriftLimits.comparedBytes)
      return kind == .classes ? Self.words(bytes) : Self.pairs(bytes)
    }
  }

  /// Returns the hash of the last word of a class name, which names the kind of view: `Button` of `PrimaryButton`.
  func lastWord(of id: Int32) -> UInt32 {
    table.withBytes(of: StringID(UInt32(id))) { bytes in
      var last: UInt32 = 0
      Self.forEachWord(bytes.prefix(DriftLimits.comparedBytes)) { last = $0 }
      return last
    }
  }

  private static func words(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt32] {
    var words: [UInt32] = []
    forEachWord(bytes) { words.append($0) }
    return words.sorted()
  }

  private static func pairs(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt32] {
    var pairs: [UInt32] = []
    var last: UInt32 = 0
    for byte in bytes {
      let byte = UInt32(lowercased(byte))
      pairs.append(last << 8 | byte)
      last = byte
    }
    return pairs.sorted()
  }

  /// Cuts `UICollectionViewCell` into `ui`, `collection`, `view`, `cell`; other bytes than letters and digits separate.
  private static func forEachWord(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ body: (UInt32) -> Void) {
    var hash: UInt32 = 0
    var isOpen = false
    var wasUpper = false
    for i in bytes.indices {
      let byte = bytes[i]
      let isInWord = isLetter(byte) || isDigit(byte) || byte >= 0x80
      let upper = isUpperCase(byte)
      let nextIsLower = i + 1 < bytes.endIndex && (0x61...0x7A).contains(bytes[i + 1])
      if isOpen, !isInWord || upper && (!wasUpper || nextIsLower) {
        body(hash)
        isOpen = false
      }
      if isInWord {
        if !isOpen { hash = 0x811C_9DC5 }
        isOpen = true
        hash = (hash ^ UInt32(lowercased(byte))) &* 0x0100_0193
      }
      wasUpper = upper
    }
    if isOpen { body(hash) }
  }
}

/// The data for comparing the names of two screens, shared by all their pairs of scenes.
final class NameComparison {
  let classes: SharedNames
  let classSimilarity: SimilarityTable
  let textSimilarity: SimilarityTable
  /// The hash of the last word of each class.
  let lastWords: [UInt32]
  /// The length of each text, up to 24 bytes, by 24.
  let textLengths: [Float]

  init(classes: SharedNames, texts: SharedNames) {
    self.classes = classes
    classSimilarity = SimilarityTable(classes)
    textSimilarity = SimilarityTable(texts)
    lastWords = (0..<Int32(classes.count)).map { classes.lastWord(of: $0) }
    textLengths = (0..<Int32(texts.count)).map { Float(min(texts.length(of: $0), 24)) / 24 }
  }
}

/// Similarities of all names of two screens with each other, computed when they are first asked for.
final class SimilarityTable {
  private let signatures: [[UInt32]]
  private let memory: UnsafeMutableBufferPointer<Float>
  private let count: Int

  /// Prepares a table. With more names than ``DriftLimits/comparedNames``, only equal ones are similar.
  init(_ names: SharedNames) {
    count = names.count <= DriftLimits.comparedNames ? names.count : 0
    signatures = (0..<Int32(count)).map { names.signature(of: $0) }
    memory = .allocate(capacity: count * count)
    memory.initialize(repeating: -1)
  }

  deinit { memory.deallocate() }

  /// Returns the share of parts that two names have in common, from 0 to 1.
  @inline(__always) func callAsFunction(_ a: Int32, _ b: Int32) -> Float {
    if a == b { return 1 }
    guard count > 0 else { return 0 }
    // Both are numbers of names, so they are less than the count.
    let known = memory[Int(a) * count + Int(b)]
    return known >= 0 ? known : compute(Int(a), Int(b))
  }

  @inline(never) private func compute(_ a: Int, _ b: Int) -> Float {
    let value = sharedPart(signatures[a][...], signatures[b][...])
    memory[a * count + b] = value
    return value
  }
}

/// Returns twice the number of common members of two sorted bags, divided by the number of all their members: 0 to 1, and 1 if
/// both are empty.
func sharedPart<T: Comparable>(_ a: ArraySlice<T>, _ b: ArraySlice<T>) -> Float {
  guard !a.isEmpty || !b.isEmpty else { return 1 }
  var i = a.startIndex
  var j = b.startIndex
  var common = 0
  while i < a.endIndex, j < b.endIndex {
    if a[i] == b[j] {
      common += 1
      i += 1
      j += 1
    } else if a[i] < b[j] {
      i += 1
    } else {
      j += 1
    }
  }
  return Float(2 * common) / Float(a.count + b.count)
}
