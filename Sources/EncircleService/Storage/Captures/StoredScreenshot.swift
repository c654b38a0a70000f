import Foundation
import GRDB

/// An uploaded picture of a screen.
struct StoredScreenshot: Sendable {
  /// `image/png` or `image/jpeg`.
  var type: String
  /// The size in pixels.
  var width: Int
  var height: Int
  /// The entity tag, without quotes.
  var etag: String
  var content: Data

  func insert(for capture: Int64, into database: Database) throws {
    try database.execute(
      sql:
        "INSERT OR REPLACE INTO capture_screenshots (capture, type, width, height, etag, content) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [capture, type, width, height, etag, content])
  }
}

extension StoredScreenshot: FetchableRecord {
  init(row: Row) throws {
    self.init(
      type: row["type"], width: row["width"], height: row["height"], etag: row["etag"], content: row["content"])
  }
}
