import EncircleCapture
import EncircleIdentity
import EncircleTree

/// Reads a capture and, if that succeeds, computes everything that the library offers for its elements.
///
/// - Parameter format: The format that is forced on the reader; nil to detect it.
/// - Returns: 0, as libFuzzer requires.
func readCapture(_ input: [UInt8], as format: CaptureFormat?) -> CInt {
  guard let tree = read(input, as: format) else { return 0 }
  check(tree)

  let screen = IdentifiedTree(tree)
  let contents = ElementContents(of: screen)
  var eventIDs: [EventID] = []
  screen.forEachIdentity { element, path, identity, eventID in
    precondition(element.index == eventIDs.count, "elements come in pre-order")
    precondition(identity.count > path.count + 5, "an identity holds its path")
    // Compares the continued hash with one from the first byte.
    precondition(EventID(identity: UnsafeRawBufferPointer(identity)) == eventID, "\(element): wrong event ID")
    eventIDs.append(eventID)
    _ = screen.trackingType(of: element)
    _ = screen.page(of: element)
    _ = screen.controller(of: element)
    _ = screen.cellLocator(of: element)
    let content = contents.content(of: element)
    // Readers of pages omit typed text, and the class of a submit button is `input`, too.
    if tree.web == nil, !screen.kinds(of: element).isDisjoint(with: .typedText) {
      precondition(content == nil, "\(element): the text of a field is in the content")
    }
  }
  precondition(eventIDs.count == tree.count)
  // The slow way is only used for a few elements, because paths in deep trees are long.
  for element in tree.elements.prefix(20) {
    precondition(screen.eventID(of: element) == eventIDs[element.index], "\(element): two event IDs")
  }
  _ = screen.missingInformation.map(\.description)
  for collision in screen.collisions(among: eventIDs) {
    precondition(collision.elements.count > 1)
    precondition(collision.elements.allSatisfy { eventIDs[$0.index] == collision.eventID })
  }
  return 0
}

private func read(_ input: [UInt8], as format: CaptureFormat?) -> ViewTree? {
  do throws(CaptureError) {
    let tree = try CaptureReader(format: format).read(input)
    precondition(format == nil || tree.format == format, "the format that was asked for")
    return tree
  } catch {
    precondition(!error.description.isEmpty)
    if let location = error.location { precondition(location.line > 0 && location.column > 0, "\(location)") }
    return nil
  }
}

/// Checks the invariants of every tree.
private func check(_ tree: ViewTree) {
  let limits = CaptureLimits()
  precondition(tree.count > 0 && tree.count <= limits.elements)
  var childCount = 0
  for element in tree.elements {
    let end = tree.subtreeEnd(of: element)
    precondition(end > element && end.index <= tree.count)
    if let parent = tree.parent(of: element) {
      precondition(parent < element && end <= tree.subtreeEnd(of: parent), "subtrees nest")
    }
    var child = tree.firstChild(of: element)
    while let next = child {
      precondition(tree.parent(of: next) == element)
      childCount += 1
      child = tree.nextSibling(of: next)
    }
    if let frame = tree.frame(of: element) {
      precondition(
        frame.x.isFinite && frame.y.isFinite && frame.width.isFinite && frame.height.isFinite, "\(element): \(frame)")
    }
    precondition(!tree.className(of: element).isEmpty, "\(element): no class")
    _ = tree.attributes(of: element)
  }
  precondition(childCount == tree.elements.count { tree.parent(of: $0) != nil })
}
