import GRDB

extension Store {
  static func registerAccess(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("access") { database in
      try database.execute(
        sql: """
          CREATE TABLE tokens (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            -- The SHA-256 of the token. The token itself is nowhere.
            hash BLOB NOT NULL,
            created_at REAL NOT NULL,
            created_by TEXT NOT NULL,
            expires_at REAL
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE sessions (
            -- The SHA-256 of the cookie.
            hash BLOB NOT NULL PRIMARY KEY,
            token TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
            csrf TEXT NOT NULL,
            created_at REAL NOT NULL,
            expires_at REAL NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX sessions_by_token ON sessions (token);

          CREATE TABLE settings (
            name TEXT NOT NULL PRIMARY KEY,
            -- JSON.
            value TEXT NOT NULL
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            at REAL NOT NULL,
            by TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL
          ) STRICT;
          """)
    }
  }
}
