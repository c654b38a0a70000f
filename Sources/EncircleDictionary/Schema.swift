import EncircleText
import GRDB

/// The tables of a dictionary file.
///
/// Paths are not stored as such. Each element refers to its facts, which equal elements share, and to the element above
/// it. Each distinct name and text is stored once, in `name`.
enum Schema {
  /// `PRAGMA application_id`: "ENCR".
  static let applicationID = 0x454E_4352
  /// `PRAGMA user_version`. Migrations are never edited; each new one increases this number.
  static let version = 1

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in try db.execute(sql: firstVersion) }
    return migrator
  }

  private static let firstVersion = """
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL);

    -- A superclass that some capture names.
    CREATE TABLE class (name INTEGER PRIMARY KEY REFERENCES name, superclass INTEGER NOT NULL REFERENCES name);

    -- What an element is among its siblings: see Facts.swift.
    CREATE TABLE facts (id INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES name, more BLOB NOT NULL);

    CREATE TABLE capture (
      id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
      app TEXT, app_version TEXT, os TEXT, os_version TEXT, captured_at TEXT,
      elements INTEGER NOT NULL, styles INTEGER NOT NULL);

    -- One row for each element that an event ID was seen on: more than one is a collision.
    CREATE TABLE element (
      id INTEGER PRIMARY KEY,
      event_id BLOB NOT NULL,
      above INTEGER REFERENCES element,           -- the superview; null for windows, always less than id
      facts INTEGER NOT NULL REFERENCES facts,
      rest INTEGER NOT NULL REFERENCES name,      -- what follows the path in the identity string
      controller INTEGER REFERENCES name,
      page INTEGER REFERENCES name,
      type INTEGER REFERENCES name,
      content INTEGER REFERENCES name,
      x NUMERIC, y NUMERIC, width NUMERIC, height NUMERIC,
      seen BLOB NOT NULL,                         -- the captures: see CaptureSet.swift
      sharing INTEGER NOT NULL DEFAULT 1);        -- elements of one capture with the event ID

    -- Ids that other styles make of their paths.
    CREATE TABLE style_id (
      digest BLOB NOT NULL, element INTEGER NOT NULL REFERENCES element, PRIMARY KEY (digest, element)
    ) WITHOUT ROWID;

    CREATE INDEX element_by_event_id ON element (event_id);
    """

  // MARK: - Comparing

  /// A table or index, as `sqlite_master` has it.
  struct Object: Equatable {
    let type: String
    /// The definition in the form of ``Schema/normalized(_:)``.
    let sql: String
  }

  /// The tables and indexes by their names.
  static let objects: [String: Object] = {
    // GRDB's own table, which records the migrations.
    let migrations = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
    let statements = normalized(firstVersion).splitBytes(at: ";") + [migrations[...]]
    var objects: [String: Object] = [:]
    for statement in statements {
      let words = statement.split { $0 == " " || $0 == "(" }
      guard words.count > 2 else { continue }
      objects[String(words[2])] = Object(type: words[1].lowercased(), sql: normalized(String(statement)))
    }
    return objects
  }()

  /// Returns SQL without comments, with white space reduced to single spaces.
  ///
  /// No definition here has quotes, so a definition that uses them to hide the beginning of a comment never equals one of them.
  static func normalized(_ sql: String) -> String {
    var words: [ArraySlice<UInt8>] = []
    for line in Array(sql.utf8).split(separator: UInt8(ascii: "\n")) {
      let dash = UInt8(ascii: "-")
      let comment = line.indices.first { line[$0] == dash && line.dropFirst($0 - line.startIndex + 1).first == dash }
      words += line[..<(comment ?? line.endIndex)].split(whereSeparator: isWhiteSpace)
    }
    return String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
  }
}
