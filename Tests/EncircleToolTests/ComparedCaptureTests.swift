import EncircleTestSupport
import Foundation
import Testing

/// The captures that `encircle diff` compares, and the rules that it can judge by them.
@Suite struct ComparedCaptureTests {
  @Test("a note names captures that the style of the rules cannot serve, so that no rule is compared on them")
  func unservedCapture() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write(
      "pay.yaml", "version: 1\nstyle: sensors\nrules:\n  - { id: pay, include: { selector: UIWindow/UIButton } }\n")
    let capture = PackageFolder.viewTrees.appendingPathComponent("settings.wda.xml")
    try folder.write("settings.wda.xml", PackageFolder.bytes(capture))
    let result = try folder.run("diff settings.wda.xml settings.wda.xml --rules pay.yaml")
    let note = "settings.wda.xml: note: no rules compared: a style of the rules cannot serve this capture: "
    #expect(result.errors.contains(note), "\(result.errors)")
    try folder.write("served.xml", viewTree("<view class='UIWindow'><view class='UIView' controller='Pay'/></view>"))
    let served = try folder.run("diff served.xml served.xml --rules pay.yaml")
    #expect(!served.errors.contains("cannot serve"), "\(served.errors)")
  }

  @Test("a note names the styles in which rules are not compared, because another one for the platform comes first")
  func otherStyles() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    func rule(_ style: String) -> String {
      "version: 1\nstyle: \(style)\nrules:\n  - { id: \(style), include: { selector: UIButton(0) } }\n"
    }
    for style in ["lede", "sensors", "sensors-android"] { try folder.write("rules/\(style).yaml", rule(style)) }
    try folder.write(
      "pay.xml",
      viewTree("<view class='UIWindow'><view class='UIView' controller='Pay'><view class='UIButton'/></view></view>"))
    let note = "note: rules are compared in style lede, and not those for the same platform in style sensors:"
    let result = try folder.run("diff pay.xml pay.xml --rules rules")
    #expect(result.errors.contains(note), "\(result.errors)")
    let alone = try folder.run("diff pay.xml pay.xml --rules rules/sensors.yaml --rules rules/sensors-android.yaml")
    #expect(alone.errors.isEmpty, "\(alone.errors)")
  }

  @Test("rules are not called whole if the captures with their elements have no counterpart")
  func withoutCounterpart() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    func page(_ name: String) -> String {
      viewTree(
        "<view class='UIWindow'><view class='\(name)View' controller='\(name)'><view class='UIButton'/></view></view>")
    }
    try folder.write("old/cart.xml", page("Cart"))
    try folder.write("old/help.xml", page("Help"))
    try folder.write("new/cart.xml", page("Cart"))
    try folder.write("new/support.xml", page("Support"))
    try folder.write(
      "both.yaml",
      "version: 1\nrules:\n  - { id: pay, include: { selector: CartView/UIButton } }\n"
        + "  - { id: write, include: { selector: HelpView/UIButton } }\n")
    let result = try folder.run("diff old new --rules both.yaml")
    #expect(result.text.contains("1 rule compared, none breaks"), "\(result.text)")
    #expect(
      result.errors.contains("note: write is not compared: the captures with its elements have no counterpart"),
      "\(result.errors)")
  }

  @Test("web pages are paired by their texts, and the elements whose taps an SDK would track are listed")
  func webPages() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    func page(_ title: String, _ text: String, _ button: String) -> String {
      "<!doctype html><html><head><title>\(title)</title></head><body><div><p>\(text)</p><button>\(button)</button></div></body></html>"
    }
    try folder.write("old/cart.html", page("Cart", "Tea", "Pay"))
    try folder.write("old/help.html", page("Help", "Delivery", "Write to us"))
    try folder.write("new/1-help.html", page("Help", "Delivery", "Write to us"))
    try folder.write("new/2-cart.html", page("Cart", "Tea", "Pay now"))
    let text = try folder.run("diff old new").text
    #expect(text.contains("old/help.html → new/1-help.html: 7 elements as they were"), "\(text)")
    #expect(text.contains("old/cart.html → new/2-cart.html: 6 elements as they were, 1 changed"), "\(text)")
    #expect(text.contains("  changed: button Pay  element 6 → 6"), "\(text)")
    #expect(text.contains("\n    text Pay → Pay now\n"), "\(text)")
  }

  @Test(
    "an element that has changed is listed with what differs",
    arguments: [
      ("title='Buy' actions='buy:'", "title='Pay' actions='buy:'", "title Buy → Pay"),
      ("title='Buy' identifier='a'", "title='Buy' identifier='b'", "identifier a → b"),
      ("title='Buy' actions='buy:'", "title='Buy' actions='pay:'", "actions buy: → pay:"),
      ("title='Buy' label='Buy all'", "title='Buy'", "label Buy all lost"),
      ("title='Buy'", "title='Buy' label='Buy all'", "label Buy all added"),
    ])
  func changed(old: String, new: String, difference: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    for (name, attributes) in [("old.xml", old), ("new.xml", new)] {
      try folder.write(
        name,
        viewTree(
          "<view class='UIWindow' frame='0 0 390 844'><view class='UIView' frame='0 0 390 844' controller='Cart'>"
            + "<view class='UIButton' frame='10 50 100 40' \(attributes)/></view></view>"))
    }
    let text = try folder.run("diff old.xml new.xml").text
    #expect(text.contains("  changed: UIButton Buy  element 2 → 2"), "\(text)")
    #expect(text.contains("\n    \(difference)\n"), "\(text)")
    let markdown = try folder.run("diff old.xml new.xml --format markdown").text
    #expect(markdown.contains("| changed | `UIButton Buy`<br>`\(difference)` |  |"), "\(markdown)")
  }
}
