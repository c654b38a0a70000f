import EncircleText
import EncircleTree

/// Puts reasons into words.
struct ReasonText {
  private let old: ScreenFacts
  private let new: ScreenFacts
  private let mapping: PartialMapping
  private let oldTree: ViewTree
  private let newTree: ViewTree

  private static let longestValue = 40

  init(_ old: ScreenFacts, _ new: ScreenFacts, _ mapping: PartialMapping, _ oldTree: ViewTree, _ newTree: ViewTree) {
    self.old = old
    self.new = new
    self.mapping = mapping
    self.oldTree = oldTree
    self.newTree = newTree
  }

  /// Returns the text of a topic for a pair.
  ///
  /// - Parameter isFor: True if the text is an argument for the pair rather than against it.
  func text(_ topic: ReasonTopic, _ i: Int, _ j: Int, isFor: Bool) -> String {
    switch topic {
    case .text: return compare("text", old.text[i], new.text[j], Self.texts, i, j)
    case .label: return compare("label", old.label[i], new.label[j], [.label], i, j)
    case .identifier: return compare("identifier", old.identifier[i], new.identifier[j], [.identifier], i, j)
    case .actions: return compare("actions", old.actions[i], new.actions[j], [.actions], i, j)
    case .controller: return compare("controller", old.controller[i], new.controller[j], [.controller], i, j)
    case .className:
      let names = (
        oldTree.className(of: old.elements[i]), newTree.className(of: new.elements[j])
      )
      return old.className[i] == new.className[j]
        ? "same class \(Self.short(names.1))" : "class \(Self.short(names.0)) → \(Self.short(names.1))"
    case .contents:
      if old.subtreeHash[i] == new.subtreeHash[j] { return "same contents" }
      return isFor ? "similar contents" : "other contents"
    case .frame:
      if old.frame[i] == new.frame[j] { return "same frame" }
      return isFor ? "similar frame" : "other frame"
    case .parent:
      let (p, q) = (Int(old.parent[i]), Int(new.parent[j]))
      let isMatched = p < 0 && q < 0 || p >= 0 && mapping.newOf[p] == Int32(q)
      return isMatched ? "parent matched" : isFor ? "ancestors matched" : "parent not matched"
    case .path: return old.pathHash[i] == new.pathHash[j] ? "same path" : "another path"
    default: return Self.words(topic, isFor: isFor)
    }
  }

  private static func words(_ topic: ReasonTopic, isFor: Bool) -> String {
    switch topic {
    case .nearbyTexts: isFor ? "similar texts around" : "other texts around"
    case .ancestors: isFor ? "similar superviews" : "other superviews"
    case .siblings: isFor ? "similar siblings" : "other siblings"
    case .rivals: isFor ? "no other comes close" : "others come close"
    case .subviews: isFor ? "subviews matched" : "subviews not matched"
    case .neighbours: isFor ? "neighbours matched" : "neighbours not matched"
    case .alignment: isFor ? "in line with the other views" : "out of line with the other views"
    case .order: isFor ? "order kept" : "order changed"
    case .place: isFor ? "same place" : "another place"
    case .screen: isFor ? "screen much the same" : "screen much changed"
    default: "to begin with"
    }
  }

  private static let texts: [AttributeName] = [.text, .title, .placeholder]

  private func compare(
    _ name: String, _ a: Int32, _ b: Int32, _ attributes: [AttributeName], _ i: Int, _ j: Int
  ) -> String {
    func value(_ tree: ViewTree, _ page: PageNames?, _ element: ElementID, _ isTyped: Bool) -> String {
      if let page, let kind = PageNames.Kind(rawValue: name) {
        return page.value(kind, of: element).map(Self.short) ?? ""
      }
      // A field shows its placeholder, never the typed text.
      let attributes = isTyped ? [.placeholder] : attributes
      let text = attributes.lazy.compactMap { tree.value($0, of: element) }.first { !$0.isEmpty }
      return text.map(Self.short) ?? ""
    }
    let before = a < 0 ? "" : value(oldTree, old.page, old.elements[i], old.isTyped[i] && name == "text")
    let now = b < 0 ? "" : value(newTree, new.page, new.elements[j], new.isTyped[j] && name == "text")
    if a >= 0, b >= 0 { return a == b ? "same \(name) \(now)" : "\(name) \(before) → \(now)" }
    if a < 0, b < 0 { return "no \(name)" }
    return a >= 0 ? "\(name) \(before) lost" : "\(name) \(now) added"
  }

  private static func short(_ text: String) -> String { VisibleText.shortened(text, columns: longestValue) }
}
