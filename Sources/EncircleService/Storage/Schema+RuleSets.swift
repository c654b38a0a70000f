import GRDB

extension Store {
  /// Registers the tables of rule sets. A removed rule set keeps its row, its versions and its counters. A new rule set with
  /// its name continues their numbers, so that no version number and no ETag ever stands for two texts.
  static func registerRuleSets(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("rule sets") { database in
      try database.execute(
        sql: """
          CREATE TABLE rule_sets (
            name TEXT NOT NULL PRIMARY KEY,
            -- The version in force; 0 before the first, NULL once the set has been removed.
            version INTEGER,
            -- How many versions and drafts have been numbered.
            versions INTEGER NOT NULL DEFAULT 0,
            revisions INTEGER NOT NULL DEFAULT 0
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE rule_set_versions (
            rule_set TEXT NOT NULL REFERENCES rule_sets (name),
            version INTEGER NOT NULL,
            text TEXT NOT NULL,
            -- Seconds since 1970.
            at REAL NOT NULL,
            by TEXT NOT NULL,
            approved_by TEXT,
            reason TEXT NOT NULL,
            rules INTEGER NOT NULL,
            added INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            PRIMARY KEY (rule_set, version)
          ) STRICT;

          CREATE TABLE rule_set_drafts (
            rule_set TEXT NOT NULL PRIMARY KEY REFERENCES rule_sets (name),
            revision INTEGER NOT NULL,
            text TEXT NOT NULL,
            -- The version from which the draft was made.
            base INTEGER NOT NULL,
            at REAL NOT NULL,
            by TEXT NOT NULL,
            -- Who asked for a second person's approval; NULL where nobody has.
            submitted_by TEXT,
            submitted_at REAL,
            submitted_reason TEXT
          ) STRICT;

          INSERT INTO rule_sets (name, version) VALUES ('default', 0);
          """)
    }
    migrator.registerStep("draft changes") { database in
      try database.execute(
        sql: """
          -- Who has made what differs between a draft and the version that it was made from.
          CREATE TABLE rule_set_draft_changes (
            rule_set TEXT NOT NULL REFERENCES rule_sets (name),
            -- The id of a rule; empty for what is not in rules.
            rule TEXT NOT NULL,
            -- Of the rule as the draft has it, so that a change by somebody else is seen.
            digest TEXT NOT NULL,
            at REAL NOT NULL,
            by TEXT NOT NULL,
            PRIMARY KEY (rule_set, rule)
          ) STRICT, WITHOUT ROWID;

          -- Whether approval is asked for the submitter's own changes alone.
          ALTER TABLE rule_set_drafts ADD COLUMN submitted_own INTEGER NOT NULL DEFAULT 0;
          """)
    }
    migrator.registerStep("plans") { database in
      try database.execute(
        sql: """
          -- The tracking plan beside a rule set. Its revisions are numbered together with those of drafts.
          CREATE TABLE rule_set_plans (
            rule_set TEXT NOT NULL PRIMARY KEY REFERENCES rule_sets (name),
            revision INTEGER NOT NULL,
            text TEXT NOT NULL,
            at REAL NOT NULL,
            by TEXT NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    registerReleases(in: &migrator)
  }

  private static func registerReleases(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("plan releases") { database in
      try database.execute(
        sql: """
          -- What people say of the events that are new in a version of the app.
          CREATE TABLE rule_set_releases (
            rule_set TEXT NOT NULL REFERENCES rule_sets (name),
            version TEXT NOT NULL,
            owner TEXT,
            reviewer TEXT,
            -- JSON: the events and platforms that were accepted; NULL where nobody has accepted any.
            accepted TEXT,
            accepted_at REAL,
            accepted_by TEXT,
            PRIMARY KEY (rule_set, version)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerStep("set aside") { database in
      try database.execute(
        sql: """
          -- Elements that are to have no rule.
          CREATE TABLE rule_set_aside (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            rule_set TEXT NOT NULL REFERENCES rule_sets (name),
            -- JSON: what selects them, as in a rule.
            clause TEXT NOT NULL,
            reason TEXT NOT NULL,
            at REAL NOT NULL,
            by TEXT NOT NULL
          ) STRICT;
          CREATE INDEX rule_set_aside_by_rule_set ON rule_set_aside (rule_set, id);
          """)
    }
    registerImports(in: &migrator)
  }

  private static func registerImports(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("imports") { database in
      try database.execute(
        sql: """
          -- The rules that were imported last into a rule set from another tool, a line for each.
          CREATE TABLE rule_set_imports (
            rule_set TEXT NOT NULL REFERENCES rule_sets (name),
            tool TEXT NOT NULL,
            rules TEXT,
            -- The same with what was imported into the draft; NULL if that is nothing.
            draft_rules TEXT,
            at REAL NOT NULL,
            PRIMARY KEY (rule_set, tool)
          ) STRICT, WITHOUT ROWID;
          """)
    }
  }
}
