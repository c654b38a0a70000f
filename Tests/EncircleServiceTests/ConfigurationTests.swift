import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Logging
import Testing

@testable import EncircleService

@Suite struct ConfigurationTests {
  private func read(_ text: String) throws -> ServiceConfiguration {
    var configuration = ServiceConfiguration(directory: "data")
    try configuration.read(text, name: "/etc/encircle/service.yaml")
    return configuration
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch {
      return (error as? RuleFileErrors)?.diagnostics.map {
        "\($0.location?.description ?? ""): \($0.message)" + ($0.suggestion.map { " \($0)?" } ?? "")
      } ?? ["\(error)"]
    }
  }

  @Test func `every field of the configuration has a key`() throws {
    let all = try read(
      """
      data: /var/lib/encircle
      host: 0.0.0.0
      port: 80
      allow_anonymous: true
      allowed_origins: [https://a.example]
      trusted_proxies: [127.0.0.1, "::1", 10.0.0.0/8, fd00::/8]
      redacted_properties: [$ip, /identities]
      rules: [rules, shop=shop.yaml, /etc/rules.yaml]
      log_format: json
      log_level: debug
      retention: { days: 7, rows: 1_000, bytes: 2_000_000 }
      captures: [screens]
      events: day.ndjson
      manuals: site
      limits:
      \(Self.limits.map { "  \($0.name): \($0.range!.lowerBound)" }.joined(separator: "\n"))
      """)
    #expect(all.directory == "/var/lib/encircle" && all.host == "0.0.0.0" && all.port == 80 && all.allowAnonymous)
    #expect(all.allowedOrigins == ["https://a.example"] && all.redactedProperties == ["$ip", "/identities"])
    #expect(all.rules == ["/etc/encircle/rules", "shop=/etc/encircle/shop.yaml", "/etc/rules.yaml"])
    #expect(all.logFormat == .json && all.logLevel == .debug)
    #expect(all.retention.days == 7 && all.retention.rows == 1_000 && all.retention.bytes == 2_000_000)
    #expect(all.trustedProxies == ["127.0.0.1", "::1", "10.0.0.0/8", "fd00::/8"])
    #expect(all.importedCaptures == ["/etc/encircle/screens"])
    #expect(all.importedEvents == "/etc/encircle/day.ndjson" && all.manuals == "/etc/encircle/site")
    #expect(Self.limits.map { $0.value(in: all) } == Self.limits.map { "\($0.range!.lowerBound)" })
  }

  private static let limits = Setting.all.filter { $0.group == "limits" }

  @Test func `the table of settings is complete`() {
    #expect(Self.limits.count == Mirror(reflecting: ServiceLimits()).children.count)
    #expect(Setting.all.count { $0.group == "retention" } == Mirror(reflecting: EventLimits()).children.count)
    // The two groups are members, too.
    #expect(Setting.all.count { $0.group == nil } + 2 == Mirror(reflecting: ServiceConfiguration()).children.count)
  }

