import GRDB

extension Store {
  /// Registers the tables of events. The columns that searches use are in another table than the JSON of events, so that a
  /// search of all events reads only a small part of the file. The only index of that table finds repeats. Keys begin with the
  /// time, so new keys lie together at the end of the index.
  ///
  /// There are few different decisions, and each is stored once. Counters have a row for each hour, page, event and version
  /// that occurs, and further rows for each rule that matches; the rule without a name counts all events.
  static func registerEvents(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("events") { database in
      try database.execute(
        sql: """
          CREATE TABLE event (
            id INTEGER PRIMARY KEY, received INTEGER NOT NULL, at INTEGER NOT NULL, time INTEGER NOT NULL,
            sent INTEGER, key INTEGER, event TEXT, page TEXT, distinct_id TEXT, app_version TEXT, element BLOB,
            verdict INTEGER NOT NULL);
          CREATE UNIQUE INDEX event_key ON event(sent, key) WHERE key IS NOT NULL;
          CREATE TABLE event_json (id INTEGER PRIMARY KEY, json BLOB NOT NULL);
          CREATE TABLE verdict (
            id INTEGER PRIMARY KEY, selected INTEGER NOT NULL, rules TEXT NOT NULL, excluded_by TEXT NOT NULL,
            pages TEXT NOT NULL, emit TEXT NOT NULL);
          CREATE TABLE verdict_rule (
            rule TEXT NOT NULL, verdict INTEGER NOT NULL, PRIMARY KEY (rule, verdict)) WITHOUT ROWID;
          CREATE TABLE event_count (
            hour INTEGER NOT NULL, rule TEXT NOT NULL, page TEXT NOT NULL, event TEXT NOT NULL, app_version TEXT NOT NULL,
            events INTEGER NOT NULL, selected INTEGER NOT NULL,
            PRIMARY KEY (hour, rule, page, event, app_version)) WITHOUT ROWID;
          CREATE TABLE element_count (
            hour INTEGER NOT NULL, element BLOB NOT NULL, page TEXT, events INTEGER NOT NULL, selected INTEGER NOT NULL,
            PRIMARY KEY (hour, element)) WITHOUT ROWID;
          CREATE TABLE rule_seen (rule TEXT PRIMARY KEY, last_seen INTEGER NOT NULL) WITHOUT ROWID;
          CREATE TABLE reject (
            id INTEGER PRIMARY KEY, received INTEGER NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL,
            reason TEXT NOT NULL, text BLOB NOT NULL);
          """)
    }
    // NULL for the project called default, and for events of earlier versions.
    migrator.registerStep("event projects") { database in
      try database.execute(sql: "ALTER TABLE event ADD COLUMN project TEXT")
    }
    // Events and people by hour: of all events (kind 0), of each rule (1) and of each event name (2); `PeopleSketch` defines
    // the format of people. The counters are complete from `series_start` on, except that names are missing on the days in
    // `series_gap`.
    migrator.registerStep("series") { database in
      try database.execute(
        sql: """
          CREATE TABLE series_count (
            hour INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, events INTEGER NOT NULL, people BLOB NOT NULL,
            PRIMARY KEY (hour, kind, name)) WITHOUT ROWID;
          CREATE TABLE series_gap (day INTEGER PRIMARY KEY);
          CREATE TABLE series_start (hour INTEGER NOT NULL);
          INSERT INTO series_start SELECT coalesce(max(at) / 3600000 + 1, -9223372036854775808) FROM event;
          """)
    }
    migrator.registerStep("projects") { database in
      try database.execute(
        sql: """
          CREATE TABLE project_seen (project TEXT PRIMARY KEY, last_seen INTEGER NOT NULL) WITHOUT ROWID;
          """)
      try forEachPartOfEvents(
        in: database,
        sql: """
          INSERT INTO project_seen SELECT coalesce(project, 'default') AS name, max(at) FROM event
          WHERE id > ? AND id <= ? GROUP BY name
          ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)
          """)
    }
    // JSON by rule; NULL for events to which no rule gives properties.
    migrator.registerStep("event properties") { database in
      try database.execute(sql: "ALTER TABLE event ADD COLUMN properties TEXT")
    }
    registerPlanCounts(in: &migrator)
    // The people who used an element, by the first 64 bits of its event ID; `PeopleSketch` defines the format of people.
    migrator.registerStep("element people") { database in
      try database.execute(
        sql: """
          CREATE TABLE element_people (
            day INTEGER NOT NULL, element INTEGER NOT NULL, selected INTEGER NOT NULL, app_version TEXT NOT NULL,
            people BLOB NOT NULL, PRIMARY KEY (day, element, selected, app_version)) WITHOUT ROWID;
          """)
      try ElementPeopleCounts.countStored(in: database)
    }
    // The names of `plan_seen` by day, with their people, and the names that rules emit by page.
    migrator.registerStep("plan days") { database in
      try database.execute(
        sql: """
          CREATE TABLE plan_day (
            day INTEGER NOT NULL, name TEXT NOT NULL, way INTEGER NOT NULL, events INTEGER NOT NULL, people BLOB NOT NULL,
            PRIMARY KEY (day, name, way)) WITHOUT ROWID;
          CREATE TABLE plan_page (
            day INTEGER NOT NULL, page TEXT NOT NULL, name TEXT NOT NULL, events INTEGER NOT NULL,
            PRIMARY KEY (day, page, name)) WITHOUT ROWID;
          """)
      try PlanDayCounts.countStored(in: database)
    }
    // The greatest id of events that were deleted while they were the newest.
    migrator.registerStep("event ids") { database in
      try database.execute(sql: "CREATE TABLE event_last (id INTEGER NOT NULL); INSERT INTO event_last VALUES (0);")
    }
    // The days whose names are incomplete in `plan_day` or `plan_page`.
    migrator.registerStep("plan gaps") { database in
      try database.execute(sql: "CREATE TABLE plan_gap (day INTEGER PRIMARY KEY)")
    }
    // The number of an element's events that a rule or page excluded when they arrived; 0 for earlier events.
    migrator.registerStep("excluded taps") { database in
      try database.execute(
        sql: """
          ALTER TABLE element_count ADD COLUMN excluded_by_rule INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE element_count ADD COLUMN excluded_page INTEGER NOT NULL DEFAULT 0;
          """)
    }
    // The platform, as plans name it. It is NULL, or empty in counters, for events that do not state it and for events of
    // earlier versions. The rows are copied in the order of their keys, so nothing is sorted.
    migrator.registerStep("event platforms") { database in
      try database.execute(
        sql: """
          ALTER TABLE event ADD COLUMN platform TEXT;
          CREATE TABLE event_count_by_platform (
            hour INTEGER NOT NULL, rule TEXT NOT NULL, page TEXT NOT NULL, event TEXT NOT NULL, app_version TEXT NOT NULL,
            platform TEXT NOT NULL, events INTEGER NOT NULL, selected INTEGER NOT NULL,
            PRIMARY KEY (hour, rule, page, event, app_version, platform)) WITHOUT ROWID;
          INSERT INTO event_count_by_platform
          SELECT hour, rule, page, event, app_version, '', events, selected FROM event_count
          ORDER BY hour, rule, page, event, app_version;
          DROP TABLE event_count;
          ALTER TABLE event_count_by_platform RENAME TO event_count;
          """)
    }
  }

