import EncircleIdentity
import EncircleText
import EncircleTree

/// Makes the records of a capture's elements, and their text. Several threads may use it for different elements.
struct ElementRecords: Sendable {
  /// The text of consecutive elements.
  struct Part: Sendable {
    /// The records in the format of the listing, with separators between them.
    var text: [UInt8] = []
    var eventIDs: [EventID] = []
    /// This is true if an element has the requested ID.
    var hasSelected = false
    /// The number of the first element after the part.
    var end: Int
  }

  private struct PartIsFull: Error {}

  // In bytes. Paths may be long, so a number of elements would not limit the text.
  private static let longestText = 1 << 19
  // In bytes. Most records are shorter.
  private static let usualText = 1 << 10

  private let screen: IdentifiedTree
  private let capture: String
  private let style: (any PathStyle)?
  private let styleName: PathStyleName
  private let writer: any RecordWriter
  private let select: EventIDPrefix?
  private let onlyTracked: Bool
  private let isListed: @Sendable (ElementID) -> Bool
  private let contents: ElementContents
  // These are nil for the style of identities, which does not need them.
  private let chains: PathChains?
  private let taps: AndroidTaps?
  private let webTaps: WebTaps?

  /// - Parameters:
  ///   - style: The style of the paths; nil for the style of identities.
  ///   - select: The ID that the elements must have, either their event ID or their ID in the style; nil for any.
  ///   - onlyTracked: True to omit elements for which the style's SDK sends no event.
  init(
    of screen: IdentifiedTree, capture: String, style: (any PathStyle)?, _ styleName: PathStyleName,
    _ writer: any RecordWriter, select: EventIDPrefix?, onlyTracked: Bool,
    _ isListed: @escaping @Sendable (ElementID) -> Bool
  ) {
    self.screen = screen
    self.capture = capture
    self.style = style
    self.styleName = styleName
    self.writer = writer
    self.select = select
    self.onlyTracked = onlyTracked
    self.isListed = isListed
    contents = ElementContents(of: screen, in: styleName)
    let chains = style == nil ? nil : PathChains(of: screen)
    self.chains = chains
    taps = chains.flatMap { AndroidTaps(of: $0, style: styleName) }
    webTaps = chains.flatMap { WebTaps(of: $0, style: styleName, withSettings: true) }
  }

  /// Makes the text of elements until it reaches the maximum length.
  ///
  /// - Parameter numbers: The numbers of the elements.
  func part(_ numbers: Range<Int>) -> Part {
    var part = Part(end: numbers.lowerBound)
    part.text.reserveCapacity(numbers.count * Self.usualText)
    var styledPath: [UInt8] = []
    var chain = AncestorStack<PathNode>()
    if let chains {
      for above in screen.tree.ancestors(of: ElementID(numbers.lowerBound)).reversed() {
        chain.push(chains.node(of: above), for: above, of: screen.tree)
      }
    }
    try? screen.forEachIdentity(in: numbers) { element, path, identity, eventID throws(PartIsFull) in
      guard part.text.count < Self.longestText else { throw PartIsFull() }
      part.end = element.index + 1
      part.eventIDs.append(eventID)
      var styled: StyledRecord?
      if let style, let chains {
        chain.removeNonAncestors(of: element)
        chain.push(chains.node(of: element), for: element, of: screen.tree)
        styledPath.removeAll(keepingCapacity: true)
        styled = style.path(of: chain.values).map { styledRecord(of: element, $0, style, chain.values) }
        if let styled { style.write(styled.path, to: &styledPath) }
      }
      if let select {
        guard select.matches(eventID) || styled?.id.map({ select.matches($0) }) ?? false else { return }
        part.hasSelected = true
      }
      guard style == nil || styled != nil, isListed(element) else { return }
      var record = ElementRecord(
        capture: capture, element: element, className: screen.className(of: element), path: path,
        controller: screen.controller(of: element), page: screen.page(of: element, in: styleName), identity: identity,
        eventID: eventID, type: screen.trackingType(of: element, in: styleName), cell: screen.cellLocator(of: element),
        content: contents.content(of: element), properties: screen.properties(of: element, in: styleName))
      record.isContainer = record.type == nil && contents.ownContent(of: element) == nil
      record.styled = styled
      if let taps { record.add(taps.tap(on: element), isTracked: taps.isTracked(element)) }
      if onlyTracked, record.type == nil { return }
      if !part.text.isEmpty { part.text.append(contentsOf: writer.separator.utf8) }
      if styled == nil {
        writer.append(record, to: &part.text)
      } else {
        styledPath.withUnsafeBufferPointer {
          record.path = $0
          writer.append(record, to: &part.text)
        }
      }
    }
    return part
  }

  private func styledRecord(
    of element: ElementID, _ path: StyledPath, _ style: any PathStyle, _ chain: [PathNode]
  ) -> StyledRecord {
    var styled = StyledRecord(path: path, id: path.digest, position: style.position(in: chain))
    if styleName.isSensors {
      styled.elementType = screen.elementType(of: element, in: styleName)
      styled.title = screen.pageTitle(of: element, in: styleName)
    }
    if let webTaps {
      styled.web = WebRecord(
        tap: webTaps.tap(on: element), settings: webTaps.settings(of: element), triggers: webTaps.triggers(of: element))
    }
    if style.name == .lede { styled.alert = screen.alertTexts(of: element) }
    return styled
  }
}

extension ElementRecord {
  /// Replaces the values for which the SDK of an Android style sends other values.
  fileprivate mutating func add(_ tap: AndroidTap, isTracked: Bool) {
    page = tap.page
    content = tap.content
    if !isTracked { type = nil }
    styled?.title = tap.title
    styled?.elementType = tap.elementType
    styled?.resourceID = tap.resourceID
    styled?.selector = tap.selector
  }
}
