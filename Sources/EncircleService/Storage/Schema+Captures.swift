import GRDB

extension Store {
  static func registerCaptures(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("captures") { database in
      // The data that lists show is in separate columns, so that a list need not read captures. Numbers are in the order of
      // uploads, and are never reused.
      try database.execute(
        sql: """
          CREATE TABLE captures (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            sha256 BLOB NOT NULL,
            name TEXT NOT NULL,
            app TEXT, app_version TEXT, os TEXT, os_version TEXT,
            format TEXT NOT NULL,
            activity TEXT,
            page TEXT, pages TEXT NOT NULL, title TEXT,
            elements INTEGER NOT NULL, trackable INTEGER NOT NULL,
            width REAL, height REAL,
            captured_at TEXT,
            uploaded_at REAL NOT NULL, uploaded_by TEXT NOT NULL,
            lacks TEXT NOT NULL, collisions INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            search TEXT NOT NULL
          ) STRICT;
          CREATE TABLE capture_sources (
            capture INTEGER PRIMARY KEY REFERENCES captures(number) ON DELETE CASCADE,
            content BLOB NOT NULL
          ) STRICT;
          CREATE TABLE capture_screenshots (
            capture INTEGER PRIMARY KEY REFERENCES captures(number) ON DELETE CASCADE,
            type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
            etag TEXT NOT NULL, content BLOB NOT NULL
          ) STRICT;
          CREATE TABLE capture_pages (
            capture INTEGER NOT NULL REFERENCES captures(number) ON DELETE CASCADE,
            page TEXT NOT NULL,
            PRIMARY KEY (capture, page)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX capture_pages_by_page ON capture_pages (page);
          CREATE TABLE capture_elements (
            capture INTEGER NOT NULL REFERENCES captures(number) ON DELETE CASCADE,
            element INTEGER NOT NULL,
            event_id BLOB NOT NULL,
            PRIMARY KEY (capture, element)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX capture_elements_by_event_id ON capture_elements (event_id);
          """)
    }
  }
}
