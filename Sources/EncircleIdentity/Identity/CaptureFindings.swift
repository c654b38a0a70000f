import EncircleText
import EncircleTree

/// Information that identities need but a capture does not contain.
public enum MissingInformation: Hashable, Sendable, CustomStringConvertible {
  /// The format gives element types in place of classes.
  case classes
  /// No element names a view controller.
  case controllers
  /// Some controllers that were listed beside the capture have views whose addresses are not in the capture.
  case controllerViews(controllers: Int)
  /// Some navigation-bar items have no action selectors.
  case actions(items: Int)
  /// The format has no titles and messages of alerts.
  case alertTexts(alerts: Int)
  /// Some cells have no index path.
  case indexPaths(cells: Int)
  /// The text from a debugger begins inside a window, so it lacks the superviews of these elements.
  case superviews([ElementID])
  /// Some rows of Android's lists have no position in the adapter.
  case rowPositions(rows: Int)
  /// Some headers and footers of sections do not say their section.
  case sections(views: Int)
  /// Some child pages lie in the slots of a page view controller, which shows other pages in them.
  case pagesInSlots([ElementID])
  /// Some child pages or page slots in scroll views have no known position, as sizes are missing.
  case pagePositions([ElementID])
  /// The capture is the HTML of a web page, which does not say all that a browser knows.
  case pageDetails
  /// The HTML of a web page is not UTF-8 and does not name its encoding.
  case pageEncoding
  /// The capture does not say the address of the web page.
  case pageAddress

  /// The missing information in words.
  public var description: String {
    switch self {
    case .classes: "class names (the format has element types)"
    case .controllers: "controllers"
    case .controllerViews(let controllers):
      "\(counted(controllers, "controller")) whose view\(controllers == 1 ? " is" : "s are") not in the capture, by address"
    case .actions(let items): "actions of \(counted(items, "navigation-bar item"))"
    case .alertTexts(let alerts): "title and message of \(counted(alerts, "alert"))"
    case .indexPaths(let cells): "index paths of \(counted(cells, "cell"))"
    case .rowPositions(let rows): "adapter positions of \(counted(rows, "list row"))"
    case .sections(let views):
      "sections of \(counted(views, "header and footer view")), whose indexes change while a list scrolls"
    case .pagesInSlots(let elements):
      "which page is in a slot of a UIPageViewController, which re-uses its three: indexx names no page "
        + "(\(Self.list(elements)))"
    case .superviews(let elements):
      "the views around \(Self.list(elements)) (the capture does not begin at a window)"
    case .pageDetails:
      "nesting that only scripts make, where a text is several nodes, shadow trees and cursors; a snapshot has them"
    case .pageEncoding:
      "the encoding of its texts, in which U+FFFD stands for bytes that are not UTF-8; --encoding names it"
    case .pageAddress: "the address of the page, which --page gives"
    case .pagePositions(let elements):
      "positions of child pages with zero or missing sizes (\(Self.list(elements)))"
    }
  }

  /// Lists the first elements, as a large capture has thousands.
  private static func list(_ elements: [ElementID]) -> String {
    "element\(elements.count == 1 ? "" : "s") " + NameList.shortened(elements.lazy.map(\.description), atMost: 5)
  }
}

/// Elements of one capture that have the same event ID.
public struct IdentityCollision: Sendable {
  /// The reasons why elements share an identity.
  public enum Reason: String, Sendable {
    /// Navigation-bar items of one class with the same actions.
    case sharedAction = "same class and actions in the navigation bar"
    /// Navigation-bar items of one class without actions.
    case noActions = "no actions in the navigation bar"
    /// Cells with the same index path.
    case sameIndexPath = "same index path"
    /// Child pages of the same class without anything to distinguish them.
    case equalChildPages = "equal child pages"
    /// Windows of the same class, as the index of a window is always 0.
    case windows = "windows of the same class"
    /// Different paths that are written alike, as `_` is both a separator and a part of class names.
    case writtenAlike = "different paths that are written alike"
  }

  /// The event ID that the elements share.
  public let eventID: EventID
  /// The elements, in pre-order; at least two.
  public let elements: [ElementID]
  /// The reason why the elements share the identity.
  public let reason: Reason
  /// This is true if the elements share the event ID only because their ancestors share identities.
  public let isInherited: Bool
}