  @Test func `the example file is the table of settings`() throws {
    let url = PackageFolder.root.appendingPathComponent("Deploy/encircle-service.yaml")
    let file = Setting.file(ServiceConfiguration(directory: "/var/lib/encircle"))
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try Data(file.utf8).write(to: url) }
    #expect(try String(contentsOf: url, encoding: .utf8) == file)
    var configuration = ServiceConfiguration(directory: "/var/lib/encircle")
    let plain = "\(configuration)"
    try configuration.read(file: url.path)
    #expect("\(configuration)" == plain)
    #expect(try read("{}").port == 8_080)
  }

  @Test func `the manual names each limit, and no other`() throws {
    let manual = try ["service", "circling"].map {
      try String(contentsOf: PackageFolder.root.appendingPathComponent("docs/\($0).md"), encoding: .utf8)
    }.joined()
    for limit in Self.limits { #expect(manual.contains("`\(limit.name)`"), "\(limit.name)") }
    let names = Set(Setting.all.map(\.name))
    let table = try #require(manual.split(separator: "| what | limit | answer |").last).split(separator: "\n\n")[0]
    for name in table.split(separator: "`").filter({ $0.contains("_") && !$0.contains(" ") }) {
      #expect(names.contains(String(name)), "\(name)")
    }
  }

  @Test func `mistakes are reported with line, column and a suggestion`() {
    #expect(
      problems("prot: 80\nlimits:\n  idle_second: 3\n  body_bytes: x\nlog_level: inf\nport: 99999\n") == [
        "1:1: unknown key 'prot' in a configuration port?",
        "3:3: unknown key 'idle_second' in limits idle_seconds?",
        "4:15: expected a whole number from 1024 to 1073741824",
        "5:12: unknown log level 'inf': expected 'trace', 'debug', 'info', 'notice', 'warning', 'error', 'critical' info?",
        "6:7: expected a whole number from 0 to 65535",
      ])
    for text in ["[1]", "a: [", "port: [1]", "limits: 3", "rules: { a: 1 }", "port: 1\nport: 2", "host: ''"] {
      #expect(!problems(text).isEmpty, "\(text)")
    }
    #expect(
      problems("trusted_proxies: [10.0.0.0/8, 10.0.0.0/33]") == [
        "1:31: expected the address of a proxy, such as 10.0.0.7, or a range, such as 10.0.0.0/8"
      ])
    #expect(throws: (any Error).self) { try read("port: 1\nhots: a") }
  }

  @Test func `origins that no browser sends, and properties that no event can have, are mistakes`() throws {
    for origin in [
      "tools.example", "https://tools.example/page", "https://", "*", "null", "https://a b", "://a", "https://a?b",
      "https://lin@tools.example",
    ] {
      #expect(
        problems("port: 1\nallowed_origins: ['\(origin)']") == [
          "2:19: expected an origin, such as https://tools.example.com"
        ], "\(origin)")
      let run = try Tool.run(["serve", "--port", "0", "--data", "/dev/null/x", "--allowed-origin", origin])
      #expect(run.status == 64, "\(origin)")
    }
    let origins = "['https://tools.example/', 'http://LOCALHOST:3000', 'http://[::1]:80', 'capacitor://localhost']"
    #expect(problems("allowed_origins: \(origins)") == [])
    #expect(
      problems("redacted_properties: [$ip, /a~2]") == ["1:28: expected the name of a property, or a JSON Pointer"])
    for property in ["", "/a~2"] {
      let run = try Tool.run(["serve", "--port", "0", "--data", "/dev/null/x", "--redact", property])
      #expect(run.status == 64, "\(property)")
    }
  }

  @Test func `the log has one line for each entry, whatever clients send`() throws {
    let lines = ServiceLog(label: "encircle", format: .lines, level: .info)
    let time = Date(timeIntervalSince1970: 1_763_892_000)
    let line = lines.entry(.info, "a\nb", [("path", "/\u{1B}[31m\r\n")], at: time)
    #expect(line.hasPrefix("2025-11-23T10:00:00.000Z info a"))
    #expect(!line.contains { $0.isNewline } && !line.contains("\u{1B}"))
    let json = ServiceLog(label: "encircle", format: .json, level: .info)
      .entry(.error, "a\nb", [("path", "\"\\\u{2028}"), ("level", "x")], at: time)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
    #expect(
      object == [
        "time": "2025-11-23T10:00:00.000Z", "level": "error", "logger": "encircle", "message": "a\nb",
        "path": "\"\\\u{2028}",
      ])
  }

  // MARK: - Starting

  @Test func `options override the file`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("service.yaml")
    try Data("port: 1\nretention: { days: 5, rows: 77 }\n".utf8).write(to: file)
    let service = try RunningService(["--config", file.path, "--retention-days", "6"])
    let settings = try await service.get("/v1/settings").object
    #expect(settings["retention_days"] as? Int == 6 && settings["retention_rows"] as? Int == 77)
  }

  @Test func `settings made while the service ran override the options, and nothing else does`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let options = ["--retention-days", "6", "--redact", "$ip"]
    let changes: [(json: [String: Any], days: Int, redact: [String], warning: String?)] = [
      (["health_alpha": 0.01], 6, ["$ip"], nil), (["redact": [String]()], 6, [], "settings=redact"),
      (["retention_days": 9], 9, [], "settings=redact, retention_days"),
      (["redact": ["$b", "$ip"], "retention_days": 6], 6, ["$b", "$ip"], nil),
    ]
    for change in changes {
      let earlier = try RunningService(directory: directory)
      #expect(try await earlier.put("/v1/settings", json: change.json).status == 200)
      #expect(earlier.stop() == 0)
      let service = try RunningService(directory: directory, options)
      let settings = try await service.get("/v1/settings").object
      #expect(settings["retention_days"] as? Int == change.days, "\(change.json)")
      #expect(settings["redact"] as? [String] == change.redact, "\(change.json)")
      #expect(settings["health_alpha"] as? Double == 0.01)
      let warning = try service.log().first { $0.contains("warning") }
      #expect(change.warning.map { warning?.contains($0) == true } ?? (warning == nil), "\(warning ?? "no warning")")
      #expect(service.stop() == 0)
    }
  }

  @Test func `a service that cannot start says why, with a status`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let data = ["--data", directory.appendingPathComponent("data").path]
    func run(_ arguments: [String]) throws -> ToolResult { try Tool.run(["serve", "--port", "0"] + arguments) }
    #expect(try run(data + ["--host", "0.0.0.0"]).status == 64)
    #expect(try run(data + ["--host", "0.0.0.0"]).errors.contains("encircle token add"))
    #expect(try run(data + ["--config", "/nowhere.yaml"]).status == 66)
    #expect(try run(data + ["--config", directory.path]).status == 74)
    #expect(try run(data + ["--rules", "/nowhere"]).status == 66)
    for option in ["--captures", "--events"] {
      let missing = try run(data + [option, "/nowhere/at/all"])
      #expect(missing.status == 66 && missing.errors == "error: /nowhere/at/all: no such file\n")
    }
    #expect(try run(["--data", "/dev/null/x"]).status == 74)
    #expect(try run(data + ["--log-level", "loud"]).status == 64)
    #expect(try run(data + ["--idle-seconds", "0"]).status == 64)
    #expect(try run(data + ["--port", "70000"]).status == 64)
    let broken = directory.appendingPathComponent("broken.yaml")
    try Data("version: 1\nrules:\n  - id: a\n".utf8).write(to: broken)
    let refused = try run(data + ["--rules", broken.path])
    #expect(refused.status == 65 && refused.errors.contains("broken.yaml:3:5: error:"))
    #expect(try run(data + ["--rules", "a=\(broken.path)", "--rules", "a=\(broken.path)"]).status == 65)
    try Data("prot: 1\n".utf8).write(to: broken)
    #expect(try run(data + ["--config", broken.path]).status == 65)
    let service = try RunningService()
    let taken = try Tool.run(["serve", "--port", "\(service.port)"] + data)
    #expect(taken.status == 74 && taken.errors.contains("another process listens on it"))
    let unknown = try run(data + ["--host", "host.invalid", "--allow-anonymous"])
    #expect(unknown.status == 74 && unknown.errors.contains("cannot listen on host.invalid:0: "), "\(unknown.errors)")
    let used = try run(["--data", service.directory.path])
    #expect(used.status == 74 && used.errors.contains("another process uses this directory"))
    try Data("no database".utf8).write(to: directory.appendingPathComponent("encircle.sqlite"))
    #expect(try run(["--data", directory.path]).status == 74)
  }

  @Test(arguments: [
    ("collect --control http://h:1 --file-bytes", "--file-bytes takes a number from 1024 to 1099511627776."),
    ("collect --control http://h:1 --file-seconds", "--file-seconds takes a number from 1 to 86400."),
    ("collect --control http://h:1 --port", "--port takes a number from 0 to 65535."),
    ("serve --body-bytes", "--body-bytes takes a number from 1024 to 1073741824."),
    ("serve --idle-seconds", "--idle-seconds takes a number from 1 to 3600."),
    ("serve --port", "--port takes a number from 0 to 65535."),
    ("serve --retention-days", "--retention-days takes a number from 1 to 3650."),
    ("serve --retention-rows", "--retention-rows takes a number from 1 to 1000000000."),
    ("serve --stall-seconds", "--stall-seconds takes a number from 1 to 3600."),
    ("token add --data DIRECTORY eve --role read --days", "A token ends after 1 to 3650 days."),
  ])
  func `an option that takes no negative number says which numbers it takes`(option: String, message: String) throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let arguments = option.split(separator: " ").map { $0 == "DIRECTORY" ? directory.path : String($0) }
    let run = try Tool.run(arguments + ["-1"])
    #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
  }

  @Test func `other addresses are open only with a token or by an explicit option`() async throws {
    let open = try RunningService(["--host", "0.0.0.0", "--allow-anonymous"])
    #expect(try await open.get("/v1/rulesets", headers: [:]).status == 200)
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let added = try Tool.run(["token", "add", "lin", "--role", "publish", "--data", directory.path])
    #expect(added.status == 0)
    let token = bearer(added.text.trimmingCharacters(in: .newlines))
    let service = try RunningService(directory: directory, ["--host", "0.0.0.0"])
    #expect(try await service.get("/v1/rulesets").status == 401)
    // Nor does it open when the last token goes.
    #expect(try Tool.run(["token", "remove", "lin", "--data", directory.path]).status == 0)
    #expect(try await service.waitsFor(401) { try await service.get("/v1/rulesets", headers: token).status })
    #expect(try await service.get("/v1/rulesets").status == 401)
  }

  @Test func `rule files become rule sets at the first start, and never again`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let rules = PackageFolder.root.appendingPathComponent("Rules").path
    let arguments = ["--rules", rules, "--rules", rules + "/shop.yaml"]
    let first = try RunningService(directory: directory, arguments)
    let sets = try #require(try await first.get("/v1/rulesets").object["rulesets"] as? [[String: Any]])
    #expect(sets.map { $0["name"] as? String } == ["chat", "default", "reader", "shop", "shop-app"])
    #expect(sets.map { $0["rules"] as? Int } == [7, 39, 7, 39, 12])
    let text = try String(contentsOfFile: rules + "/chat.yaml", encoding: .utf8)
    #expect(try await first.get("/v1/rulesets/chat").text == text)
    #expect(try await first.delete("/v1/rulesets/chat").status == 204)
    first.stop()
    let second = try RunningService(directory: directory, arguments)
    #expect(try await second.get("/v1/rulesets").object["total"] as? Int == 4)
    #expect(try first.log().allSatisfy { !$0.contains("rules not published") })
    #expect(try second.log().contains { $0.contains("rules not published") })
  }
}