  /// Registers the tables for the status of planned events. `plan_seen` counts the events of each name, platform and version,
  /// and records the source of the name in `way` (`PlanCounts.NameSource`); its rows stay when events are deleted. The rows of
  /// the other tables are deleted with the events of their days. A platform or version is empty if events do not state it.
  private static func registerPlanCounts(in migrator: inout DatabaseMigrator) {
    migrator.registerStep("plan counters") { database in
      try database.execute(
        sql: """
          CREATE TABLE plan_seen (
            name TEXT NOT NULL, way INTEGER NOT NULL, platform TEXT NOT NULL, app_version TEXT NOT NULL,
            events INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY (name, way, platform, app_version)) WITHOUT ROWID;
          CREATE TABLE plan_people (
            day INTEGER NOT NULL, platform TEXT NOT NULL, app_version TEXT NOT NULL, people BLOB NOT NULL,
            PRIMARY KEY (day, platform, app_version)) WITHOUT ROWID;
          CREATE TABLE plan_fault (
            day INTEGER NOT NULL, fingerprint INTEGER NOT NULL, violation TEXT NOT NULL, platform TEXT NOT NULL,
            app_version TEXT NOT NULL, events INTEGER NOT NULL, sample INTEGER NOT NULL,
            PRIMARY KEY (day, fingerprint, violation, platform, app_version)) WITHOUT ROWID;
          """)
      try forEachPartOfEvents(
        in: database,
        sql: """
          WITH part AS (
            SELECT event, verdict, iif(length(CAST(app_version AS BLOB)) <= 200, coalesce(app_version, ''), '') AS version,
              count(*) AS events, min(at) AS first, max(at) AS last
            FROM event WHERE id > ? AND id <= ? GROUP BY event, verdict, version),
          named AS (
            SELECT name, sum(way) AS way, version, events, first, last FROM (
              SELECT part.*, event AS name, 2 AS way FROM part
              UNION SELECT part.*, value, 1 FROM part JOIN verdict ON verdict.id = part.verdict, json_each(verdict.emit))
            WHERE length(CAST(name AS BLOB)) BETWEEN 1 AND 200 GROUP BY event, verdict, version, name)
          INSERT INTO plan_seen
          SELECT name, way, '', version, sum(events), min(first), max(last) FROM named WHERE true GROUP BY name, way, version
          ON CONFLICT DO UPDATE SET events = events + excluded.events,
            first = min(first, excluded.first), last = max(last, excluded.last)
          """)
    }
  }

  /// Executes a statement for all events, part by part. Its two arguments are the id before the first event of a part, and the
  /// id of the part's last event.
  ///
  /// SQLite sorts and groups in memory: one statement over all events would need as much memory as the size of the events.
  private static func forEachPartOfEvents(in database: Database, sql: String) throws {
    let end = try database.makeStatement(
      sql: "SELECT max(id) FROM (SELECT id FROM event WHERE id > ? ORDER BY id LIMIT 100000)")
    let statement = try database.makeStatement(sql: sql)
    var before = Int64.min
    while let last = try Int64.fetchOne(end, arguments: [before]) {
      try statement.execute(arguments: [before, last])
      before = last
    }
  }
}
