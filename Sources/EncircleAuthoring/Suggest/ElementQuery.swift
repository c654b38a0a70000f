import EncircleIdentity
import EncircleText
import EncircleTree

/// A way to name an element of a capture.
public enum ElementQuery: Hashable, Sendable {
  /// The pre-order number of the element, from 0.
  case number(Int)
  /// The event ID of the element, or at least its first 8 digits, in lower case.
  case eventID(prefix: String)
  /// A point in window coordinates, in the units of the capture's frames.
  case point(x: Double, y: Double)
  /// A text that the element shows, or the id that developers gave it.
  case text(String)

  /// Reads a query by its form.
  ///
  /// Fewer than 8 digits are a number, 8 to 64 hexadecimal digits an event ID, two numbers with a comma between them a
  /// point; anything else is a text that the element shows, or its id.
  public init(_ text: String) {
    if let point = Self.point(text) {
      self = point
    } else if text.utf8.count < 8, let number = Int(text), number >= 0 {
      self = .number(number)
    } else if let prefix = Self.eventID(text) {
      self = prefix
    } else {
      self = .text(text)
    }
  }

  /// Reads a point, `x,y`; nil if the text is not one.
  public static func point(_ text: String) -> ElementQuery? {
    let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2, let x = number(parts[0]), let y = number(parts[1]) else { return nil }
    return .point(x: x, y: y)
  }

