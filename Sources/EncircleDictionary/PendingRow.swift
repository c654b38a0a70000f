import EncircleIdentity
import EncircleTree

/// A row of table `element` that has not been written to the file, or may have to be written again.
struct PendingRow {
  /// The contents that distinguish elements with the same event ID, as the numbers of other rows.
  struct Content: Hashable {
    let above: Int?
    let facts: Int
    let page: Int?
    let type: Int?
  }

  let id: Int
  let eventID: EventID
  let content: Content
  var seen = CaptureSet()
  /// The largest number of elements with the event ID in one capture. Only the first row with the event ID has it.
  var sharing = 1
  /// The number of elements with the event ID in the capture `countedIn`.
  var count = 0
  var countedIn = 0
  var hasChanged = false
  /// The index of the next row with the same event ID; -1 if there is none.
  var next = -1
  /// The other columns of a new row; nil for a row that is in the file.
  var new: NewRow?

  /// Adds a capture that contains the element.
  mutating func insertCapture(_ capture: Int) {
    seen.insert(capture)
    hasChanged = true
  }

  /// Counts an element with the event ID in a capture. All elements of a capture must be counted before those of another one.
  mutating func count(in capture: Int) {
    if countedIn != capture {
      countedIn = capture
      count = 0
    }
    count += 1
    guard count > sharing else { return }
    sharing = count
    hasChanged = true
  }
}

/// The component of the hubbledata path that facts contain.
struct PathPart: Equatable {
  let className: Int
  let locator: Locator?

  init(_ facts: Facts) {
    className = facts.className
    locator = facts.locator
  }
}

/// The columns that never change once a row has been written.
struct NewRow {
  let rest: Int
  let controller: Int?
  let content: Int?
  let frame: Frame?
  let digests: [[UInt8]]
}
