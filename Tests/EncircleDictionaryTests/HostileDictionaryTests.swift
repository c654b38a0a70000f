import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import GRDB
import Testing

@testable import EncircleDictionary

/// Dictionaries that somebody has written by hand, damaged, or changes while they are read.
@Suite struct HostileDictionaryTests {
  /// A folder with a dictionary `d`.
  private final class Folder {
    let url: URL
    var path: String { url.appendingPathComponent("d").path }

    init(captures names: [String] = ["small"]) throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Folder.index(names, path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    static func index(_ names: [String], _ path: String) throws {
      let writer = try DictionaryWriter(path: path)
      for name in names { try writer.add(try Folder.screen(name), capture: name) }
      try writer.finish()
    }

    static func screen(_ name: String) throws -> IdentifiedTree {
      // With few elements, as many tests read all of them.
      if name.hasPrefix("small") {
        let text = viewTree(
          """
          <view class='UIWindow' frame='0 0 9 9'><view class='UIView' controller='P'><view class='UITableView'>
          <view class='Cell' superclasses='UITableViewCell' indexPath='0 9'/><view class='Cell' indexPath='0 1'>
          <view class='UIButton' title='\(name)' frame='1.5 2 3 4' identifier='i'/></view></view></view></view>
          """)
        return IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
      }
      return IdentifiedTree(
        try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path))
    }

