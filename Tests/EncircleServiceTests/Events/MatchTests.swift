import EncircleTestSupport
import Foundation
import Testing

@Suite struct MatchTests {
  private func serviceWithRule() async throws -> RunningService {
    let service = try RunningService()
    let rules = #"{"version":1,"rules":[{"id":"home","include":{"event":"$AppClick","page":"Home"}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    return service
  }

  private static let click = #"{"event":"$AppClick","properties":{"$screen_name":"Home"}}"#
  private static let selected = #""selected":true,"rules":["home"],"excluded_by":[],"emit":["home"]}"#

  private func match(
    _ service: RunningService, _ body: String, _ query: String = "", type: String? = nil
  ) async throws -> [String] {
    let answer = try await service.send(
      "POST", "/v1/match\(query)", headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8))
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/x-ndjson; charset=utf-8")
    return answer.text.split(separator: "\n").map(String.init)
  }

  @Test func `one event, an array, lines and compressed lines get a decision each`() async throws {
    let service = try await serviceWithRule()
    let line = #"{"line":1,"# + Self.selected
    #expect(try await match(service, Self.click) == [line])
    #expect(try await match(service, "[\(Self.click),\n\(Self.click)]") == [line, #"{"line":2,"# + Self.selected])
    #expect(try await match(service, "\(Self.click)\n\(Self.click)\n").count == 2)
    #expect(try await match(service, Self.click, type: "application/x-ndjson") == [line])
    let zipped = gzip(Array("\(Self.click)\n\(Self.click)\n".utf8))
    let answer = try await service.send("POST", "/v1/match", body: Data(zipped))
    #expect(answer.text.split(separator: "\n").count == 2)
    let zippedLines = try await service.send(
      "POST", "/v1/match", headers: ["Content-Type": "application/x-ndjson"], body: Data(zipped))
    #expect(zippedLines.text == answer.text)
    #expect(try await match(service, "") == [])
    for type in ["application/x-ndjson", "application/json"] {
      #expect(try await match(service, "\u{FEFF}\(Self.click)\n\(Self.click)\n", type: type).first == line, "\(type)")
    }
  }

  @Test func `an unreadable compression is refused, not decided line by line`() async throws {
    let service = try await serviceWithRule()
    let zipped = Data(gzip(Array(Self.click.utf8)))
    for encoding in ["br", "zstd", "gzip, br"] {
      let answer = try await service.send("POST", "/v1/match", headers: ["Content-Encoding": encoding], body: zipped)
      #expect(answer.status == 415 && answer.errorCode == "bad-encoding", "\(encoding)")
    }
    let answer = try await service.send("POST", "/v1/match", headers: ["Content-Encoding": "gzip"], body: zipped)
    #expect(answer.status == 200 && answer.text == #"{"line":1,"# + Self.selected + "\n")
    for (method, path) in [
      ("POST", "/v1/selectors/parse"), ("POST", "/v1/reports/retroactive"), ("POST", "/v1/tokens"),
      ("POST", "/v1/connections"), ("PUT", "/v1/captures/0123456789abcdef/screenshot"),
    ] {
      let answer = try await service.send(method, path, headers: ["Content-Encoding": "gzip"], body: zipped)
      #expect(answer.status == 415 && answer.errorCode == "unsupported-encoding", "\(path)")
    }
  }

  @Test func `events come back with their decision when asked for`() async throws {
    let service = try await serviceWithRule()
    let lines = try await match(service, Self.click, "?output=events")
    #expect(lines == ["\(Self.click.dropLast()),\"$encircle\":{\(Self.selected)}"])
  }

  @Test func `a bad line is reported by number, and the next lines are decided`() async throws {
    let service = try await serviceWithRule()
    let lines = try await match(service, "\(Self.click)\nnot json\n\(Self.click)\n")
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == #"{"line":2,"error":{"code":"bad-event","message":"unknown word: expected null, true or false","location":{"line":2,"column":1}}}"#
    )
    #expect(lines[2].hasPrefix(#"{"line":3,"#))
  }

  @Test func `a long stream is decided in order, each line as it would be alone`() async throws {
    let service = try await serviceWithRule()
    let count = 40_000
    var body = ""
    for i in 0..<count { body += i % 3 == 0 ? Self.click + "\n" : "{\"event\":\"other\",\"n\":\(i)}\n" }
    for type in ["application/x-ndjson", "application/json"] {
      let lines = try await match(service, body, type: type)
      #expect(lines.count == count)
      for (i, line) in lines.enumerated() {
        guard line.hasPrefix("{\"line\":\(i + 1),"), line.contains("\"selected\":true") == (i % 3 == 0) else {
          Issue.record("line \(i + 1): \(line)")
          break
        }
      }
    }
  }

  @Test(arguments: ["application/x-ndjson", "application/json"])
  func `the limit on the length of an event is the tool's`(type: String) async throws {
    let service = try await serviceWithRule()
    let long = String(Self.click.dropLast()) + #","more":""# + String(repeating: "x", count: 15 << 20) + #""}"#
    #expect(try await match(service, "\(long)\n", type: type) == [#"{"line":1,"# + Self.selected])
    #expect(try await match(service, "[\(long)]", type: "application/json") == [#"{"line":1,"# + Self.selected])
  }

  @Test func `hostile bodies end with a message`() async throws {
    let service = try await serviceWithRule()
    let deep = try await match(service, #"{"x":"# + String(repeating: "[", count: 100_000))
    #expect(deep.count == 1 && deep[0].contains("nested deeper than 512 levels"))
    let long = try await match(
      service, String(repeating: "x", count: 17 << 20) + "\n\(Self.click)\n", type: "application/x-ndjson")
    #expect(long.count == 2 && long[0].contains("longer than the limit") && long[1].hasPrefix(#"{"line":2,"#))
    let cut = try await service.send("POST", "/v1/match", body: Data(gzip(Array(Self.click.utf8)).dropLast(9)))
    #expect(cut.status == 200 && cut.text.contains("bad-compression"))
    #expect(try await service.post("/v1/match?ruleset=none", json: [:]).status == 404)
    #expect(try await service.post("/v1/match?output=none", json: [:]).status == 400)
  }
}
