PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('captures');
INSERT INTO grdb_migrations VALUES('rule sets');
INSERT INTO grdb_migrations VALUES('draft changes');
INSERT INTO grdb_migrations VALUES('access');
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
INSERT INTO captures VALUES(1,'236054ed6d71fc3b',X'236054ed6d71fc3ba11530c7740f8213b3b4fc9091dedc6da7b514251725f8ed','home.xml','com.example.shop','1.2','iOS',NULL,'view-tree',NULL,NULL,'[]',NULL,3,1,390.0,844.0,'2026-03-02T08:00:00Z',1795744889.27043581,'import','["controllers"]',0,363,replace('home.xml\ncom.example.shop\n1.2','\n',char(10)));
CREATE TABLE capture_sources (
  capture INTEGER PRIMARY KEY REFERENCES captures(number) ON DELETE CASCADE,
  content BLOB NOT NULL
) STRICT;
INSERT INTO capture_sources VALUES(1,X'1f8b08000000000000037d90cd4ac4400cc7ef7d8a907bbbd9d945aaec745141f4e4c16e85bd0d6dd481e94c99ce7ebc80179fc28b8fb6efe1b4bb28b2202424f993fc48b258ee5b035bf6bd7656e2342304b6b56bb47d95b82aefd21c9745b2d86ade959e1954d749ac5d9bf15eb59de1ac7f731d0e72f50b1108ae97a81f9f106ad5858de7e63a4814242e529aa5244acaaf88a2adb14800463ed446f5716cf5f0ac6de376082f5eb52c918060764990cfe763f7597f152b8441bb753678670c7b89f7aee5ea8ff60ff18c79b309c15984a0838913878fcfc3fbd70f40104ce9e81131396d351910e33da7ec1887c715c937af26bd926b010000');
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
CREATE TABLE capture_elements (
  capture INTEGER NOT NULL REFERENCES captures(number) ON DELETE CASCADE,
  element INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  PRIMARY KEY (capture, element)
) STRICT, WITHOUT ROWID;
INSERT INTO capture_elements VALUES(1,0,X'2a4d5c5b23409eb530bf3add8d70b23000d9fdc96113ccb0ea5d40f7a24ba986');
INSERT INTO capture_elements VALUES(1,1,X'bd0f8e93a373357c3e2bc43526101a1226879d31dfed3c0ea6ddb4b271d94ce1');
INSERT INTO capture_elements VALUES(1,2,X'c09b0d0daae8237e468c75294b0246d17df8153ea9f27b766f0617fb42daab03');
CREATE TABLE rule_sets (
  name TEXT NOT NULL PRIMARY KEY,
  -- The version in force; 0 before the first, NULL once the set has been removed.
  version INTEGER,
  -- How many versions and drafts have been numbered.
  versions INTEGER NOT NULL DEFAULT 0,
  revisions INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO rule_sets VALUES('default',2,2,1);
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
INSERT INTO rule_set_versions VALUES('default',1,replace('version: 1\nrules:\n  # Kept as it is written.\n  - id: home.add\n    name: 加入购物车\n    owner: Lin\n    tags: [cart]\n    include:\n      event: $AppClick\n      page: HomeViewController\n    emit: add_to_cart\n','\n',char(10)),1795744891.0974490642,'anonymous',NULL,'first',1,1,0,0);
INSERT INTO rule_set_versions VALUES('default',2,replace('version: 1\nrules:\n  # Kept as it is written.\n  - id: home.add\n    name: 加购\n    owner: Lin\n    tags: [cart]\n    include:\n      event: $AppClick\n      page: HomeViewController\n    emit: add_to_cart\n','\n',char(10)),1795744891.1210536956,'anonymous',NULL,'second',1,0,0,1);
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
, submitted_own INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO rule_set_drafts VALUES('default',1,replace('version: 1\nrules:\n  # Kept as it is written.\n  - id: home.add\n    name: 草稿\n    owner: Lin\n    tags: [cart]\n    include:\n      event: $AppClick\n      page: HomeViewController\n    emit: add_to_cart\n','\n',char(10)),2,1795744891.1344690322,'anonymous',NULL,NULL,NULL,0);
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
INSERT INTO rule_set_draft_changes VALUES('default','home.add','ad0f4e33a92ed56c',1795744891.1345846653,'anonymous');
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
INSERT INTO tokens VALUES('d3bc6dab','Ada','publish',X'd2884e3b1e7cbbd727d782afe1e504b554ec2741dcb538498d00e2c387ebc562',1795744892.191830635,'encircle token (root)',NULL);
CREATE TABLE sessions (
  -- The SHA-256 of the cookie.
  hash BLOB NOT NULL PRIMARY KEY,
  token TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  csrf TEXT NOT NULL,
  created_at REAL NOT NULL,
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  -- JSON.
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO settings VALUES('settings','{"approval":false,"health_alpha":0.001,"redact":["secret"],"retention_days":3650,"retention_rows":1000000}');
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  by TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
INSERT INTO audit VALUES(1,1795744889.2710354327,'import','capture.add','captures/236054ed6d71fc3b','home.xml');
INSERT INTO audit VALUES(2,1795744891.0974862575,'anonymous','ruleset.replace','rulesets/default','version 1');
INSERT INTO audit VALUES(3,1795744891.1210901736,'anonymous','ruleset.replace','rulesets/default','version 2');
INSERT INTO audit VALUES(4,1795744891.1345937252,'anonymous','draft.change','rulesets/default','revision 1');
INSERT INTO audit VALUES(5,1795744891.1455564499,'anonymous','settings.change','settings','{"approval":false,"health_alpha":0.001,"redact":["secret"],"retention_days":3650,"retention_rows":1000000}');
INSERT INTO audit VALUES(6,1795744892.1920497417,'encircle token (root)','token.add','tokens/d3bc6dab','Ada, publish');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('captures',1);
CREATE INDEX capture_pages_by_page ON capture_pages (page);
CREATE INDEX capture_elements_by_event_id ON capture_elements (event_id);
CREATE INDEX sessions_by_token ON sessions (token);
COMMIT;
