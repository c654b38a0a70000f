import EncircleTestSupport
import Foundation
import Testing

/// `encircle anchor`, and `diff` and `suggest` with files of anchors, as processes.
@Suite struct AnchorToolTests {
  @Test("anchors beside the rules replace the old capture")
  func anchors() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let written = try folder.run("anchor order.yaml --captures order-v5.1.xml")
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.text.hasPrefix("order.anchors: 4 rules on 1 screen, "))
    let anchors = try PackageFolder.bytes(folder.url.appendingPathComponent("order.anchors"))
    try compareWithGolden(anchors, "order.anchors")
    let expected = try folder.run("diff order-v5.1.xml order-v5.2.xml --rules order.yaml").text
    let result = try folder.run("diff order.anchors order-v5.2.xml --rules order.yaml")
    #expect(result.text == expected && result.status == 0, "\(result.errors)")
    // Anchors are no rules: a directory with both loads.
    try folder.write("set/order.yaml", OrderRules.text)
    let inDirectory = try folder.run("anchor set --captures order-v5.1.xml").text
    #expect(inDirectory.hasPrefix("set/rules.anchors: 4 rules on 1 screen"))
    #expect(try folder.run("anchor set --captures order-v5.1.xml").status == 0)
    // Written again, they are the same.
    #expect(try folder.run("anchor order.yaml --captures order-v5.1.xml").status == 0)
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("order.anchors")) == anchors)
    // A later version in which a rule selects nothing leaves its anchor as it is.
    let later = try folder.run("anchor order.yaml --captures order-v5.2.xml")
    #expect(later.errors.contains("order.contact selects nothing"))
    #expect(try folder.text("order.anchors").contains("\"capture\":\"order-v5.1.xml\""))
  }

  @Test("rules that test values of controls, which anchors omit, are not broken by a screen that is as it was")
  func valuesOfControls() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write(
      "volume.xml",
      """
      <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="Volume">
      <view class="UISlider" value="0.5" actions="set:"/><view class="UIStepper" value="3" actions="step:"/>
      </view></view></viewTree>
      """)
    try folder.write(
      "volume.yaml",
      """
      version: 1
      rules:
        - { id: half, include: { page: Volume, where: { $element_content: "0.500000" } } }
        - { id: other, include: { selector: UIStepper }, unless: { where: { $element_content: "3" } } }
      """)
    #expect(try folder.run("anchor volume.yaml --captures volume.xml").status == 0)
    let result = try folder.run("diff volume.anchors volume.xml --rules volume.yaml")
    #expect(result.text.contains("2 rules compared, none breaks"), "\(result.text)\(result.errors)")
  }

  @Test("web pages have no anchors, which would hold too little, and a note says so")
  func webAnchors() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("page.html", "<!doctype html><body><button id='pay'>Pay</button></body>")
    try folder.write(
      "web.yaml", "version: 1\nstyle: sensors-web\nrules:\n  - { id: pay, include: { selector: '#pay' } }\n")
    let result = try folder.run("anchor web.yaml --captures page.html")
    #expect(result.text.hasPrefix("web.anchors: 0 rules on 0 screens") && result.status == 0)
    #expect(result.errors.contains("page.html: note: an anchor cannot hold a web page"), "\(result.errors)")
    let suggested = try folder.run("suggest page.html Pay --style sensors-web --rules-yaml --anchor made.anchors")
    #expect(suggested.status == 65 && suggested.errors.contains("page.html: error: an anchor cannot hold a web page"))
  }

  @Test("suggest writes the anchor of its rule")
  func suggest() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    for element in ["41", "43"] {
      let result = try folder.run("suggest order-v5.1.xml \(element) --rules-yaml --anchor made.anchors")
      #expect(result.status == 0, "\(result.errors)")
      try folder.write("made.yaml", result.output)
    }
    let lines = try folder.text("made.anchors").split(separator: "\n")
    #expect(lines.count == 2, "both rules have one screen")
    #expect(lines.last?.firstMatch(of: /"rules":\["[^"]+","[^"]+"\]/) != nil)
    let diff = try folder.run("diff made.anchors order-v5.2.xml --rules made.yaml")
    #expect(diff.status == 0 && diff.text.contains("1 rule compared"), "\(diff.errors)")
  }

  @Test(
    "other files than anchors are not overwritten, and a broken anchor file is named with its line",
    arguments: [
      ("{}\n", "is not a file of anchors"), ("{\"encircle_anchors\":2}\n", ":1: error: the version of the format is 2"),
      ("{\"encircle_anchors\":1}\n{\"capture\":1}\n", ":2: error: 'capture' is the name"),
      ("{\"encircle_anchors\":1}\n{\"capture\"\n", ":2:11: error: no JSON"),
    ])
  func broken(text: String, message: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("order.anchors", text)
    let result = try folder.run("anchor order.yaml --captures order-v5.1.xml")
    #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
    #expect(try folder.text("order.anchors") == text)
  }
}