    func change(_ sql: String) throws {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      try queue.close()
    }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Writes into the same file, without a new one in its place.
    func overwrite(_ bytes: [UInt8]) throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(bytes))
      try file.close()
    }
  }

  /// Does everything that can be done with a dictionary; errors are as good as results.
  ///
  /// - Parameter number: Small runs load the paths of a third of the styles, which differs by this number.
  private func useAll(_ path: String, _ number: Int) {
    if let reader = try? DictionaryReader(path: path) {
      for style in TestSize.part(PathStyleName.allCases, of: number) { _ = try? reader.load(style: style) }
      try? reader.forEach { element in
        for style in element.styles { _ = element.path(in: style)?.written }
        _ = try? reader.elements(withPrefix: String(element.eventID.description.prefix(8)))
      }
      _ = try? reader.elements(withPrefix: "")
      _ = try? DictionaryStatistics(of: reader)
      _ = try? reader.count()
    }
    if let writer = try? DictionaryWriter(path: path), let screen = try? Folder.screen("small other"),
      let known = try? Folder.screen("small")
    {
      _ = try? writer.add(screen, capture: "order")
      // Known elements in a new capture, so that rows of the file are changed.
      _ = try? writer.add(known, capture: "cart again")
    }
  }

  private static let columns: [(table: String, column: String)] = [
    ("name", "id"), ("name", "text"), ("class", "name"), ("class", "superclass"), ("facts", "id"), ("facts", "class"),
    ("facts", "more"), ("capture", "id"), ("capture", "digest"), ("capture", "name"), ("capture", "app"),
    ("capture", "app_version"), ("capture", "elements"), ("capture", "styles"), ("element", "id"),
    ("element", "event_id"), ("element", "above"), ("element", "facts"), ("element", "rest"),
    ("element", "controller"), ("element", "page"), ("element", "type"), ("element", "content"), ("element", "x"),
    ("element", "width"), ("element", "seen"), ("element", "sharing"), ("style_id", "digest"), ("style_id", "element"),
  ]

  private static let values = [
    "NULL", "-1", "0", "1", "4294967296", "9223372036854775807", "-9223372036854775808", "1.5", "9e999", "'text'", "''",
    "x''", "x'00'", "x'FFFFFFFFFFFFFFFF7F'", "x'00FFFFFFFFFFFFFFFF7E'", "CAST(x'FF' AS TEXT)", "zeroblob(32)",
    "zeroblob(100000)",
  ]

  @Test("a value of any other type or size is an error or an element, never the end of the process", arguments: columns)
  func values(table: String, column: String) throws {
    let folder = try Folder()
    let intact = try folder.bytes()
    let number = Self.columns.firstIndex { $0 == (table, column) } ?? 0
    for value in TestSize.part(Self.values, of: number) {
      for condition in ["", " WHERE rowid = (SELECT max(rowid) FROM \(table))"].prefix(TestSize.isFull ? 2 : 1) {
        if table == "style_id", !condition.isEmpty { continue }
        try folder.overwrite(intact)
        try? folder.change("UPDATE OR REPLACE \(table) SET \(column) = \(value)\(condition)")
        useAll(folder.path, number)
      }
    }
  }

  @Test("a value of another type is reported as such")
  func message() throws {
    let folder = try Folder()
    try folder.change("UPDATE element SET page = 'home'")
    let reader = try DictionaryReader(path: folder.path)
    #expect(throws: DictionaryError.damaged("a value is missing, or of another type")) { try reader.load() }
  }

  @Test(
    "a file with more than tables of data, or with other tables, is refused by readers and writers",
    arguments: [
      "CREATE VIEW v AS SELECT 1", "CREATE TABLE other (x)", "CREATE INDEX i ON name (text)",
      "CREATE TRIGGER t AFTER INSERT ON capture BEGIN DELETE FROM element; END",
      "ALTER TABLE element ADD COLUMN z GENERATED ALWAYS AS (hex(seen))",
      "CREATE VIRTUAL TABLE f USING fts5(x)", "DROP TABLE style_id",
      "ALTER TABLE name RENAME TO real_name; CREATE VIEW name AS SELECT * FROM real_name",
      """
      DROP TABLE class; CREATE VIEW class (name, superclass) AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
      SELECT x, x FROM n
      """,
      "DROP INDEX element_by_event_id; CREATE INDEX element_by_event_id ON element (event_id, hex(seen))",
    ])
  func schema(sql: String) throws {
    let folder = try Folder()
    try folder.change(sql)
    let before = try folder.bytes()
    for open in [{ _ = try DictionaryReader(path: $0) }, { _ = try DictionaryWriter(path: $0) }] {
      let error = #expect(throws: DictionaryError.self) { try open(folder.path) }
      guard case .damaged(let what) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(what.hasPrefix("it has "), "\(what)")
    }
    #expect(try folder.bytes() == before)
  }

  @Test("a file in the mode with a write-ahead log is refused, as its log would be mapped")
  func writeAheadLog() throws {
    let folder = try Folder()
    try folder.change("PRAGMA journal_mode = WAL")
    #expect(throws: DictionaryError.damaged("another program has put it into a mode with a write-ahead log")) {
      try DictionaryReader(path: folder.path)
    }
  }

  @Test("pages nested in each other end in an error, not in endless rows", arguments: ["element", "name", "facts"])
  func pages(table: String) throws {
    let folder = try Folder(captures: ["cart.xml", "home-feed.xml", "order-v5.1.xml", "order-v5.2.xml"])
    var root = 0
    let queue = try DatabaseQueue(path: folder.path)
    try queue.read {
      root = try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'") ?? 0
    }
    try queue.close()
    var bytes = try folder.bytes()
    let size = 4096
    var page = Array(bytes[(root - 1) * size..<root * size])
    if page[0] != 5 {
      // A table of one page: its root becomes the parent of a copy, with two cells.
      page = [5, 0, 0, 0, 2, 0x0F, 0xF0, 0, 0, 0, 0, 0, 0x0F, 0xF0, 0x0F, 0xF8] + Array(repeating: 0, count: size - 16)
      page[0xFF0 + 4] = 1
      page[0xFF8 + 4] = 2
    }
    let leaf = page[0] == 5 && bytes[(root - 1) * size] == 5 ? Self.number(bytes, (root - 1) * size + 8) : 0
    let count = bytes.count / size
    let original = Array(bytes[(root - 1) * size..<root * size])
    // Twelve parents, each of them all children of the one before, and at the end a leaf.
    for level in 0..<12 {
      let child = level < 11 ? count + level + 1 : leaf != 0 ? leaf : count + 13
      var parent = page
      Self.set(child, at: 8, in: &parent)
      for cell in 0..<(Int(parent[3]) << 8 | Int(parent[4])) {
        let place = Int(parent[12 + 2 * cell]) << 8 | Int(parent[13 + 2 * cell])
        Self.set(child, at: place, in: &parent)
      }
      if level == 0 { bytes.replaceSubrange((root - 1) * size..<root * size, with: parent) }
      bytes += parent
    }
    bytes += original
    Self.set(bytes.count / size, at: 28, in: &bytes)
    try folder.overwrite(bytes)
    useAll(folder.path, root)
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func set(_ number: Int, at place: Int, in bytes: inout [UInt8]) {
    for i in 0..<4 { bytes[place + i] = UInt8(truncatingIfNeeded: number >> (24 - 8 * i)) }
  }

  @Test("elements nested deeper than captures allow are an error")
  func deep() throws {
    let folder = try Folder()
    let levels = TestSize.isFull ? 20_000 : 2_000
    try folder.change(
      """
      DELETE FROM element;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT \(levels))
      INSERT INTO element (id, event_id, above, facts, rest, seen)
      SELECT x, CAST(printf('%032d', x) AS BLOB), nullif(x - 1, 0), 1, 1, x'0100' FROM n
      """)
    let reader = try DictionaryReader(path: folder.path)
    let error = DictionaryError.damaged("an element is nested deeper than 1024 levels")
    #expect(throws: error) { try reader.load() }
    #expect(throws: error) { try reader.load(style: .sensors) }
    #expect(throws: error) { try reader.forEach { _ in } }
    let last = try #require(
      EventID(hexadecimal: String(format: "%032d", levels).utf8.map { "3\($0 & 15)" }.joined()))
    #expect(throws: error) { try reader.elements(with: last) }
  }

  // MARK: - While it is open

  @Test("a file that is shortened while it is open is an error, at any length, and no ID is unknown in it")
  func shortened() throws {
    let folder = try Folder()
    let intact = try folder.bytes()
    let screen = try Folder.screen("small")
    let ids = screen.tree.elements.map { screen.eventID(of: $0) }
    for length in stride(from: 0, to: intact.count, by: TestSize.stride(509)) {
      try folder.overwrite(intact)
      let reader = try DictionaryReader(path: folder.path)
      #expect(try !reader.elements(with: ids[0]).isEmpty)
      #expect(truncate(folder.path, length) == 0)
      for id in [ids[0], ids[ids.count - 1]] {
        #expect(throws: DictionaryError.self) { try reader.elements(with: id) }
        #expect(throws: DictionaryError.self) { try reader.elements(withPrefix: String(id.description.prefix(9))) }
      }
      #expect(throws: DictionaryError.self) { try reader.load() }
      #expect(throws: DictionaryError.self) { try DictionaryStatistics(of: reader) }
      // Once it is whole again, everything is found again.
      try folder.overwrite(intact)
      #expect(try !reader.elements(with: ids[ids.count - 1]).isEmpty)
    }
  }

  @Test("a file that is shortened in the middle of reading it all is an error")
  func shortenedMeanwhile() throws {
    let folder = try Folder()
    let reader = try DictionaryReader(path: folder.path)
    let size = try folder.bytes().count
    var seen = 0
    #expect(throws: DictionaryError.self) {
      try reader.forEach { _ in
        seen += 1
        if seen == 2 { #expect(truncate(folder.path, size / 2) == 0) }
      }
    }
  }

  @Test("the next look-up notices a replaced dictionary")
  func replaced() throws {
    let folder = try Folder(captures: ["cart.xml"])
    let reader = try DictionaryReader(path: folder.path)
    let screen = try Folder.screen("order-v5.1.xml")
    let id = screen.eventID(of: screen.tree.elements.last ?? ElementID(0))
    #expect(try reader.elements(with: id).isEmpty)
    try Folder.index(["order-v5.1.xml"], folder.path)
    #expect(try reader.elements(with: id).count == 1)
    #expect(reader.allCaptures.count == 2)
    #expect(try reader.load()[id] != nil)

    // Another file, which lacks what the first one had.
    let other = try Folder(captures: ["home-feed.xml"])
    #expect(rename(other.path, folder.path) == 0)
    #expect(try reader.elements(with: id).isEmpty)
    #expect(reader.allCaptures.map(\.name) == ["home-feed.xml"])

    try Data("no dictionary at all".utf8).write(to: URL(fileURLWithPath: folder.path))
    #expect(throws: DictionaryError.notADictionary) { try reader.elements(with: id) }
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(throws: DictionaryError.noSuchFile) { try reader.elements(with: id) }
    try Folder.index(["order-v5.1.xml"], folder.path)
    #expect(try reader.elements(with: id).count == 1)
  }

  @Test("a file that is not regular is refused without waiting for it")
  func pipe() throws {
    let folder = try Folder()
    let pipe = folder.url.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: DictionaryError.notADictionary) { try DictionaryReader(path: pipe) }
    #expect(throws: DictionaryError.notADictionary) { try DictionaryWriter(path: pipe) }
    #expect(throws: DictionaryError.notADictionary) { try DictionaryReader(path: "/dev/zero") }
  }
}
