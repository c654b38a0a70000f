import Foundation
import Testing

/// These tests check that `encircle lookup` and `check` report an event ID that means another element in a later version.
@Suite struct ReusedIDTests {
  @Test("lookup and check say that an event ID means another element in a later version")
  func reusedIDs() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    func bar(_ version: String, _ buttons: [String], app: String = "com.example.shop") -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      return """
        <viewTree version="1" app="\(app)" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          <view class='UIView' controller='OrderController' frame='0 0 390 844'><view class='UILabel' text='Your order' frame='0 0 390 40'/>
            <view class='OrderBar' frame='0 700 390 80'>\(views)</view></view></view></viewTree>

        """
    }
    try folder.write("screens/a.xml", bar("5.9", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", bar("5.10", ["Pay"]))
    let resolved = try folder.run("resolve screens/a.xml --format ndjson --only trackable")
    let id = try #require(resolved.text.firstMatch(of: /"element":4,.*?"event_id":"([0-9a-f]{64})"/)?.1)
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    let text = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens").text
    #expect(text.contains("UIButton Cancel  screens/a.xml element 4"), "\(text)")
    #expect(text.contains("another element: UIButton Pay  screens/b.xml element 4"), "\(text)")
    let json = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens --format ndjson").text
    #expect(json.contains(#""reused":[{"before":{"app_version":"5.9""#), "\(json)")
    try folder.write("pay.yaml", "version: 1\nrules:\n  - id: cancel\n    include: { eventID: \(id) }\n")
    let check = try folder.run("check pay.yaml --captures screens --codes reused-id")
    #expect(check.text.contains("in version 5.10 the event ID means another element, UIButton Pay"), "\(check.text)")
    // The page of another app with the same classes is no later version of it.
    try folder.write("apps/a.xml", bar("5.9", ["Cancel", "Pay"]))
    try folder.write("apps/lite.xml", bar("6.0", ["Pay"], app: "com.example.shop.lite"))
    let apps = try folder.run("check pay.yaml --captures apps --codes reused-id")
    #expect(apps.status == 0 && !apps.text.contains("reused-id"), "\(apps.text)")
  }

  @Test("check and lookup say so, too, if another page was captured in a version between")
  func reusedIDsAcrossVersions() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    func page(_ controller: String, _ version: String, _ buttons: [String]) -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      return """
        <viewTree version="1" app="com.example.shop" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          <view class='UIView' controller='\(controller)' frame='0 0 390 844'><view class='UILabel' text='Yours' frame='0 0 390 40'/>
            <view class='Bar' frame='0 700 390 80'>\(views)</view></view></view></viewTree>

        """
    }
    try folder.write("screens/a.xml", page("OrderController", "5.1", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", page("HelpController", "5.2", ["Write"]))
    try folder.write("screens/c.xml", page("OrderController", "5.3", ["Pay"]))
    func id(_ file: String) throws -> String {
      let resolved = try folder.run("resolve screens/\(file) --format ndjson --only trackable")
      return String(try #require(resolved.text.firstMatch(of: /"element":4,.*?"event_id":"([0-9a-f]{64})"/)?.1))
    }
    let cancel = try id("a.xml")
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    let text = try folder.run("lookup \(cancel) --dictionary ids.encircle --captures screens").text
    #expect(text.contains("another element: UIButton Pay  screens/c.xml element 4"), "\(text)")
    try folder.write(
      "pay.yaml",
      "version: 1\nrules:\n  - { id: cancel, include: { eventID: \(cancel) } }\n"
        + "  - { id: write, include: { eventID: \(try id("b.xml")) } }\n")
    let check = try folder.run("check pay.yaml --captures screens --codes reused-id")
    #expect(check.text.contains("in version 5.3 the event ID means another element, UIButton Pay"), "\(check.text)")
  }

  @Test("lookup says so for each of several event IDs that share the ID of another style")
  func reusedIDsOfAnotherStyle() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    func bars(_ version: String, _ buttons: [String]) -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      let bar = "<view class='OrderBar' controller='OrderController' frame='0 0 390 80'>\(views)</view>"
      return """
        <viewTree version="1" app="com.example.shop" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          \(bar)\(bar)</view></viewTree>

        """
    }
    try folder.write("screens/a.xml", bars("5.9", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", bars("5.10", ["Pay"]))
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    // The MD5 of `OrderController-UIButton & 0-0`.
    let id = "cb3d4f632f0635a6d69ed81ef6ab819b"
    let found = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens --format ndjson").text
    let element = try #require(try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [String: Any])
    let others = try #require(element["others"] as? [[String: Any]])
    #expect(others.count == 1)
    for element in [element] + others {
      let reused = try #require(element["reused"] as? [[String: Any]])
      #expect((reused.first?["before"] as? [String: Any])?["title"] as? String == "UIButton Cancel")
    }
  }
}
