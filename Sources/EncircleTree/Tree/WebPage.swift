import EncircleText

/// The parts of a web page besides elements with attributes: the text nodes between them, and details of each element beyond its
/// tag.
///
/// The class of an element is its name in the DOM, such as `button` or, in SVG, `linearGradient`. Attributes have the names and
/// values of the DOM and are never the well-known ones. The elements of open shadow trees come after all others, as groups of
/// top-level elements, so that the others have the numbers of `document.querySelectorAll('*')`.
public struct WebPage: Sendable {
  /// The address, percent-encoded as in `location.href`; nil if the capture does not give it.
  public internal(set) var url: String?
  /// `document.title`, where the capture gives it beside the elements.
  public internal(set) var statedTitle: String?

  /// A text node.
  package struct Text: Sendable {
    /// The element right around it.
    package let parent: ElementID
    package let text: StringID
  }

  // In document order; the texts of each shadow tree are together.
  package internal(set) var texts: [Text] = []
  // The first text in each element, and the text after the last one.
  var textStarts: [Int32] = []
  var textEnds: [Int32] = []
  // The traits of each element.
  var traits: [Traits] = []
  // For each group of top-level elements that is a shadow tree, the element to which the tree belongs.
  var hosts: [Int32: ElementID] = [:]

  /// Facts about an element besides its tag and attributes.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The element is not HTML but SVG or MathML, where the case of names counts.
    package static let foreign = Traits(rawValue: 1)
    /// The element is MathML. It has ``foreign``, too.
    package static let mathML = Traits(rawValue: 4)
    /// The page shows a hand over it (`cursor: pointer`).
    package static let pointer = Traits(rawValue: 2)
  }

  /// This is true if the capture records which cursor the page shows over each element.
  public internal(set) var knowsCursors = false

  /// This is true if the page has bytes that are not UTF-8. Its texts have U+FFFD in their place.
  public internal(set) var hasInvalidUTF8 = false

  /// Returns the numbers of the text nodes in an element and in all that is in it.
  package func texts(in element: ElementID) -> Range<Int> {
    Int(textStarts[element.index])..<Int(textEnds[element.index])
  }

  package func traits(of element: ElementID) -> Traits { traits[element.index] }
}

extension ViewTree {
  /// Returns the element around an element of a web page: its parent or, at the top of a shadow tree, the host.
  package func webParent(of element: ElementID) -> ElementID? {
    parent(of: element) ?? web?.hosts[siblingGroup(of: element)]
  }

  /// Returns an attribute's name in a web page, which is never a well-known name; nil if no element has the attribute.
  package func webAttributeName(_ text: String) -> AttributeName? {
    var text = text
    return text.withUTF8 { text in
      customNames.firstIndex { strings.equals($0, text) }.map {
        AttributeName(rawValue: UInt32(AttributeName.wellKnown.count + $0))
      }
    }
  }
}

// MARK: - Building

extension ViewTree.Builder {
  /// Begins an element of a web page inside the open one.
  ///
  /// - Precondition: All elements of the tree are begun by this method.
  @discardableResult
  package mutating func beginWebElement(
    _ name: UnsafeBufferPointer<UInt8>, _ traits: WebPage.Traits
  ) -> ElementID {
    let element = beginElement(class: name)
    var page = web.take() ?? WebPage()
    page.textStarts.append(Int32(page.texts.count))
    page.textEnds.append(0)
    page.traits.append(traits)
    web = page
    return element
  }

  /// Ends the open element of a web page.
  package mutating func endWebElement() {
    let end = Int32(web?.texts.count ?? 0)
    if let openElement { web?.textEnds[openElement.index] = end }
    endElement()
  }

  /// Adds a text node to the open element.
  package mutating func addText(_ text: UnsafeBufferPointer<UInt8>) {
    guard let openElement else { return }
    let id = intern(text)
    web?.texts.append(WebPage.Text(parent: openElement, text: id))
  }

  /// Adds an attribute of a web page to the element begun last.
  package mutating func addWebAttribute(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    addAttribute(ownAttributeName(name), value)
  }

  /// Takes the top-level elements that follow for the shadow tree of an element.
  ///
  /// - Precondition: No element is open.
  package mutating func beginShadowTree(of host: ElementID) {
    beginWindowGroup()
    let group = currentWindowGroup
    web?.hosts[group] = host
  }

  /// Sets the properties of the page as a whole.
  package mutating func setPage(url: String?, title: String?, knowsCursors: Bool, hasInvalidUTF8: Bool) {
    web?.url = url
    web?.statedTitle = title
    web?.knowsCursors = knowsCursors
    web?.hasInvalidUTF8 = hasInvalidUTF8
  }
}
