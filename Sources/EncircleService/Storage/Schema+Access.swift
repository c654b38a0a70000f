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
    migrator.registerStep("token makers") { database in
      try database.execute(
        sql: """
          -- The name of who made a token, of who made that one's token, and so on, also after those are removed.
          CREATE TABLE token_makers (
            token TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
            maker TEXT NOT NULL,
            PRIMARY KEY (token, maker)
          ) STRICT, WITHOUT ROWID;

          WITH RECURSIVE chain (token, maker) AS (
            SELECT id, created_by FROM tokens
            UNION SELECT token, created_by FROM chain JOIN tokens ON name = maker)
          INSERT INTO token_makers SELECT token, maker FROM chain;
          """)
    }
    migrator.registerStep("token projects") { database in
      // The project of events with the key of an app. It is NULL for other tokens, and for keys that an earlier version made
      // tokens, whose project is their name.
      try database.execute(sql: "ALTER TABLE tokens ADD COLUMN project TEXT")
    }
  }
}
