import EncircleIdentity
import EncircleText
import GRDB

extension DictionaryReader {
  /// An element with the properties that statistics need.
  struct Occurrence {
    let eventID: EventID
    let page: UTF8String?
    let isTrackable: Bool
    let captures: CaptureSet
    let sharing: Int
    /// The class name of the path's last component.
    let className: String
    /// The locator of the path's last component.
    let locator: Locator

    /// Returns whether two elements with one event ID are the same. A trackable element differs from page to page. Any other
    /// element, such as a bar above several pages, is the same on all of them.
    func isSameElement(as other: Occurrence) -> Bool {
      isTrackable == other.isTrackable && (page == other.page || !isTrackable) && locator == other.locator
        && UTF8String(className) == UTF8String(other.className)
    }
  }

  /// Calls `body` with all elements, in the order of their event IDs.
  func forEachOccurrence(_ body: (Occurrence) throws(DictionaryError) -> Void) throws(DictionaryError) {
    try scan { db in
      let query = try Query(
        db, "SELECT event_id, page, type, seen, sharing, facts FROM element ORDER BY event_id, id")
      try query.forEachRow { row in
        let id = try row.eventID(0)
        let seen = try rows.captureSet(try row.bytes(3))
        let page = try row.optionalRowNumber(1)
        let type = try row.optionalRowNumber(2)
        let node = try rows.node(try row.rowNumber(5), db)
        try body(
          Occurrence(
            eventID: id, page: try page.map { UTF8String(try rows.name($0, db)) }, isTrackable: type != nil,
            captures: seen,
            sharing: try row.rowNumber(4), className: node.className, locator: node.locator))
      }
    }
  }

  /// Returns, for each page, the numbers of the captures that contain elements of it.
  func capturesByPage() throws(DictionaryError) -> [UTF8String?: Set<Int>] {
    var result: [UTF8String?: Set<Int>] = [:]
    try scan { db in
      // Most elements of a page are in the same captures.
      try Query(db, "SELECT DISTINCT page, seen FROM element").forEachRow { row in
        let page = try row.optionalRowNumber(0)
        let seen = try rows.captureSet(try row.bytes(1))
        result[try page.map { UTF8String(try rows.name($0, db)) }, default: []].formUnion(seen.runs.joined())
      }
    }
    return result
  }
}
