import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

extension LanguageServer {
  /// Returns the tags, ids, classes and attributes of captured pages that can complete a CSS selector. Names that a tool seems to
  /// have generated are omitted, as are tests that are not valid in the style.
  ///
  /// - Complexity: O(visited elements + their attributes).
  func completePageSelector(at site: CompletionPlace, _ style: PathStyleName) -> LSP.CompletionList? {
    let (text, cursor) = (site.text, site.cursor)
    let content = site.place.content(in: text.bytes)
    // An unfinished name begins at its sign, such as `#` or `.`.
    var start = cursor
    while start > content.lowerBound, !Array(" >,]".utf8).contains(text.bytes[start - 1]) {
      start -= 1
      if Array("#.[".utf8).contains(text.bytes[start]) { break }
    }
    var end = cursor
    while end < content.upperBound, !Array(" >,#.[:".utf8).contains(text.bytes[end]) { end += 1 }
    let proposals = pageNames().compactMap { name, count -> Proposal? in
      guard let selectors = try? ElementSelector.css(parsing: name.text),
        selectors.allSatisfy({ $0.unreadableStep(in: style) == nil })
      else { return nil }
      return Proposal(label: name.text, kind: .class, detail: counted(count, "element"), rank: count)
    }
    return list(proposals, replacing: start..<end, at: site)
  }

  private static let maximumPageElements = 200_000

  /// Returns the tests that elements of captured pages pass, with the number of elements for each.
  private func pageNames() -> [UTF8String: Int] {
    var counts: [UTF8String: Int] = [:]
    func add(_ text: String) { counts[UTF8String(text), default: 0] += 1 }
    var left = Self.maximumPageElements
    for known in known.screens where known.screen.tree.web != nil && left > 0 {
      let tree = known.screen.tree
      for element in tree.elements.prefix(left) {
        add(tree.className(of: element))
        for (name, value) in tree.attributes(of: element) {
          let (name, value) = (UTF8String(name), UTF8String(value))
          switch name {
          case "id" where PageName(ofValue: value) == .people: add(ElementSelector.PageTest.id(value).description)
          case "class":
            for word in value.text.splitBytes(at: " ") {
              let word = UTF8String(String(word))
              if PageName(ofClass: word) == .people { add(ElementSelector.PageTest.hasClass(word).description) }
            }
          default:
            guard name.text.utf8.starts(with: "data-".utf8), !PageName.isFrameworks(attribute: name) else { continue }
            add(ElementSelector.PageTest.hasAttribute(name).description)
          }
        }
      }
      left -= tree.count
    }
    return counts
  }
}