extension IdentifiedTree {
  /// The information that identities need and the capture does not contain; empty if it contains all.
  public var missingInformation: [MissingInformation] {
    var missing: [MissingInformation] = []
    if let page = tree.web {
      // The other findings do not apply, because no SDK for the web sends these identities.
      if tree.format == .html { missing.append(.pageDetails) }
      if page.hasInvalidUTF8 { missing.append(.pageEncoding) }
      if page.url == nil { missing.append(.pageAddress) }
      return missing
    }
    if tree.format.hasElementTypes || tree.format == .maestro && !tree.isAndroid { missing.append(.classes) }
    if structure.controllerKinds.isEmpty { missing.append(.controllers) }
    if tree.controllersWithoutView > 0 { missing.append(.controllerViews(controllers: tree.controllersWithoutView)) }
    if tree.format != .viewTree, tree.format.hasUIKitClasses {
      let roots = tree.windows.filter { !structure.kinds[$0.index].contains(.window) }
      if !roots.isEmpty { missing.append(.superviews(roots)) }
    }
    let items = tree.elements.count { isNavigationBarItem($0) && tree.valueID(.actions, of: $0) == nil }
    if items > 0 { missing.append(.actions(items: items)) }
    if tree.format != .viewTree, tree.format.hasUIKitClasses {
      let alerts = tree.elements.count {
        structure.alerts[$0.index] == $0.rawValue && tree.valueID(.title, of: $0) == nil
          && tree.valueID(.message, of: $0) == nil
      }
      if alerts > 0 { missing.append(.alertTexts(alerts: alerts)) }
    }
    let cells = hubbleData.cellsWithoutIndexPath.count
    if cells > 0 { missing.append(.indexPaths(cells: cells)) }
    missing += missingListInformation
    let slots = pagesInReusedSlots
    if !slots.isEmpty { missing.append(.pagesInSlots(slots)) }
    if !hubbleData.unplaced.isEmpty { missing.append(.pagePositions(hubbleData.unplaced)) }
    return missing
  }

  /// Returns the groups of elements that share an event ID, ordered by the first element of each.
  ///
  /// - Parameter eventIDs: The event ID of every element.
  /// - Complexity: O(elements) without collisions.
  public func collisions(among eventIDs: [EventID]) -> [IdentityCollision] {
    Self.groups(of: eventIDs).sorted { $0[0] < $1[0] }.map { elements in
      let (reason, isInherited) = reason(elements[0], elements[1])
      return IdentityCollision(
        eventID: eventIDs[elements[0].index], elements: elements, reason: reason, isInherited: isInherited)
    }
  }

  /// Returns the elements that share an event ID, for each such ID.
  ///
  /// Sorts the elements into buckets by the first bits of their IDs, and compares only IDs in one bucket. The IDs are hashes,
  /// so the buckets are of about the same size. A dictionary of all IDs would be larger than the processor's caches.
  private static func groups(of eventIDs: [EventID]) -> [[ElementID]] {
    let bits = max(1, Int.bitWidth - eventIDs.count.leadingZeroBitCount - 1)
    func bucket(_ id: EventID) -> Int { Int(truncatingIfNeeded: id.leadingBits >> (UInt64.bitWidth - bits)) }
    var starts = [Int](repeating: 0, count: 1 << bits + 1)
    for id in eventIDs { starts[bucket(id)] += 1 }
    for i in starts.indices.dropFirst() { starts[i] += starts[i - 1] }
    var order = [Int32](repeating: 0, count: eventIDs.count)
    for (i, id) in eventIDs.enumerated().reversed() {
      starts[bucket(id)] -= 1
      order[starts[bucket(id)]] = Int32(i)
    }
    var groups: [[ElementID]] = []
    for (start, end) in zip(starts, starts.dropFirst()) where end - start > 1 {
      func id(_ place: Int) -> EventID { eventIDs[Int(order[place])] }
      order[start..<end].sort { (eventIDs[Int($0)], $0) < (eventIDs[Int($1)], $1) }
      var first = start
      while first < end {
        var next = first + 1
        while next < end, id(next) == id(first) { next += 1 }
        if next - first > 1 { groups.append(order[first..<next].map { ElementID(rawValue: $0) }) }
        first = next
      }
    }
    return groups
  }

  /// Returns why two elements share an identity, judging by their topmost ancestors that differ.
  private func reason(_ a: ElementID, _ b: ElementID) -> (IdentityCollision.Reason, isInherited: Bool) {
    var (x, y) = (a, b)
    while let above = tree.parent(of: x), let other = tree.parent(of: y), above != other { (x, y) = (above, other) }
    guard tree.parent(of: x) == tree.parent(of: y), locator(of: x) == locator(of: y) else {
      return (.writtenAlike, false)
    }
    let isInherited = x != a
    if tree.parent(of: x) == nil { return (.windows, isInherited) }
    switch hubbleData.rules[x.index] {
    case .navigationBarItem:
      return (tree.valueID(.actions, of: x) == nil ? .noActions : .sharedAction, isInherited)
    case .cell: return (.sameIndexPath, isInherited)
    case .childPage, .pageSlot: return (.equalChildPages, isInherited)
    case nil: return (.writtenAlike, isInherited)
    }
  }
}
