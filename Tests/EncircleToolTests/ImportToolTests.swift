import EncircleTestSupport
import Foundation
import Testing

/// `encircle import` on the command line.
@Suite struct ImportToolTests {
  private static let actions = """
    [{"id":1,"name":"One","steps":[{"event":"a"}]},
     {"id":2,"name":"Two","steps":[{"event":"b","properties":[{"key":"email","type":"person","value":"x"}]}]}]
    """

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("actions.json", actions)
    return folder
  }

  private static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> ToolResult {
    try Tool.run(["import"] + arguments, in: folder.url)
  }

  @Test(
    "the exit status says whether a definition was not taken",
    arguments: [
      (["actions.json"], 1), (["posthog", "actions.json"], 0 + 1), (["actions.json", "--allow", "skipped"], 0),
      (["actions.json", "--allow", "wider"], 0), (["actions.json", "--strict", "--allow", "skipped"], 1),
      (["sensors", "actions.json"], 65), (["missing.json"], 66), (["posthog"], 64), ([], 64),
      (["actions.json", "--strict", "--allow", "wider"], 64), (["-", "--events", "-"], 64),
      (["actions.json", "--unfold"], 64), (["actions.json", "--conflicts", "there"], 64),
    ] as [([String], Int32)])
  func exitStatus(arguments: [String], status: Int32) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.run(arguments, in: folder)
    #expect(result.status == status, "\(result.text)\(result.errors)")
  }

  @Test("nothing is written without --output; rules and the imported state are written with it")
  func output() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() }
    _ = try Self.run(["actions.json"], in: folder)
    #expect(try names() == ["actions.json"])
    let result = try Self.run(["actions.json", "-o", "a/b"], in: folder)
    #expect(result.errors.contains("a/b/posthog.yaml was written"))
    #expect(try names() == ["a", "a/b", "a/b/posthog.imported.ndjson", "a/b/posthog.yaml", "actions.json"])
    let rules = try folder.text("a/b/posthog.yaml")
    #expect(rules.contains("id: posthog.1") && !rules.contains("posthog.2"))
    let again = try Self.run(["actions.json", "-o", "a/b"], in: folder)
    #expect(!again.errors.contains("was written"))
    #expect(try folder.text("a/b/posthog.yaml") == rules)
  }

  @Test("a rule that cannot be changed on its own is reported with its place, and the others are imported")
  func shared() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func write(_ one: String, _ two: String) throws {
      try folder.write(
        "a.json",
        #"[{"id":1,"name":"One","steps":[{"event":"\#(one)"}]},{"id":2,"name":"Two","steps":[{"event":"\#(two)"}]}]"#)
    }
    try write("a", "b")
    #expect(try Self.run(["a.json", "-o", "R"], in: folder).status == 0)
    let rules = try folder.text("R/posthog.yaml").replacing("include: { event: a }", with: "include: &one { event: a }")
    try folder.write("R/posthog.yaml", rules + "\n  - id: own\n    include: *one\n")
    try write("a2", "b2")
    let result = try Self.run(["a.json", "-o", "R"], in: folder)
    #expect(result.status == 1, "\(result.errors)")
    #expect(
      result.text.contains(
        "conflict   posthog.1: include changed there, and the rule cannot be changed on its own; the version here stays\n"
          + "updated    posthog.2: include\n"), "\(result.text)")
    let problem =
      "R/posthog.yaml:8:14: error: '&one' is used again as '*one', so it cannot be changed on its own: edit the text"
    #expect(result.errors.contains(problem), "\(result.errors)")
    let written = try folder.text("R/posthog.yaml")
    #expect(written.contains("event: a }") && written.contains("event: b2"), "\(written)")
    let json = try Self.run(["a.json", "-o", "R", "--format", "json"], in: folder)
    #expect(json.text.contains(#""change":"conflict","conflicts":["include"],"problem":"R/posthog.yaml:8:14: "#))
  }

  @Test(
    "the plan's status knows the times and people of events for which definitions are imported",
    arguments: [
      (
        #"[{"id":1,"name":"paid","steps":[{"event":"order_paid"}]}]"#,
        #"{"event":"order_paid","distinct_id":"a","timestamp":"2026-03-01T00:00:00Z","properties":{"$lib":"web"}}"#
      ),
      (
        #"[{"id":"a","name":"paid","eventType":"page","status":"activated","filter":{"path":"Pay"}}]"#,
        #"{"u":"a","t":"page","tm":1772323200000,"d":"com.example.shop","p":"Pay"}"#
      ),
    ])
  func times(definitions: String, event: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.json", definitions)
    try folder.write("events.ndjson", event + "\n")
    #expect(try Self.run(["a.json", "-o", "R"], in: folder).status == 0)
    let arguments = ["plan", "export", "--rules", "R", "--events", "events.ndjson", "--now", "2026-03-02"]
    let table = try Tool.run(arguments, in: folder.url).text
    #expect(table.contains(",2026-03-01,2026-03-01,1,1,"), "first and last seen, events and users: \(table)")
  }

  @Test("definitions of Sensors for several systems go out again to the systems that they came from")
  func outAgain() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func write(_ system: String, _ type: String, _ event: String) throws {
      let text = #"{"event_name":"\#(system)","event_type":"\#(type)","event":{\#(event)}}"#
      try folder.write("\(system).json", #"{"os":"\#(system)","app_id":"a","events":[\#(text)]}"#)
    }
    try write("iOS", "appclick", #""element_path":"UIView/UIButton[0]","screen_name":"Home""#)
    try write("Android", "appclick", #""element_path":"a.A[0]/b.B[0]","screen_name":"a.Main""#)
    let element = #""element_field":"element_path","function":"contain","element_path":"div > a""#
    try write("Web", "webclick", #""url_host":"a.example","url_path":"/",\#(element)"#)
    #expect(try Self.run(["iOS.json", "Android.json", "Web.json", "-o", "R"], in: folder).status == 0)
    let exported = try Tool.run(["export", "sensors", "--rules", "R", "--output", "X"], in: folder.url)
    #expect(exported.status == 0, "\(exported.text)")
    for system in ["iOS", "Android", "Web"] {
      let text = try folder.text("X/\(system).conf")
      #expect(text.components(separatedBy: #""event_name""#).count == 2 && text.contains(#""event_name":"\#(system)""#))
    }
  }

  @Test("an action that asks for a tag and a text of PostHog's chain is exported again as it was")
  func chainOutAgain() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let step =
      #"{"event":"$autocapture","tag_name":"button","text":"Pay (now)","text_matching":"exact","properties":[]}"#
    let action = #"{"name":"pay","tags":[],"steps":[\#(step)]}"#
    try folder.write("pay.json", action)
    #expect(try Self.run(["pay.json", "-o", "R"], in: folder).status == 0)
    let exported = try Tool.run(["export", "posthog", "--rules", "R", "--output", "X"], in: folder.url)
    #expect(exported.status == 0, "\(exported.text)")
    #expect(try folder.text("X/pay.json") == action + "\n")
  }

  @Test("a folder whose rules would take other events is refused, in both orders")
  func folderOfOtherRules() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "sensors.json",
      #"{"os":"iOS","events":[{"event_name":"add","event_type":"appclick","event":{"element_path":"A[0]/B[0]"}}]}"#)
    try folder.write("posthog.json", #"[{"id":1,"name":"tap","steps":[{"event":"$autocapture","selector":"A"}]}]"#)
    try folder.write("growingio.json", #"[{"id":"a","eventType":"page","status":"activated","filter":{"path":"Pay"}}]"#)
    try folder.write("pendo.json", #"[{"id":"f","kind":"Feature","appWide":true,"elementPathRules":["a.b"]}]"#)
    func first(_ name: String, _ rest: [String]) throws {
      #expect(try Self.run([name + ".json", "-o", name], in: folder).status == 0, "\(name)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path)
      for other in rest {
        let result = try Self.run([other + ".json", "-o", name], in: folder)
        // PostHog and GrowingIO also state different places of the time.
        let messages = ["import into a folder of its own", "the field 'time' is elsewhere in another file"]
        #expect(result.status == 65 && messages.contains { result.errors.contains($0) }, "\(name) \(other)")
        let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path)
        #expect(after.sorted() == names.sorted())
      }
    }
    try first("sensors", ["posthog", "growingio"])
    try first("posthog", ["sensors", "growingio"])
    try first("growingio", ["sensors", "posthog"])
    // In the tools' styles, the fields have the same first places.
    #expect(try Self.run(["pendo.json", "-o", "posthog"], in: folder).status == 0)
    try folder.write("own/own.yaml", "version: 1\nstyle: posthog\nrules:\n  - { id: b, include: { selector: B } }\n")
    #expect(try Self.run(["posthog.json", "-o", "own"], in: folder).status == 0)
  }

  @Test("an import that takes nothing leaves no state")
  func nothingTaken() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write(
      "two.json", #"[{"id":2,"name":"Two","steps":[{"properties":[{"key":"a","type":"person","value":"x"}]}]}]"#)
    let result = try Self.run(["two.json", "-o", "a"], in: folder)
    #expect(result.status == 1 && result.text.contains("1 skipped"), "\(result.text)\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("a").path) == [])
  }

  @Test("if the report has no reader, the rules are written all the same, and the exit status is the same")
  func closedPipe() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Tool.run(intoClosedPipe: ["import", "actions.json", "-o", "a"], in: folder.url)
    #expect(result.status == 1 && result.errors.contains("a/posthog.yaml was written"), "\(result.errors)")
    #expect(try folder.text("a/posthog.yaml").contains("id: posthog.1"))
  }

  @Test("a note says if an answer has further pages")
  func pages() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    for (count, isNoted) in [(3, true), (2, false)] {
      try folder.write("page.json", "{\"count\":\(count),\"next\":null,\"results\":\(Self.actions)}")
      let result = try Self.run(["page.json"], in: folder)
      #expect(result.errors.contains("2 of 3 definitions") == isNoted)
    }
  }

  @Test("rules that would not load with the folder's rules are not written")
  func broken() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("shop.yaml", "version: 1\nrules:\n  - { id: x, include: { selectr: A } }\n")
    let result = try Self.run(["actions.json", "-o", "."], in: folder)
    #expect(result.status == 65 && result.errors.contains("shop.yaml:3"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("posthog.yaml").path))
  }

  @Test("JSON has each definition as its schema says, and the changes")
  func json() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("events.ndjson", "{\"event\":\"a\"}\n{\"event\":\"c\"}\n")
    let result = try Self.run(
      ["actions.json", "-o", "out", "--format", "json", "--events", "events.ndjson"], in: folder)
    let value = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    let schema = try JSONSerialization.jsonObject(
      with: Data(contentsOf: PackageFolder.root.appendingPathComponent("docs/import.schema.json")))
    let definitions = try #require((schema as? [String: Any])?["definitions"] as? [String: [String: Any]])
    let known = Set(try #require(definitions["definition"]?["properties"] as? [String: Any]).keys)
    let required = Set(try #require(definitions["definition"]?["required"] as? [String]))
    let found = try #require(value["definitions"] as? [[String: Any]])
    #expect(found.count == 2)
    for definition in found {
      #expect(required.isSubset(of: definition.keys) && known.isSuperset(of: definition.keys))
    }
    #expect(found[0]["change"] as? String == "added" && found[0]["taken"] as? Bool == true)
    #expect((found[0]["events"] as? [String: Any])?["literal"] as? Int == 1)
    #expect(found[1]["result"] as? String == "skipped")
  }

  @Test(
    "--captures looks for elements; it is for files that can be read, and --style goes with it",
    arguments: [
      (["--captures", PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path], 0),
      (["--captures", PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path, "--style", "sensors"], 0),
      (["--captures", "missing.xml"], 66), (["--style", "sensors"], 64),
    ] as [([String], Int32)])
  func captures(arguments: [String], status: Int32) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write(
      "circles.json",
      #"[{"id":"a","name":"A","platform":"iOS","eventType":"elem","filter":{"path":"HomeViewController","content":"加入","xpath":"/UIView[0]/ProductCell[-]/UIButton[0]"},"screenshot":{"x":300,"y":624,"w":74,"h":36}}]"#
    )
    let result = try Self.run(["circles.json", "-o", "out"] + arguments, in: folder)
    #expect(result.status == status, "\(result.text)\(result.errors)")
    guard status == 0 else { return }
    #expect(result.text.contains("home-feed.xml, element ") && result.text.contains("include: {"))
    let isStyled = arguments.contains("--style")
    #expect(result.text.contains(#""event":"$AppClick","page":"HomeViewController""#) || !isStyled)
    #expect(try !folder.text("out/growingio.yaml").contains("selector"))
  }
}
