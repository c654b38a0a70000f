import Foundation
import GRDB

/// The stored captures with their screenshots, and the event IDs of their elements.
struct CaptureTable: Sendable {
  private let library: DatabasePool

  init(_ store: Store) { library = store.library }

  // MARK: - Writing

  /// The outcome of storing a capture.
  enum Insertion: Sendable {
    case added(CaptureRecord)
    /// The same bytes are already stored; nothing was changed, except that a missing screenshot was added.
    case known(CaptureRecord)
    /// Other bytes have the same ID.
    case conflict
  }

  /// Stores a capture with all its data, or nothing.
  ///
  /// - Parameters:
  ///   - source: The compressed bytes of the capture.
  ///   - eventIDs: The event IDs of all elements, 32 bytes each, in pre-order.
  /// - Complexity: O(bytes + elements · log(all elements)).
  func insert(
    _ record: CaptureRecord, source: Data, eventIDs: [UInt8], screenshot: StoredScreenshot?
  ) throws -> Insertion {
    try library.change { database in
      if let known = try Self.record(record.id, in: database) {
        guard known.sha256 == record.sha256 else { return .conflict }
        if let screenshot, !known.hasScreenshot {
          try screenshot.insert(for: known.number, into: database)
          try Self.audit("capture.screenshot", known, record.uploadedBy, in: database)
          return .known(try Self.record(record.id, in: database) ?? known)
        }
        return .known(known)
      }
      var record = record
      try record.insert(into: database)
      try database.execute(
        sql: "INSERT INTO capture_sources (capture, content) VALUES (?, ?)", arguments: [record.number, source])
      try Self.insertElements(record, eventIDs, into: database)
      if let screenshot {
        try screenshot.insert(for: record.number, into: database)
        record.hasScreenshot = true
      }
      try Self.audit("capture.add", record, record.uploadedBy, in: database)
      return .added(record)
    }
  }

  /// Stores the pages and the event IDs of a capture.
  private static func insertElements(
    _ record: CaptureRecord, _ eventIDs: [UInt8], into database: Database
  ) throws {
    for page in record.pages {
      try database.execute(
        sql: "INSERT OR IGNORE INTO capture_pages (capture, page) VALUES (?, ?)", arguments: [record.number, page])
    }
    let statement = try database.makeStatement(
      sql: "INSERT INTO capture_elements (capture, element, event_id) VALUES (?, ?, ?)")
    for element in 0..<(eventIDs.count / 32) {
      let id = Data(eventIDs[(element * 32)..<(element * 32 + 32)])
      try statement.execute(arguments: [record.number, element, id])
    }
  }

  private static func audit(
    _ action: String, _ record: CaptureRecord, _ person: String, in database: Database
  ) throws {
    try AuditStore.record(
      action, of: "captures/\(record.id)", by: person, detail: record.name, in: database)
  }

  /// Sets or replaces the screenshot of a capture.
  ///
  /// - Returns: The capture; nil if no capture has the ID.
  func setScreenshot(_ screenshot: StoredScreenshot, of id: String, by person: String) throws -> CaptureRecord? {
    try library.change { database in
      guard let record = try Self.record(id, in: database) else { return nil }
      try screenshot.insert(for: record.number, into: database)
      try Self.audit("capture.screenshot", record, person, in: database)
      return try Self.record(id, in: database)
    }
  }

  /// Renames a capture, replaces what follows from the name of its page, or both.
  ///
  /// - Parameters:
  ///   - name: The new name; nil if it stays.
  ///   - read: The capture as it is read with its page, and the event IDs of all elements, 32 bytes each; nil if the page stays.
  /// - Returns: The capture; nil if no capture has the ID.
  /// - Complexity: O(log(captures)) for a name, O(elements · log(all elements)) for a page.
  func change(
    _ id: String, name: String?, read: (record: CaptureRecord, eventIDs: [UInt8])?, by person: String
  ) throws -> CaptureRecord? {
    try library.change { database in
      guard var record = try Self.record(id, in: database) else { return nil }
      if let read {
        record.activity = read.record.activity
        record.page = read.record.page
        record.pages = read.record.pages
        record.title = read.record.title
        record.lacks = read.record.lacks
        record.collisions = read.record.collisions
        try database.execute(
          sql: """
            UPDATE captures SET activity = ?, page = ?, pages = ?, title = ?, lacks = ?, collisions = ? WHERE number = ?
            """,
          arguments: [
            record.activity, record.page, JSONColumn.text(of: record.pages), record.title,
            JSONColumn.text(of: record.lacks), record.collisions, record.number,
          ])
        for table in ["capture_pages", "capture_elements"] {
          try database.execute(sql: "DELETE FROM \(table) WHERE capture = ?", arguments: [record.number])
        }
        try Self.insertElements(record, read.eventIDs, into: database)
        try Self.audit("capture.page", record, person, in: database)
      }
      record.name = name ?? record.name
      try database.execute(
        sql: "UPDATE captures SET name = ?, search = ? WHERE number = ?",
        arguments: [record.name, record.searchText, record.number])
      if name != nil { try Self.audit("capture.rename", record, person, in: database) }
      return record
    }
  }