  /// Reads an event ID or its first digits; nil if the text is not one.
  public static func eventID(_ text: String) -> ElementQuery? {
    let digits = text.utf8.map(lowercased)
    guard (8...64).contains(digits.count), digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
      return nil
    }
    return .eventID(prefix: String(decoding: digits, as: UTF8.self))
  }

  // Reads only digits with a sign and a fraction, not the other forms that Double reads, such as inf.
  private static func number(_ text: Substring.UTF8View) -> Double? {
    let text = String(decoding: text, as: UTF8.self)
    let trimmed = text.utf8.drop { $0 == UInt8(ascii: " ") }
    guard trimmed.allSatisfy({ "0123456789.-".utf8.contains($0) }) else { return nil }
    return Double(String(decoding: trimmed, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension ElementQuery {
  /// Returns the elements of a capture that the query names, in pre-order.
  ///
  /// A text is first compared with the whole content, title and label of elements, and if none is equal, searched in
  /// them; if none has it, it is compared with ids. The result is the nearest trackable element around each element that is
  /// found, such as the button around a label. Typed text is not compared. A point finds the trackable element that was drawn
  /// last there; elements that are hidden, transparent, outside of an ancestor's frame, or dimmed beneath an alert do not count.
  ///
  /// - Complexity: O(elements + total length of texts), and with an event ID O(total length of identities).
  public func elements(of screen: IdentifiedTree) -> [ElementID] {
    switch self {
    case .number(let number): return number >= 0 && number < screen.tree.count ? [ElementID(number)] : []
    case .eventID(let prefix):
      return screen.elements(withEventID: { $0.description.utf8.starts(with: prefix.utf8) })
    case .point(let x, let y): return screen.trackableElement(x: x, y: y).map { [$0] } ?? []
    case .text(let text):
      let found = screen.elements(saying: text)
      return found.isEmpty ? screen.elements(called: text) : found
    }
  }

  /// Returns the elements that the query names, whether or not SDKs track them. For a text, these are the innermost elements that
  /// show it, such as a label in a row, but not parts of a control; if some show exactly this text, only these.
  ///
  /// - Complexity: As for ``elements(of:)``.
  public func shownElements(of screen: IdentifiedTree) -> [ElementID] {
    switch self {
    case .number, .eventID: elements(of: screen)
    case .point(let x, let y): screen.lastElement(x: x, y: y) { _ in true }.map { [$0] } ?? []
    case .text(let text): screen.elements(showing: text)
    }
  }

  /// Returns the element inside a found one that the query literally names: the element drawn last at a point, or the
  /// element with a number, if a tap on it counts for the element around it. Nil if there is none.
  public func innerElement(of element: ElementID, in screen: IdentifiedTree) -> ElementID? {
    let inner: ElementID?
    switch self {
    case .number(let number): inner = ElementID(number)
    case .point(let x, let y): inner = screen.lastElement(x: x, y: y) { _ in true }
    case .eventID, .text: inner = nil
    }
    return inner.flatMap { $0 > element && $0 < screen.tree.subtreeEnd(of: element) ? $0 : nil }
  }
}

extension IdentifiedTree {
  // MARK: - Points

  fileprivate func trackableElement(x: Double, y: Double) -> ElementID? {
    lastElement(x: x, y: y) { trackingType(of: $0) != nil }
  }

  /// Returns the visible element at a point that was drawn last, among the elements that `counts` accepts.
  fileprivate func lastElement(x: Double, y: Double, where counts: (ElementID) -> Bool) -> ElementID? {
    let frames = WindowFrames(of: tree)
    // For each element, whether the point is in it and in all its ancestors.
    var isHit = Array(repeating: false, count: tree.count)
    var result: ElementID?
    for element in tree.elementsInDrawingOrder {
      var hit = (tree.parent(of: element).map { isHit[$0.index] } ?? true) && !tree.isInvisible(element)
      let frame = frames[element]
      if let frame {
        hit = hit && x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
      }
      isHit[element.index] = hit
      // An element without a frame is skipped, because its place is unknown, but its descendants count.
      guard hit, frame != nil else { continue }
      if counts(element) { result = element } else if isDimmingView(element) { result = nil }
    }
    return result
  }

  /// Returns whether an element is the view that UIKit puts between a page and an alert or a sheet above it, where it takes the taps.
  private func isDimmingView(_ element: ElementID) -> Bool {
    let name = className(of: element)
    return name.hasSameBytes(as: "UIDimmingView") || name.hasSameBytes(as: "_UIDimmingView")
  }

  // MARK: - Texts

  fileprivate func elements(saying text: String) -> [ElementID] {
    let contents = ElementContents(of: self)
    guard !text.isEmpty else { return [] }
    let wanted = UTF8String(text)
    let whole = elements {
      UTF8String($0) == wanted
    } of: {
      texts(of: $0, contents)
    }
    if !whole.isEmpty { return whole }
    return elements {
      $0.containsBytes(of: text)
    } of: {
      texts(of: $0, contents)
    }
  }

  /// Returns the elements with an event ID, in pre-order. If no identity has it, these are the elements for which HubbleData's SDK for
  /// Android makes it.
  ///
  /// - Complexity: O(total length of identities), and O(elements × depth) for an Android screen.
  func elements(withEventID isWanted: (EventID) -> Bool) -> [ElementID] {
    var found: [ElementID] = []
    forEachIdentity { element, _, _, id in if isWanted(id) { found.append(element) } }
    if found.isEmpty { forEachAndroidID { element, id in if isWanted(id) { found.append(element) } } }
    return found
  }

  // The accessibility identifier or resource name, React Native's id, and the id of an element of a web page.
  private static let idAttributes = ["identifier", "testID", "id"]

  /// Returns the elements with an id that developers gave them. A resource name may lack its package: `pay` for `com.example:id/pay`.
  fileprivate func elements(called id: String) -> [ElementID] {
    guard !id.isEmpty else { return [] }
    let wanted = UTF8String(id)
    return elements {
      UTF8String($0) == wanted
    } of: { element in
      var ids: [String] = []
      for (name, value) in tree.attributes(of: element)
      where Self.idAttributes.contains(where: { name.hasSameBytes(as: $0) }) {
        ids.append(value)
        guard let slash = value.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
        ids.append(String(Substring(value.utf8[value.utf8.index(after: slash)...])))
      }
      return ids
    }
  }

  fileprivate func elements(showing text: String) -> [ElementID] {
    let contents = ElementContents(of: self)
    guard !text.isEmpty else { return [] }
    let wanted = UTF8String(text)
    func innermost(_ says: (String) -> Bool) -> [ElementID] {
      var result: [ElementID] = []
      // The end of the control that the elements are in.
      var end = 0
      for element in tree.elements where element.index >= end {
        guard let shown = contents.shownText(of: element, self), says(shown) else { continue }
        switch trackingType(of: element) {
        case .button, .switchControl, .searchBar, .alert, .control: end = tree.subtreeEnd(of: element).index
        case .tableViewSelect, .collectionViewSelect, .gestureTap, .gestureLongPress, nil: break
        }
        while let last = result.last, tree.subtreeEnd(of: last) > element { result.removeLast() }
        result.append(element)
      }
      return result
    }
    let whole = innermost { UTF8String($0) == wanted }
    return whole.isEmpty ? innermost { $0.containsBytes(of: text) } : whole
  }

  private func texts(of element: ElementID, _ contents: ElementContents) -> [String] {
    guard !holdsTypedText(element) else { return [] }
    return [contents.content(of: element), tree.value(.title, of: element), tree.value(.label, of: element)]
      .compactMap { $0 }
  }

  /// Returns the nearest trackable elements around elements with a text that `matches`; only the innermost of nested ones.
  private func elements(
    where matches: (String) -> Bool, of texts: (ElementID) -> [String]
  ) -> [ElementID] {
    // For each element, the nearest trackable one from it upwards, or -1.
    var trackable: [Int32] = []
    trackable.reserveCapacity(tree.count)
    var found: Set<Int32> = []
    for element in tree.elements {
      let around = tree.parent(of: element).map { trackable[$0.index] } ?? -1
      trackable.append(trackingType(of: element) != nil ? element.rawValue : around)
      guard texts(element).contains(where: matches) else { continue }
      found.insert(trackable[element.index] >= 0 ? trackable[element.index] : element.rawValue)
    }
    // The content of a cell includes the content of its buttons; the button is meant. Children come after their parents.
    var result: [ElementID] = []
    for element in found.sorted().map({ ElementID(rawValue: $0) }) {
      while let last = result.last, tree.subtreeEnd(of: last) > element { result.removeLast() }
      result.append(element)
    }
    return result
  }
}
