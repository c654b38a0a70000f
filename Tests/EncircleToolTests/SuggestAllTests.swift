import EncircleTestSupport
import Foundation
import Testing

/// `encircle suggest --all`: one rule file for a whole capture.
@Suite struct SuggestAllTests {
  private static let shop = PackageFolder.root.appendingPathComponent("Rules/shop.yaml").path

  @Test(
    "check reads the output without errors, alone and beside existing rules",
    arguments: ["home-feed.xml", "cart.xml", "alert-ios9.xml", "tab-bar.xml", "settings.wda.xml"])
  func checked(capture: String) throws {
    for rules in [[], ["--rules", Self.shop]] {
      let result = try Tool.run(["suggest", "--all", capture, "--rules-yaml"] + rules)
      #expect(result.status == 0, "\(result.errors)")
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let file = try folder.write("all.yaml", result.output).path
      let check = try Tool.run(["check", "--fail-on", "error", file] + rules.dropFirst())
      #expect(check.status == 0, "\(check.text)\(check.errors)")
      #expect(try Tool.run(["fmt", "--check", file]).status == 0, "it is in the layout of fmt")
    }
  }

  @Test("an element that only its identity distinguishes is named by it, not by an unreadable event ID")
  func identities() throws {
    let result = try Tool.run(["suggest", "--all", "cart.xml", "--rules-yaml"])
    #expect(result.text.contains("&actions(_invoke:forEvent:)") && !result.text.contains("eventID:"))
  }

  @Test("elements with rules get none; the new rules leave no element over, and the file still loads")
  func nothingLeft() throws {
    let first = try Tool.run(["suggest", "--all", "home-feed.xml", "--rules-yaml", "--rules", Self.shop])
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try folder.write("all.yaml", first.output).path
    let again = try Tool.run(
      ["suggest", "--all", "home-feed.xml", "--rules-yaml", "--rules", Self.shop, "--rules", file])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.text.contains("# Suggested for 0 elements of home-feed.xml that no rule takes.\n"))
    #expect(again.text.hasSuffix("rules: []\n"))
    #expect(again.errors == "home-feed.xml: note: there is no element for which a rule is missing\n")
  }

  @Test("rules that also select other elements are named and cause exit status 1")
  func shared() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("page.html", "<html><body><button id='filter'>Filter <svg></svg></button></body></html>")
    let result = try Tool.run(
      ["suggest", "--all", "page.html", "--rules-yaml", "--style", "posthog-web"], in: folder.url)
    #expect(result.status == 1)
    #expect(result.errors.contains("page.html: warning: the rule "), "\(result.errors)")
  }

  @Test("words and the template make the ids, and their problems have places")
  func names() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("words.yaml", Array("加入: add\n首页: home\n".utf8))
    try folder.write("bad.yaml", Array("加入: add\n首页: 家\n".utf8))
    func words(_ name: String) -> [String] { ["--words", folder.url.appendingPathComponent(name).path] }
    let all = ["suggest", "--all", "home-feed.xml", "--rules-yaml"]
    let result = try Tool.run(all + words("words.yaml") + ["--names", "{page_title}.{text}"])
    #expect(result.text.contains("  - id: home.add\n    name: 加入\n"), "\(result.text)")
    #expect(result.text.contains("    emit: home.add\n"))
    let bad = try Tool.run(all + words("bad.yaml"))
    #expect(bad.status == 65 && bad.output.isEmpty)
    #expect(bad.errors.contains("bad.yaml:2:5: error: a word has ASCII letters"), "\(bad.errors)")
    #expect(try Tool.run(all + words("none.yaml")).status == 66)
    let unknown = try Tool.run(all + ["--names", "{pgae}"])
    #expect(unknown.status == 64)
    #expect(
      unknown.errors.contains(
        """
        --names: unknown placeholder '{pgae}' (did you mean {page}?): expected {page}, {page_title}, {element}, {type}, \
        {text}, {action}, {row}.

        """),
      "\(unknown.errors)")
  }

  @Test("anchors are written for all rules")
  func anchors() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.url.appendingPathComponent("all.anchors.yaml")
    let result = try Tool.run(["suggest", "--all", "cart.xml", "--rules-yaml", "--anchor", file.path])
    #expect(result.status == 0, "\(result.errors)")
    let text = String(decoding: try PackageFolder.bytes(file), as: UTF8.self)
    for line in result.text.split(separator: "\n") where line.hasPrefix("  - id: ") {
      #expect(text.contains(line.dropFirst("  - id: ".count)))
    }
  }

  @Test(
    "options that exclude each other are refused",
    arguments: [
      (["cart.xml"], "it goes with --rules-yaml"), (["--rules-yaml"], "Missing expected argument '<capture>'"),
      (["cart.xml", "75", "--rules-yaml"], "an element does not go with it"),
      (["cart.xml", "--rules-yaml", "--event", "x"], "--event does not go with it"),
      (["cart.xml", "--rules-yaml", "--against", "x"], "--against does not go with it"),
      (["cart.xml", "--rules-yaml", "--property", "a=b"], "--property does not go with it"),
      (["cart.xml", "--rules-yaml", "--style", "sensors", "--rules", "x"], "--style does not go with --rules"),
    ])
  func usage(arguments: [String], message: String) throws {
    let result = try Tool.run(["suggest", "--all"] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test("the options of --all need --all", arguments: [["--names", "{page}"], ["--words", "x"], ["--rules", "x"]])
  func alone(arguments: [String]) throws {
    let result = try Tool.run(["suggest", "cart.xml", "75"] + arguments)
    #expect(result.status == 64 && result.errors.contains("\(arguments[0]) goes with --all"), "\(result.errors)")
  }

  @Test("a style that cannot serve the capture says so")
  func style() throws {
    let result = try Tool.run(["suggest", "--all", "cart.xml", "--rules-yaml", "--style", "growingio-android"])
    #expect(result.status == 1 && result.errors.contains("cannot serve this capture"), "\(result.errors)")
  }
}
