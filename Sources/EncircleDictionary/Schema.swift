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
    migrator.registerMigration("1") { db in
      try db.execute(
        sql: """
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
          """)
    }
    return migrator
  }
}
