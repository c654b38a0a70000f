import Foundation
import GRDB

/// A stored capture without its bytes: the columns that lists of captures show.
struct CaptureRecord: Sendable {
  /// The position in the order of uploads; 0 before the capture is stored.
  var number: Int64 = 0
  /// The first 16 hexadecimal digits of ``sha256``.
  var id: String
  /// The SHA-256 of the capture's bytes, decompressed.
  var sha256: Data
  var name: String
  var app: String?
  var appVersion: String?
  var os: String?
  var osVersion: String?
  var format: String
  /// The activity named by the uploader.
  var activity: String?
  /// The page with the most trackable elements.
  var page: String?
  /// All pages, in the order of their first elements.
  var pages: [String] = []
  /// The title of ``page``.
  var title: String?
  var elements = 0
  var trackable = 0
  /// The size of the screen, in the units of the capture.
  var width: Double?
  var height: Double?
  /// The time of the capture, as the capture states it.
  var capturedAt: String?
  var uploadedAt: Date
  var uploadedBy: String
  /// Descriptions of the information that identities need and the capture lacks.
  var lacks: [String] = []
  /// The number of event IDs that several elements share.
  var collisions = 0
  /// The size of the capture, decompressed.
  var bytes: Int
  var hasScreenshot = false
}

extension CaptureRecord: FetchableRecord {
  /// The columns of a row, from `captures` as c.
  static let columns = """
    c.*, EXISTS (SELECT 1 FROM capture_screenshots s WHERE s.capture = c.number) AS has_screenshot
    """

  init(row: Row) throws {
    self.init(
      id: row["id"], sha256: row["sha256"], name: row["name"], format: row["format"],
      uploadedAt: Date(timeIntervalSince1970: row["uploaded_at"]), uploadedBy: row["uploaded_by"], bytes: row["bytes"])
    number = row["number"]
    app = row["app"]
    appVersion = row["app_version"]
    os = row["os"]
    osVersion = row["os_version"]
    activity = row["activity"]
    page = row["page"]
    pages = try JSONColumn.value(row["pages"])
    title = row["title"]
    elements = row["elements"]
    trackable = row["trackable"]
    width = row["width"]
    height = row["height"]
    capturedAt = row["captured_at"]
    lacks = try JSONColumn.value(row["lacks"])
    collisions = row["collisions"]
    hasScreenshot = row["has_screenshot"]
  }

  /// The text for searches, in lower case.
  var searchText: String {
    ([name, app, appVersion, page, title].compactMap { $0 } + pages).joined(separator: "\n").lowercased()
  }

  /// Inserts the row, and sets the record's number.
  mutating func insert(into database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO captures (
          id, sha256, name, app, app_version, os, os_version, format, activity, page, pages, title, elements, trackable,
          width, height, captured_at, uploaded_at, uploaded_by, lacks, collisions, bytes, search)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, sha256, name, app, appVersion, os, osVersion, format, activity, page, JSONColumn.text(of: pages), title,
        elements, trackable, width, height, capturedAt, uploadedAt.timeIntervalSince1970, uploadedBy,
        JSONColumn.text(of: lacks), collisions, bytes, searchText,
      ])
    number = database.lastInsertedRowID
  }
}