  /// Removes a capture and all its data.
  ///
  /// - Returns: True if the capture was stored.
  func delete(_ id: String, by person: String) throws -> Bool {
    try library.change { database in
      guard let record = try Self.record(id, in: database) else { return false }
      try database.execute(sql: "DELETE FROM captures WHERE id = ?", arguments: [id])
      try Self.audit("capture.remove", record, person, in: database)
      return true
    }
  }

  // MARK: - Reading

  func record(_ id: String) throws -> CaptureRecord? { try library.read { try Self.record(id, in: $0) } }

  private static func record(_ id: String, in database: Database) throws -> CaptureRecord? {
    try CaptureRecord.fetchOne(
      database, sql: "SELECT \(CaptureRecord.columns) FROM captures c WHERE c.id = ?", arguments: [id])
  }

  /// Returns the IDs of all captures, in the order in which they were stored.
  func ids() throws -> [String] {
    try library.read { try String.fetchAll($0, sql: "SELECT id FROM captures ORDER BY number") }
  }

  /// Returns the compressed bytes of a capture.
  func source(of id: String) throws -> Data? {
    try library.read { database in
      try Data.fetchOne(
        database,
        sql: "SELECT s.content FROM captures c JOIN capture_sources s ON s.capture = c.number WHERE c.id = ?",
        arguments: [id])
    }
  }

  func screenshot(of id: String) throws -> StoredScreenshot? {
    try library.read { database in
      try StoredScreenshot.fetchOne(
        database,
        sql: "SELECT s.* FROM captures c JOIN capture_screenshots s ON s.capture = c.number WHERE c.id = ?",
        arguments: [id])
    }
  }

  /// A filter of captures.
  struct Filter: Sendable {
    /// Words in lower case; each must occur in names, apps, versions, pages or titles.
    var words: [String] = []
    var page: String?
    var app: String?
    var appVersion: String?

    init() {}

    fileprivate var condition: (sql: String, arguments: StatementArguments) {
      var tests = ["1"]
      var arguments: StatementArguments = []
      for word in words {
        tests.append("instr(c.search, ?) > 0")
        arguments += [word]
      }
      if let page {
        tests.append("EXISTS (SELECT 1 FROM capture_pages p WHERE p.capture = c.number AND p.page = ?)")
        arguments += [page]
      }
      if let app {
        tests.append("c.app = ?")
        arguments += [app]
      }
      if let appVersion {
        tests.append("c.app_version = ?")
        arguments += [appVersion]
      }
      return (tests.joined(separator: " AND "), arguments)
    }
  }

  /// Returns the captures that pass a filter, newest first, and the number of all that pass it, regardless of the offset and the limit.
  func records(
    _ filter: Filter, offset: Int = 0, limit: Int = .max
  ) throws -> (records: [CaptureRecord], total: Int) {
    let (condition, arguments) = filter.condition
    return try library.read { database in
      let total =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM captures c WHERE \(condition)", arguments: arguments) ?? 0
      let records = try CaptureRecord.fetchAll(
        database,
        sql: """
          SELECT \(CaptureRecord.columns) FROM captures c WHERE \(condition) ORDER BY c.number DESC LIMIT ? OFFSET ?
          """, arguments: arguments + [limit, offset])
      return (records, total)
    }
  }

  /// Returns the app versions of all captures, beginning with the newest capture's.
  func appVersions() throws -> [String] {
    try library.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT app_version FROM captures WHERE app_version <> '' GROUP BY app_version ORDER BY max(number) DESC
          """)
    }
  }

  /// An element with a requested event ID.
  struct Place: Sendable {
    var capture: String
    var element: Int
  }

  /// Returns the elements whose event IDs lie in a range, beginning with the newest captures, and their total number.
  ///
  /// - Parameters:
  ///   - lower: 32 bytes.
  ///   - upper: 32 bytes; an event ID may be equal to it.
  func elements(
    from lower: Data, through upper: Data, offset: Int, limit: Int
  ) throws -> (places: [Place], total: Int) {
    try library.read { database in
      let total =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM capture_elements WHERE event_id BETWEEN ? AND ?",
          arguments: [lower, upper]) ?? 0
      let places = try Row.fetchAll(
        database,
        sql: """
          SELECT c.id, e.element FROM capture_elements e JOIN captures c ON c.number = e.capture
          WHERE e.event_id BETWEEN ? AND ? ORDER BY e.capture DESC, e.element LIMIT ? OFFSET ?
          """, arguments: [lower, upper, limit, offset]
      ).map { Place(capture: $0["id"], element: $0["element"]) }
      return (places, total)
    }
  }
}
