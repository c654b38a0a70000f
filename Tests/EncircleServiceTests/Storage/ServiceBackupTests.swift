import EncircleTestSupport
import Foundation
import GRDB
import Testing

@testable import EncircleService

@Suite struct ServiceBackupTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path

  private var data: String { root + "/data" }
  private var backup: String { root + "/backup" }
  private var restored: String { root + "/restored" }

  private func withDirectory(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try body()
  }

  private func damage(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 4_096)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 8_192))
    try handle.close()
  }

  @Test func `a backup and its restored copy have everything that the running service has acknowledged`() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let service = try RunningService()
    let rules = #"{"version":1,"rules":[{"id":"r","include":{"event":"$AppClick"}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200)
    #expect(try await service.post("/v1/collect", json: (0..<20).map { CollectTests.event($0) }).status == 200)
    let made = try Tool.run(["backup", "--data", service.directory.path, "--to", backup])
    #expect(made.status == 0 && made.text.hasSuffix("read back without an error\n"), "\(made.errors)")
    #expect(try await service.post("/v1/collect", json: [CollectTests.event(20)]).status == 200)
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).sorted() == Store.files)
    let back = try Tool.run(["restore", "--from", backup, "--data", restored])
    #expect(back.status == 0, "\(back.errors)")
    let other = try RunningService(directory: URL(fileURLWithPath: restored))
    #expect(try await other.get("/v1/events?limit=100").events.count == 20)
    #expect(try await other.get("/v1/rulesets/default").text.contains("$AppClick"))
    // The first service has gone on.
    #expect(try await service.get("/v1/events?limit=100").events.count == 21)
  }

  @Test func `a backup can be piped as an archive`() throws {
    try withDirectory {
      try Store(directory: data).close()
      let archive = root + "/backup.tar"
      try runShell("\(tool()) backup --data \(data) --to - > \(archive)")
      let named = try Tool.run(["restore", "--from", archive, "--data", restored])
      #expect(named.status == 66 && named.errors.contains("--from - < \(archive)"), "\(named.errors)")
      try runShell("\(tool()) restore --from - --data \(restored) < \(archive)")
      try Store(directory: restored).close()
    }
  }

  @Test("an archive that is not a complete backup is bad data, and nothing is made", arguments: [5_000, 700, 0])
  func truncatedArchive(_ count: Int) throws {
    try withDirectory {
      try Store(directory: data).close()
      let tool = try tool()
      let run =
        "\(tool) backup --data \(data) --to - 2> /dev/null | head -c \(count) | \(tool) restore --from - --data \(restored)"
      try runShell("\(run) 2> \(root)/errors && exit 1 || test $? = 65")
      #expect(try String(contentsOfFile: root + "/errors", encoding: .utf8).contains("standard input: is damaged"))
      #expect(!FileManager.default.fileExists(atPath: restored))
    }
  }

  @Test func `an archive that cannot be read is no bad data`() throws {
    try withDirectory {
      try Store(directory: data).close()
      try runShell(
        "\(tool()) restore --from - --data \(restored) < \(data) 2> \(root)/errors && exit 1 || test $? = 74")
    }
  }

  /// The library counts first; so it is at most one ahead of the events at any time.
  @Test func `both databases are copied at one point in time`() throws {
    try withDirectory {
      let store = try Store(directory: data)
      for pool in [store.library, store.events] {
        try pool.write { try $0.execute(sql: "CREATE TABLE n (n INTEGER); INSERT INTO n VALUES (0)") }
      }
      let isEnding = Flag()
      let writer = Thread {
        while !isEnding.isSet {
          for pool in [store.library, store.events] {
            try? pool.writeWithoutTransaction { try $0.execute(sql: "UPDATE n SET n = n + 1") }
          }
          usleep(2_000)
        }
        isEnding.hasEnded.signal()
      }
      writer.start()
      for number in 0..<5 {
        let folder = backup + "\(number)"
        _ = try ServiceBackup.make(of: data, to: folder)
        let counts = try Store.files.map { name in
          try ServiceBackup.reading(folder + "/" + name) { copy in
            try copy.read { try Int.fetchOne($0, sql: "SELECT n FROM n") ?? -1 }
          }
        }
        #expect(counts[0] == counts[1] || counts[0] == counts[1] + 1, "\(counts)")
      }
      isEnding.set()
      isEnding.hasEnded.wait()
      try store.close()
    }
  }

  @Test func `a directory that has tokens and was never started is whole`() throws {
    try withDirectory {
      _ = try TokenStore(directory: data, isMade: true)
      #expect(DirectoryCheck(directory: data, readsAll: true).findings.allSatisfy { $0.severity != .error })
      _ = try ServiceBackup.make(of: data, to: backup)
      try Store(directory: data).close()
    }
  }

  @Test func `a damaged backup is refused before anything is written`() throws {
    try withDirectory {
      try Store(directory: data).close()
      _ = try ServiceBackup.make(of: data, to: backup)
      for name in Store.files {
        try FileManager.default.copyItem(atPath: backup, toPath: backup + name)
        try damage(backup + name + "/" + name)
        #expect(throws: StoreError.self) { try ServiceBackup.restore(from: backup + name, to: restored) }
        #expect(!FileManager.default.fileExists(atPath: restored))
      }
      let journal = backup + "/events.sqlite-journal"
      try Data("of a killed backup".utf8).write(to: URL(fileURLWithPath: journal))
      #expect {
        try ServiceBackup.restore(from: backup, to: restored)
      } throws: {
        "\($0)" == "\(backup)/events.sqlite: is damaged: the backup was interrupted before it was complete"
      }
      try FileManager.default.removeItem(atPath: journal)
      try Data("no database, but long enough to be one".utf8).write(to: URL(fileURLWithPath: backup + "/events.sqlite"))
      #expect(throws: StoreError.self) { try ServiceBackup.restore(from: backup, to: restored) }
      try FileManager.default.removeItem(atPath: backup + "/events.sqlite")
      #expect {
        try ServiceBackup.restore(from: backup, to: restored)
      } throws: {
        // Nothing can be deleted to go on, as in a directory of a service.
        "\($0)" == "\(backup)/events.sqlite: is damaged: the backup has no such file"
      }
    }
  }

  @Test func `a copy of a directory in use is restored with the changes in its logs, and not without them`() throws {
    try withDirectory {
      let store = try Store(directory: data)
      for pool in [store.library, store.events] {
        try pool.write { try $0.execute(sql: "CREATE TABLE n (n INTEGER); INSERT INTO n VALUES (1)") }
      }
      try FileManager.default.copyItem(atPath: data, toPath: backup)
      try store.close()
      try ServiceBackup.restore(from: backup, to: restored)
      for name in Store.files {
        let count = try ServiceBackup.reading(restored + "/" + name) { copy in
          try copy.read { try Int.fetchOne($0, sql: "SELECT n FROM n") }
        }
        #expect(count == 1, "\(name)")
      }
      try Store(directory: restored).close()
      for name in Store.files { try? FileManager.default.removeItem(atPath: backup + "/" + name + "-wal") }
      #expect(throws: StoreError.self) { try ServiceBackup.restore(from: backup, to: restored + "2") }
      #expect(!FileManager.default.fileExists(atPath: restored + "2"))
      // The state is missing, too, if only the databases were copied.
      try FileManager.default.removeItem(atPath: backup + "/state")
      #expect {
        try ServiceBackup.restore(from: backup, to: restored + "2")
      } throws: {
        "\($0)".hasPrefix("\(backup)/encircle.sqlite: is damaged: it is of a service, without its write-ahead log")
      }
    }
  }

  @Test func `other users cannot read a copy while it is made`() throws {
    try withDirectory {
      try Store(directory: data).close()
      for folder in [backup, restored] {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      }
      var seen: Set<Int> = []
      func look(_ folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
          let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
          if let permissions = attributes?[.posixPermissions] as? NSNumber { seen.insert(permissions.intValue) }
        }
      }
      _ = try ServiceBackup.make(of: data, to: backup) { _ in look(backup) }
      try ServiceBackup.restore(from: backup, to: restored) { _ in look(restored) }
      #expect(seen == [0o600])
    }
  }

  @Test func `a failed copy leaves no backup`() throws {
    try withDirectory {
      try Store(directory: data).close()
      try damage(data + "/events.sqlite")
      #expect(throws: (any Error).self) { try ServiceBackup.make(of: data, to: backup) }
      #expect(!FileManager.default.fileExists(atPath: backup))
    }
  }

  @Test(arguments: [false, true])
  func `a failed restoration leaves nothing, so that it can be repeated`(isMade: Bool) throws {
    try withDirectory {
      try Store(directory: data).close()
      _ = try ServiceBackup.make(of: data, to: backup)
      let files = FileManager.default
      if isMade { try files.createDirectory(atPath: restored, withIntermediateDirectories: true) }
      let (name, aside) = (backup + "/" + Store.files[1], root + "/aside")
      #expect(throws: (any Error).self) {
        try ServiceBackup.restore(from: backup, to: restored) { progress in
          // The second file disappears after both have been checked, and the first one has been copied.
          if progress.step == .copying, progress.file == Store.files[1] {
            try? files.moveItem(atPath: name, toPath: aside)
          }
        }
      }
      let left = try? files.contentsOfDirectory(atPath: restored)
      #expect(left == (isMade ? [] : nil))
      try files.moveItem(atPath: aside, toPath: name)
      try ServiceBackup.restore(from: backup, to: restored)
      try Store(directory: restored).close()
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "only Linux lists open files there"))
  func `a backup, a check and a restoration close the databases, also after errors`() throws {
    func openFiles() throws -> [String] {
      let files = FileManager.default
      let links = try files.contentsOfDirectory(atPath: "/proc/self/fd").map { "/proc/self/fd/\($0)" }
      return links.compactMap { try? files.destinationOfSymbolicLink(atPath: $0) }.filter { $0.hasPrefix(root) }
    }
    try withDirectory {
      try Store(directory: data).close()
      _ = try ServiceBackup.make(of: data, to: backup)
      #expect(try openFiles().isEmpty)
      try ServiceBackup.restore(from: backup, to: restored)
      #expect(try openFiles().isEmpty)
      try damage(data + "/events.sqlite")
      #expect(throws: (any Error).self) { try ServiceBackup.make(of: data, to: backup + "2") }
      #expect(try openFiles().isEmpty)
      _ = DirectoryCheck(directory: data, readsAll: true)
      #expect(try openFiles().isEmpty)
    }
  }

  @Test(arguments: Store.files)
  func `a file that is no database is named at the start and by a backup`(name: String) throws {
    try withDirectory {
      try Store(directory: data).close()
      try Data(repeating: 0x5A, count: 20_000).write(to: URL(fileURLWithPath: data + "/" + name))
      let uses: [() throws -> Void] = [
        { _ = try Store(directory: data) }, { _ = try ServiceBackup.make(of: data, to: backup) },
      ]
      for use in uses {
        #expect { try use() } throws: { error in
          guard case StoreError.damaged(let file, _) = error else { return false }
          return file == data + "/" + name
        }
        #expect(!FileManager.default.fileExists(atPath: backup))
      }
    }
  }

  @Test func `nothing is overwritten`() throws {
    try withDirectory {
      try Store(directory: data).close()
      _ = try ServiceBackup.make(of: data, to: backup)
      #expect(throws: StoreError.self) { try ServiceBackup.make(of: data, to: backup) }
      #expect(throws: StoreError.self) { try ServiceBackup.restore(from: backup, to: data) }
      try Store(directory: data).close()
    }
  }

  @Test(arguments: Store.files, [false, true])
  func `databases of other applications are refused and left unchanged`(name: String, isUsed: Bool) throws {
    try withDirectory {
      if isUsed { try Store(directory: data).close() }
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      let path = data + "/" + name
      if isUsed { try FileManager.default.removeItem(atPath: path) }
      let other = try DatabaseQueue(path: path)
      try other.write { try $0.execute(sql: "CREATE TABLE recipe (title TEXT)") }
      try other.close()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let uses: [() throws -> Void] = [
        { _ = try Store(directory: data) }, { _ = try Store.libraryBesideService(directory: data, isMade: true) },
      ]
      for use in uses {
        #expect { try use() } throws: { error in
          if case StoreError.foreign = error { true } else { false }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        if !isUsed { #expect(try FileManager.default.contentsOfDirectory(atPath: data) == [name]) }
      }
    }
  }

  // MARK: - Checks of a directory

  @Test(
    "each thing that is wrong is found, with what to do",
    arguments: [
      ("", [:]),
      ("chmod go+r $D/events.sqlite", ["permissions": .warning]),
      ("rm $D/events.sqlite", ["files": .error]), ("rm $D/encircle.sqlite", ["files": .error]),
      ("rm $D/encircle.sqlite $D/state", ["directory": .error]),
      ("rm $D/events.sqlite $D/state", ["integrity": .error]),
      ("dd if=/dev/zero of=$D/events.sqlite bs=4096 seek=2 count=3 conv=notrunc 2>/dev/null", ["integrity": .error]),
      ("printf open > $D/state", ["files": .note]),
      ("printf open > $D/state; rm -f $D/*-wal", ["files": .error]),
      ("sqlite:INSERT INTO event (received, at, time, verdict) VALUES (99999999999999, 0, 0, 0)", ["clock": .warning]),
      ("sqlite:INSERT INTO grdb_migrations VALUES ('of the future')", ["version": .error]),
      ("token:10", ["tokens": .warning]), ("token:-1", ["tokens": .error]), ("token:400", [:]),
    ] as [(String, [String: DirectoryCheck.Severity])])
  func check(change: String, expected: [String: DirectoryCheck.Severity]) throws {
    try withDirectory {
      try Store(directory: data).close()
      let parts = change.split(separator: ":", maxSplits: 1).map(String.init)
      switch parts.first {
      case "sqlite":
        try DatabaseQueue(path: data + "/events.sqlite").write { try $0.execute(sql: parts[1]) }
      case "token":
        let days = try #require(Double(parts[1]))
        let tokens = try TokenStore(directory: data, isMade: false)
        try tokens.add(
          TokenRecord(
            id: "1", name: "Ada", role: "publish", hash: [1], createdAt: Date(), createdBy: "test",
            expiresAt: Date(timeIntervalSinceNow: days * 86_400)))
      default: try runShell("D=\(data); \(change)")
      }
      let check = DirectoryCheck(directory: data, readsAll: true)
      let wrong = check.findings.filter { $0.severity != .ok && $0.code != "running" }
      var found = Dictionary(wrong.map { ($0.code, $0.severity) }) { $0 == .error ? $0 : $1 }
      // Without tokens that is said.
      if found["tokens"] == .note { found["tokens"] = nil }
      #expect(found == expected, "\(check.findings)")
      #expect(wrong.allSatisfy { $0.severity == .note || $0.cure != nil })
      #expect(check.findings.allSatisfy { !$0.message.contains("\n") }, "\(check.findings)")
    }
  }

  @Test("for an app's key that ends, the advice is to make the same key a token again, for the same project")
  func endingKey() throws {
    try withDirectory {
      let tokens = try ServiceTokens(directory: data, isMade: true)
      _ = try tokens.add(name: "Ada", role: .publish, days: nil, by: "test")
      _ = try tokens.add(
        name: "shop 2", role: .collect, key: "phc_0123456789abcdef", project: "shop", days: 3, by: "test")
      let finding = DirectoryCheck(directory: data, readsAll: false).findings.first { $0.code == "tokens" }
      let cure = try #require(finding?.cure)
      #expect(cure.contains("encircle token remove 'shop 2' --data"), "\(cure)")
      #expect(cure.contains("encircle token add 'shop 2' --role collect --key KEY --project shop --data"), "\(cure)")
    }
  }

  @Test(
    "a directory that the user may not use is named with its mode, without advice to restore a backup",
    .enabled(if: geteuid() != 0, "root may use anything"),
    arguments: [("", "000"), ("", "500"), ("/events.sqlite", "000"), ("/events.sqlite", "400"), ("/lock", "000")])
  func permissions(name: String, mode: String) throws {
    try withDirectory {
      try Store(directory: data).close()
      try runShell("chmod \(mode) \(data)\(name)")
      defer { try? runShell("chmod 700 \(data)\(name)") }
      let findings = DirectoryCheck(directory: data, readsAll: true).findings
      let message = try #require(findings.first { $0.code == "permissions" && $0.severity == .error }?.message)
      #expect(message.contains(" \(data)\(name), ") && message.hasSuffix(" mode \(mode)"), "\(message)")
      #expect(!findings.contains { $0.cure?.contains("restore") ?? false }, "\(findings)")
      let run = try Tool.run(["serve", "--port", "0", "--data", data])
      #expect(run.status == 74 && run.errors.contains("encircle doctor --data \(data)"), "\(run.errors)")
      if name == "", mode == "000" {
        for arguments in [
          ["restore", "--from", data, "--data", restored], ["backup", "--data", data, "--to", backup],
        ] {
          let run = try Tool.run(arguments)
          #expect(run.status == 74 && run.errors.contains("encircle doctor --data \(data)"), "\(run.errors)")
        }
      }
    }
  }

  @Test(
    "files of two users are found, as by root, who may use both",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func owners() throws {
    try withDirectory {
      try Store(directory: data).close()
      try runShell("chown 65534 \(data)/lock")
      let finding = DirectoryCheck(directory: data, readsAll: false).findings.first { $0.code == "permissions" }
      #expect(finding?.severity == .warning && finding?.message.contains("\(data)/lock ") == true, "\(finding as Any)")
      #expect(finding?.cure?.hasPrefix("chown -R ") == true)
    }
  }

  @Test func `a check creates no files that the service's user cannot open`() throws {
    try withDirectory {
      _ = try TokenStore(directory: data, isMade: true)
      let check = DirectoryCheck(directory: data, readsAll: false)
      #expect(check.findings.contains { $0.code == "running" && $0.message.contains("no service uses") })
      #expect(!FileManager.default.fileExists(atPath: data + "/lock"))
    }
  }

  @Test(
    "a token that ends soon is named with the rest of its time, and a command that makes another",
    arguments: [(0.0, "ends in 3 days"), (1.5, "ends in 2 days"), (2.5, "ends in 1 day"), (3.5, "has ended")])
  func expiry(elapsed: Double, end: String) throws {
    try withDirectory {
      let data = root + "/lin's data"
      let tokens = try ServiceTokens(directory: data, isMade: true)
      _ = try tokens.add(name: "lin", role: .publish, days: nil, by: "test")
      _ = try tokens.add(name: "Lin's phone", role: .collect, days: 3, by: "test")
      let now = Date(timeIntervalSinceNow: elapsed * 86_400)
      let finding = DirectoryCheck(directory: data, readsAll: false, now: now).findings.first { $0.code == "tokens" }
      #expect(finding?.message == "the token 'Lin's phone' \(end)")
      let cure = try #require(finding?.cure)
      let command = try #require(cure.split(separator: "`").dropFirst().first)
      try runShell(tool() + command.dropFirst("encircle".count))
      #expect(try tokens.all().map(\.name).contains("Lin's phone 2"))
    }
  }

  @Test(
    "a backup is to be restored after damage, and not after other errors",
    arguments: [
      ("dd if=/dev/zero of=$D/events.sqlite bs=4096 seek=2 count=3 conv=notrunc 2>/dev/null", true),
      ("printf %8192s x > $D/events.sqlite", true), ("rm $D/events.sqlite; mkdir $D/events.sqlite", false),
    ])
  func cure(change: String, isRestored: Bool) throws {
    try withDirectory {
      try Store(directory: data).close()
      try runShell("D=\(data); \(change)")
      let findings = DirectoryCheck(directory: data, readsAll: true).findings
      let error = try #require(findings.first { $0.code == "integrity" && $0.severity == .error }, "\(findings)")
      #expect(error.cure?.contains("restore") == isRestored, "\(error)")
    }
  }

  @Test func `the directory of the configuration is checked unless another one is named`() throws {
    try withDirectory {
      try Store(directory: data).close()
      try "data: data\n".write(toFile: root + "/encircle.yaml", atomically: true, encoding: .utf8)
      let named = try Tool.run(["doctor", "--config", root + "/encircle.yaml"])
      #expect(named.text.contains("no service uses the directory"), "\(named.text)")
      let other = try Tool.run(["doctor", "--config", root + "/encircle.yaml", "--data", restored])
      #expect(other.status == 1 && other.text.contains("no directory of a service at \(restored)"), "\(other.text)")
    }
  }

  @Test func `a running service can be checked`() async throws {
    let service = try RunningService()
    let check = DirectoryCheck(directory: service.directory.path, readsAll: false)
    #expect(check.findings.contains { $0.code == "running" && $0.message.contains("a service uses") })
    #expect(!check.findings.contains { $0.severity == .error }, "\(check.findings)")
    #expect(try await service.get("/readyz").status == 200)
  }

  // MARK: - Processes

  private func tool() throws -> String { try #require(BuiltTool.url, "the tool has not been built").path }

  private func runShell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", command]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command): \(String(decoding: text, as: UTF8.self))")
  }
}

extension HTTPAnswer {
  fileprivate var events: [Any] { object["events"] as? [Any] ?? [] }
}

/// Says to a thread that it should end, and that it has.
private final class Flag: @unchecked Sendable {
  let hasEnded = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
