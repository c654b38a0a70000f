import EncircleIdentity
import EncircleTree

/// Writes elements of captures in one of the formats.
struct ElementListing {
  private var writer: any RecordWriter

  init(format: OutputFormat) { writer = format.makeWriter() }

  /// Writes the elements of a capture that `isListed` takes, in pre-order.
  mutating func write(
    _ screen: IdentifiedTree, capture: String, to output: ResultWriter,
    where isListed: (ElementID, EventID) -> Bool
  ) throws {
    try writer.begin(capture: capture, screen, to: output)
    let contents = ElementContents(of: screen)
    try screen.forEachIdentity { element, path, identity, eventID in
      guard isListed(element, eventID) else { return }
      let record = ElementRecord(
        capture: capture, element: element, className: screen.className(of: element), path: path,
        controller: screen.controller(of: element), page: screen.page(of: element), identity: identity,
        eventID: eventID, type: screen.trackingType(of: element), cell: screen.cellLocator(of: element),
        content: contents.content(of: element), frame: screen.tree.frame(of: element))
      try writer.write(record, to: output)
    }
    try writer.end(to: output)
  }

  mutating func finish(to output: ResultWriter) throws { try writer.finish(to: output) }
}
