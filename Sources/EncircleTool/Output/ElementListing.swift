import ArgumentParser
import EncircleIdentity
import EncircleTree

/// The arguments for listings of elements.
struct ListingOptions: ParsableArguments {
  @Option(help: "The format of the list.")
  var format = OutputFormat.table

  @Flag(
    help: """
      With --format csv, write cells as they are. Otherwise those that a spreadsheet would take for formulas (they begin with \
      =, +, -, @, a tab or a line end) get a ' in front.
      """)
  var csvRaw = false

  func validate() throws {
    if csvRaw, format != .csv { throw ValidationError("--csv-raw goes with --format csv.") }
  }
}

/// Writes elements of captures in one of the formats.
struct ElementListing {
  private var writer: any RecordWriter
  private let style: (any PathStyle)?
  private let styleName: PathStyleName

  /// - Parameter style: The style of the paths; nil for the style of identities.
  init(_ options: ListingOptions, _ colors: ColorOptions, style: PathStyleName? = nil) {
    styleName = style ?? .hubbleData
    self.style = style.flatMap { $0 == .hubbleData ? nil : $0.style }
    writer = options.format.makeWriter(hasStyle: self.style != nil, options, colors)
  }

  /// Writes the elements of a capture for which `isListed` returns true, in pre-order. Elements for which the style has
  /// no path are left out.
  mutating func write(
    _ screen: IdentifiedTree, capture: String, to output: ResultWriter,
    where isListed: (ElementID, EventID, [UInt8]?) -> Bool
  ) throws {
    try writer.begin(capture: capture, screen, to: output)
    let contents = ElementContents(of: screen, in: styleName)
    let chains = style == nil ? nil : PathChains(of: screen)
    let taps = chains.flatMap { AndroidTaps(of: $0, style: styleName) }
    let webTaps = chains.flatMap { WebTaps(of: $0, style: styleName, withSettings: true) }
    var styledPath: [UInt8] = []
    var chain = AncestorStack<PathNode>()
    try screen.forEachIdentity { element, path, identity, eventID in
      var styled: StyledRecord?
      if let style, let chains {
        chain.removeNonAncestors(of: element)
        chain.push(chains.node(of: element), for: element, of: screen.tree)
        guard let path = style.path(of: chain.values) else {
          _ = isListed(element, eventID, nil)
          return
        }
        styled = StyledRecord(path: path, id: path.digest, position: style.position(in: chain.values))
        if styleName.isSensors {
          styled?.elementType = screen.elementType(of: element, in: styleName)
          styled?.title = screen.pageTitle(of: element, in: styleName)
        }
        if let webTaps {
          styled?.web = WebRecord(
            tap: webTaps.tap(on: element), settings: webTaps.settings(of: element),
            triggers: webTaps.triggers(of: element))
        }
        if style.name == .lede { styled?.alert = screen.alertTexts(of: element) }
        styledPath.removeAll(keepingCapacity: true)
        style.write(path, to: &styledPath)
      }
      guard isListed(element, eventID, styled?.id) else { return }
      var record = ElementRecord(
        capture: capture, element: element, className: screen.className(of: element), path: path,
        controller: screen.controller(of: element), page: screen.page(of: element, in: styleName), identity: identity,
        eventID: eventID, type: screen.trackingType(of: element, in: styleName), cell: screen.cellLocator(of: element),
        content: contents.content(of: element), properties: screen.properties(of: element, in: styleName))
      record.isContainer = record.type == nil && contents.ownContent(of: element) == nil
      record.styled = styled
      if let tap = taps?.tap(on: element) { record.add(tap) }
      if styled == nil {
        try writer.write(record, to: output)
      } else {
        try styledPath.withUnsafeBufferPointer {
          record.path = $0
          try writer.write(record, to: output)
        }
      }
    }
    try writer.end(to: output)
  }

  mutating func finish(to output: ResultWriter) throws { try writer.finish(to: output) }
}

extension ElementRecord {
  /// Replaces the values for which the SDK of an Android style sends something else.
  fileprivate mutating func add(_ tap: AndroidTap) {
    page = tap.page
    content = tap.content
    if !tap.isTracked { type = nil }
    styled?.title = tap.title
    styled?.elementType = tap.elementType
    styled?.resourceID = tap.resourceID
    styled?.selector = tap.selector
  }
}
