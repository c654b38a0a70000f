import EncircleText
import EncircleTree

/// The text nodes of a page in a form that allows finding the beginning of any element's text in a time that does not depend on the
/// length of the text.
struct WebTexts: Sendable {
  /// The greatest length of a content, in UTF-16 units.
  static let maximumLength = 255
  // The greatest number of units of a node that may be needed.
  private static let maximumUnits = maximumLength + 8

  // The text of node n is units[starts[n] ..< starts[n + 1]]. Each run of spaces and line ends is one space.
  private let units: [UInt16]
  private let starts: [Int32]
  // For each node, the next node (itself included) that is not only white space, and the next one that is not only
  // spaces.
  private let nextText: [Int32]
  private let nextUnits: [Int32]
  // For each node, this is true if it has more than white space after the kept units.
  private let goesOn: [Bool]

  init(of page: WebPage, in tree: ViewTree) {
    var units: [UInt16] = []
    var starts: [Int32] = [0]
    var goesOn: [Bool] = []
    var isBlank: [Bool] = []
    var isSpace: [Bool] = []
    // Equal texts occur often in a page, so they are converted once.
    var known: [StringID: Int] = [:]
    for (n, text) in page.texts.enumerated() {
      if let same = known[text.text] {
        // The units are appended one by one, because appending a slice of the array itself copies the whole array first.
        for place in Int(starts[same])..<Int(starts[same + 1]) { units.append(units[place]) }
        goesOn.append(goesOn[same])
        isBlank.append(isBlank[same])
        isSpace.append(isSpace[same])
        starts.append(Int32(units.count))
        continue
      }
      known[text.text] = n
      let start = units.count
      var isCut = false
      var rest = false
      tree.strings.withBytes(of: text.text) { bytes in
        for var unit in String(decoding: bytes, as: UTF8.self).utf16 {
          if isCut {
            if !JSText.isSpace(unit) {
              rest = true
              break
            }
            continue
          }
          if unit == 0x0A || unit == 0x0D { unit = 0x20 }
          if unit == 0x20, units.count > start, units.last == 0x20 { continue }
          units.append(unit)
          if units.count - start == Self.maximumUnits { isCut = true }
        }
      }
      starts.append(Int32(units.count))
      goesOn.append(rest)
      isBlank.append(!rest && units[start...].allSatisfy(JSText.isSpace))
      isSpace.append(!rest && units[start...].allSatisfy { $0 == 0x20 })
    }
    self.units = units
    self.starts = starts
    self.goesOn = goesOn
    func next(_ isLeftOut: [Bool]) -> [Int32] {
      var result = [Int32](repeating: Int32(isLeftOut.count), count: isLeftOut.count + 1)
      for n in isLeftOut.indices.reversed() { result[n] = isLeftOut[n] ? result[n + 1] : Int32(n) }
      return result
    }
    nextText = next(isBlank)
    nextUnits = next(isSpace)
  }

  /// Returns the text of all nodes in an element: white space around it is removed, each line end becomes a space, several spaces
  /// in a row become one, and only the first 255 units are kept.
  ///
  /// - Complexity: O(1): at most a few hundred units and nodes are examined.
  func content(of element: ElementID, in page: WebPage) -> String {
    let nodes = page.texts(in: element)
    guard !nodes.isEmpty else { return "" }
    var result: [UInt16] = []
    var n = Int(nextText[nodes.lowerBound])
    // This is true if more than white space follows the result.
    var hasMore = false
    while n < nodes.upperBound, !hasMore {
      for unit in units[Int(starts[n])..<Int(starts[n + 1])] {
        if result.isEmpty, JSText.isSpace(unit) { continue }
        if unit == 0x20, result.last == 0x20 { continue }
        if result.count < Self.maximumLength {
          result.append(unit)
        } else if !JSText.isSpace(unit) {
          hasMore = true
        }
      }
      if goesOn[n], result.count >= Self.maximumLength { hasMore = true }
      n += 1
      guard n < nodes.upperBound else { break }
      if result.count >= Self.maximumLength {
        hasMore = hasMore || Int(nextText[n]) < nodes.upperBound
        break
      }
      // Only the first of several spaces stays.
      if result.last == 0x20 { n = Int(nextUnits[n]) }
    }
    if !hasMore { while let last = result.last, JSText.isSpace(last) { result.removeLast() } }
    return JSText.string(result)
  }
}
