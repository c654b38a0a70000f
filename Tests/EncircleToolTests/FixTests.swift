import EncircleTestSupport
import Foundation
import Testing

/// `encircle check --fix`, `--codes` and `--diff`, and `encircle fmt --diff`, as processes.
@Suite struct FixTests {
  private static let capture = """
    <viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="CartViewController">
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 1"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 2"><view class="BuyButton"/></view>
    </view></view></viewTree>
    """

  private static let rules = """
    # The cart.
    version: 1
    rules:
      - id: buy   # 购买
        include: {page: CartViewController, selector: "CartCell(section:0 row:1)/BuyButton"}  # the button

      - id: other
        include:
          page: CartViewControler
          selector: CartCell/BuyButtn


    """

  private static let fixed = """
    # The cart.
    version: 1
    rules:
      - id: buy   # 购买
        include: {page: CartViewController, selector: "CartCell(section:0 row:1)/BuyButton"}  # the button

      - id: other
        include:
          page: CartViewController
          selector: CartCell/BuyButton


    """

  private func folder(_ rules: String = rules) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("rules.yaml", rules)
    try folder.write("capture.xml", Self.capture)
    return folder
  }

  private func check(_ arguments: String, in folder: TemporaryFolder) throws -> ToolResult {
    try Tool.run(
      ["check", "rules.yaml", "--captures", "capture.xml"] + arguments.split(separator: " ").map(String.init),
      in: folder.url)
  }

  @Test("--fix makes only edits that are certain, and a second run says and changes nothing new")
  func fix() throws {
    let folder = try folder()
    defer { folder.remove() }
    let before = try check("--codes unknown-page,exact-row,unknown-class", in: folder)
    #expect(before.errors == "3 findings: 3 warnings\n")
    let result = try check("--fix --codes unknown-page,exact-row,unknown-class", in: folder)
    #expect(result.errors == "fixed 2 findings in 1 file\n1 finding: 1 warning\n")
    #expect(try folder.text("rules.yaml") == Self.fixed)
    let after = try check("--codes unknown-page,exact-row,unknown-class", in: folder)
    // Only the author knows whether the row is intended.
    #expect(after.text.contains("warning[exact-row]") && after.text == result.text)
    let again = try check("--fix --codes unknown-page,exact-row,unknown-class", in: folder)
    #expect(again.errors == "fixed 0 findings in 0 files\n1 finding: 1 warning\n" && again.text == result.text)
    #expect(try folder.text("rules.yaml") == Self.fixed)
  }

  @Test("--fix=all lists guesses where nobody can be asked, and makes them when they are confirmed")
  func guesses() throws {
    let folder = try folder()
    defer { folder.remove() }
    let codes = "--codes unknown-page,exact-row,unknown-class"
    let shown = try check("--fix=all --diff \(codes)", in: folder)
    #expect(shown.status == 1 && shown.text.contains("row:*") && shown.text.contains("+      page: CartViewController"))
    #expect(try folder.text("rules.yaml") == Self.rules)
    let listed = try check("--fix=all \(codes)", in: folder)
    #expect(listed.errors.contains("1 correction is a guess, and not made; --yes makes it:\nrules.yaml:5:"))
    #expect(listed.errors.contains("exact-row") && listed.errors.contains("row:*"))
    #expect(try folder.text("rules.yaml") == Self.fixed)
    let made = try check("--fix=all --yes \(codes)", in: folder)
    #expect(made.errors == "fixed 1 finding in 1 file\nno findings\n")
    let freed = Self.fixed.replacing(
      "\"CartCell(section:0 row:1)/BuyButton\"", with: "CartCell(section:0 row:*)/BuyButton")
    #expect(try folder.text("rules.yaml") == freed)
    #expect(try check("--fix --yes", in: folder).status == 64)
  }

  @Test("remaining findings have their places in the file as it is now")
  func remaining() throws {
    let folder = try folder(
      """
      version: 1
      rules:
        - id: buy
          include: { page: CartViewControler, selector: GoneView }

      """)
    defer { folder.remove() }
    let result = try check("--fix --codes unknown-page,unknown-class", in: folder)
    #expect(
      result.text.hasPrefix(
        """
        rules.yaml:4:52: warning[unknown-class]: buy: no class GoneView is known in captures, rules or the system
              include: { page: CartViewController, selector: GoneView }
                                                             ^
        """), "\(result.text)")
    #expect(result.errors == "fixed 1 finding in 1 file\n1 finding: 1 warning\n")
  }

  @Test("findings in a definition are shown and fixed there, in whatever file it is")
  func definitions() throws {
    let rules = """
      version: 1
      rules:
        - { id: a, include: { page: { use: cart } } }
        - { id: b, include: { where: { amount: { use: full } } } }
        - { id: c, include: { where: { $app_version: { use: new } } } }
        - { id: d, include: { event: { use: payment } } }

      """
    let folder = try folder(rules)
    defer { folder.remove() }
    let definitions = """
      version: 1
      define:
        values:
          cart: [CartViewControler]
          full: "100"
          new: { ">=": 5.2 }
          payment: payy
      rules: []

      """
    try folder.write("define.yaml", definitions)
    let event = #"{"event":"pay","properties":{"amount":100,"$app_version":"5.2.1"}}"#
    try folder.write("events.ndjson", String(repeating: event + "\n", count: 6))
    let options = "define.yaml --events events.ndjson --codes unknown-page,unknown-event,wrong-type"
    let shown = try check(options, in: folder)
    let warnings = shown.lines.filter { $0.contains(": warning[") }
      .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    let expected = [
      "define.yaml:4:12: warning[unknown-page]: a:", "define.yaml:5:11: warning[wrong-type]: b:",
      "define.yaml:6:18: warning[wrong-type]: c:", "define.yaml:7:14: warning[unknown-event]: d:",
    ]
    #expect(warnings == expected, "\(shown.text)")
    let result = try check(options + " --fix", in: folder)
    #expect(result.errors == "fixed 4 findings in 1 file\nno findings\n", "\(result.text)\(result.errors)")
    #expect(try folder.text("rules.yaml") == rules)
    #expect(
      try folder.text("define.yaml")
        == definitions.replacing("Controler", with: "Controller").replacing("\"100\"", with: "100")
        .replacing("\">=\": 5.2", with: "version: \">=5.2\"").replacing("payy", with: "pay"))
  }

  @Test("--fix corrects a name in a list and in a test of its own")
  func namesInTests() throws {
    let rules = """
      version: 1
      rules:
        - { id: a, include: { page: [Home, CartViewControler] } }
        - { id: b, include: { page: { in: [CartViewControler, Home] } } }
        - { id: c, include: { page: { kindOf: CartViewControler, not: { suffix: Debug } } } }
        - { id: d, include: { page: { kindOf: ["CartViewControler", Home], equals: CartViewControllr } } }
        - { id: e, include: { event: [$AppStart, $AppClik] } }
        - { id: f, include: { page: [CartViewControler, CartViewController] } }

      """
    let folder = try folder(rules)
    defer { folder.remove() }
    let options = "--codes unknown-page,unknown-event"
    let shown = try check(options, in: folder)
    let places = ["3:38", "4:38", "5:41", "6:42", "6:78", "7:44", "8:32"]
    for place in places { #expect(shown.text.contains("rules.yaml:\(place): warning[unknown-"), "\(shown.text)") }
    #expect(try check(options + " --fix", in: folder).errors.hasPrefix("fixed 6 findings in 1 file\n"))
    let lines = try folder.text("rules.yaml").split(separator: "\n")
    let fixed = rules.replacing("Controler", with: "Controller").replacing("Controllr", with: "Controller")
      .replacing("Clik", with: "Click").replacing("\"CartViewController\"", with: "CartViewController")
    let expected = fixed.split(separator: "\n").dropLast()
    #expect(lines.dropLast() == expected)
    #expect(lines.last?.contains("CartViewControler, CartViewController") == true)
  }

  @Test("--fix corrects a name outside 'not', writes it once in a list, and quotes it as the file of a definition does")
  func placesOfNames() throws {
    let rules = """
      version: 1
      rules:
        - { id: a, include: { page: { not: CartViewControler, in: [CartViewControler, Home] } } }
        - { id: b, include: { page: [CartViewControler, CartViewControllr] } }
        - { id: c, include: { page: { use: carts } } }

      """
    let definitions = #"{ "version": 1, "define": { "values": { "carts": ["CartViewControler", "Home"] } } }"#
    let folder = try folder(rules)
    defer { folder.remove() }
    try folder.write("definitions.json", definitions)
    let result = try check("definitions.json --codes unknown-page --fix", in: folder)
    #expect(result.errors.hasPrefix("fixed 3 findings in 2 files\n"), "\(result.errors)")
    let fixed = rules.replacing("in: [CartViewControler", with: "in: [CartViewController")
      .replacing("page: [CartViewControler", with: "page: [CartViewController")
    #expect(try folder.text("rules.yaml") == fixed)
    #expect(try folder.text("definitions.json") == definitions.replacing("Controler", with: "Controller"))
  }

  @Test("--codes limits what is shown and fixed; for a wrong code the nearest is named")
  func codes() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try check("--fix --codes unknown-page,bare-event-id --codes out-of-time", in: folder)
    #expect(result.errors == "fixed 1 finding in 1 file\nno findings\n")
    #expect(try folder.text("rules.yaml").contains("page: CartViewController\n      selector: CartCell/BuyButtn"))
    let wrong = try check("--codes exact-row,unknown-pages", in: folder)
    #expect(wrong.status == 64)
    #expect(
      wrong.errors.contains("There is no finding 'unknown-pages'. Did you mean 'unknown-page'?"), "\(wrong.errors)")
    #expect(try check("--codes xyzzy", in: folder).errors.contains("'encircle check --list' explains all of them."))
    #expect(try check("--codes exact-row,", in: folder).status == 64)
    #expect(try check("--diff", in: folder).status == 64)
  }

  @Test("--diff shows what --fix would change and changes nothing")
  func diff() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try check("--fix --diff", in: folder)
    #expect(
      result.text
        == """
        --- rules.yaml
        +++ rules.yaml
        @@ -6,6 +6,6 @@
        ·
           - id: other
             include:
        -      page: CartViewControler
        -      selector: CartCell/BuyButtn
        +      page: CartViewController
        +      selector: CartCell/BuyButton
        ·

        """.replacing("·", with: " "), "\(result.text)")
    #expect(result.errors == "1 file would change: 2 findings would be fixed\n")
    #expect(result.status == 1)
    #expect(try folder.text("rules.yaml") == Self.rules)
    let input = try Tool.run(
      ["check", "-", "--captures", "capture.xml", "--fix", "--diff"], in: folder.url, input: Array(Self.rules.utf8))
    #expect(input.text == result.text.replacing("rules.yaml", with: "<stdin>") && input.status == 1)
    #expect(try check("--fix --fail-on never", in: folder).status == 0)
    let none = try check("--fix --diff --codes exact-row", in: folder)
    #expect(none.text.isEmpty && none.status == 0)
  }

  @Test("--fix corrects the notation of a locator, but changes no number")
  func locators() throws {
    let folder = try folder(
      """
      version: 1
      rules:
        - { id: a, include: { selector: CartCell(section:0 item:1)/BuyButton(0) } }
        - { id: b, include: { selector: CartCell(section:4 row:1)/BuyButton(0) } }
        - { id: c, include: { selector: BuyButton(1) } }

      """)
    defer { folder.remove() }
    _ = try check("--fix --codes matches-nothing", in: folder)
    let text = try folder.text("rules.yaml")
    #expect(text.contains("CartCell(section:0 row:1)/BuyButton(0)"))
    #expect(text.contains("CartCell(section:4 row:1)/BuyButton(0)") && text.contains("BuyButton(1)"))
  }

  @Test("edits that overlap are made one after the other, in one run")
  func overlapping() throws {
    let folder = try folder(
      "version: 1\nrules:\n  - id: a\n    include: { selector: \"CartCel(section:0 row:1)/BuyButtn\" }\n")
    defer { folder.remove() }
    _ = try check("--fix", in: folder)
    #expect(try folder.text("rules.yaml").contains("CartCell(section:0 row:1)/BuyButton"))
    #expect(try check("--fix", in: folder).errors.hasPrefix("fixed 0 findings in 0 files\n"))
  }

  @Test("a link stays a link, the mode of a file stays, and so do line ends and a byte order mark")
  func files() throws {
    let folder = try folder()
    defer { folder.remove() }
    let rules = "\u{FEFF}" + Self.rules.replacing("\n", with: "\r\n")
    let target = try folder.write("target", rules)
    let link = folder.url.appendingPathComponent("rules.yaml")
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
    #expect(try check("--fix", in: folder).errors.hasPrefix("fixed 2 findings in 1 file\n"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    let expected = "\u{FEFF}" + Self.fixed.replacing("\n", with: "\r\n")
    #expect(try PackageFolder.bytes(target) == Array(expected.utf8))
  }

  @Test("an edit of a JSON file is JSON")
  func json() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "rules.json", #"{"version": 1, "rules": [{"id": "a", "include": {"page": "CartViewControler"}}]}"#)
    let result = try Tool.run(["check", "rules.json", "--captures", "capture.xml", "--fix"], in: folder.url)
    #expect(result.errors.hasPrefix("fixed 1 finding in 1 file\n"), "\(result.errors)")
    #expect(
      try folder.text("rules.json")
        == #"{"version": 1, "rules": [{"id": "a", "include": {"page": "CartViewController"}}]}"#)
  }

  @Test("files that cannot be changed in place stay as they are, with status 65, and the others are fixed")
  func unchangeable() throws {
    let folder = try folder()
    defer { folder.remove() }
    let compressed = gzip(Array("version: 1\nrules: [ { id: z, include: { page: CartViewControler } } ]\n".utf8))
    try folder.write("packed.yaml", compressed)
    let result = try Tool.run(
      ["check", "rules.yaml", "packed.yaml", "--captures", "capture.xml", "--fix"], in: folder.url)
    #expect(result.status == 65)
    #expect(result.errors.contains("packed.yaml: error: a compressed file cannot be changed in place\n"))
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("packed.yaml")) == compressed)
    #expect(try folder.text("rules.yaml") == Self.fixed)
    let input = try Tool.run(["check", "-", "--fix"], in: folder.url, input: Array(Self.rules.utf8))
    #expect(input.status == 64)
    let broken = try Tool.run(["check", "capture.xml", "--fix"], in: folder.url)
    #expect(broken.status == 65)
    #expect(try folder.text("capture.xml") == Self.capture)
  }

  @Test("fmt --diff shows what fmt would change, with the status of --check, and changes nothing")
  func format() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let messy = "rules:\n- include: {event: \"a\"}   # why\n  id: b\nversion: 1"
    try folder.write("a.yaml", messy)
    try folder.write("tidy.yaml", "version: 1\nrules: []\n")
    let result = try Tool.run(["fmt", "--diff", "."], in: folder.url)
    #expect(
      result.text == """
        --- ./a.yaml
        +++ ./a.yaml
        @@ -1,4 +1,4 @@
        +version: 1
         rules:
        -- include: {event: "a"}   # why
        -  id: b
        -version: 1
        \\ No newline at end of file
        +  - id: b
        +    include: { event: a } # why

        """, "\(result.text)")
    #expect(result.status == 1)
    #expect(result.errors == "1 file is not formatted\n")
    #expect(try folder.text("a.yaml") == messy)
    let input = try Tool.run(["fmt", "--diff", "-"], in: folder.url, input: Array(messy.utf8))
    #expect(input.status == 1 && input.text == result.text.replacing("./a.yaml", with: "<stdin>"))
    let tidy = try Tool.run(["fmt", "--diff", "tidy.yaml"], in: folder.url)
    #expect(tidy.status == 0 && tidy.text.isEmpty && tidy.errors.isEmpty)
  }
}
