import Foundation
import Testing
import UIKit

@testable import EncircleProbe

@MainActor @Suite struct CaptureTests {
  /// Returns the XML that the probe writes for windows.
  static func write(_ windows: [UIWindow]) -> String {
    var writer = ViewWriter(imageName: nil)
    writer.write(WindowTree(windows, isPrivate: nil), header: [("os", "iOS"), ("osVersion", "17.2")])
    return writer.xml.text
  }

  @Test(
    "captures that the probe writes have the identities of those whose views it found",
    .enabled(if: Repository.tool != nil, "ENCIRCLE does not name the tool"),
    arguments: ["hubbledata", "sensors", "growingio", "posthog"])
  func identities(style: String) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let copies = try Repository.captures.map { file in
      let root = try XMLNode.parse(Data(contentsOf: file))
      let loader = CaptureLoader(root)
      var writer = ViewWriter(imageName: nil)
      let header = ["os", "osVersion", "app", "appVersion"].map { (name: $0, value: root.attributes[$0]) }
      writer.write(WindowTree(loader.windows, isPrivate: nil), header: header)
      let copy = directory.appendingPathComponent(file.lastPathComponent)
      try Data(writer.xml.text.utf8).write(to: copy)
      return copy
    }
    let expected = try Repository.resolve(Repository.captures, style: style)
    let actual = try Repository.resolve(copies, style: style)
    // PostHog and GrowingIO have no path for elements of captures without controllers.
    #expect(expected.count == actual.count && expected.count > 1000)
    var differences: [String] = []
    for (expected, actual) in zip(expected, actual) {
      let name = expected["class"] as? String ?? ""
      var keys = [
        "element", "class", "path", "controller", "page", "identity", "event_id", "trackable", "type", "kind", "style",
        "style_id", "position", "section", "row", "item", "frame", "screenTitle", "switchState", "selectedIndex",
        "element_type", "title",
      ]
      // UIKit provides the texts of these classes. For others, captures may have texts from elsewhere.
      if ["UILabel", "UIButton", "UIButtonLabel", "UISwitch", "PrimaryButton"].contains(name) {
        keys.append("content")
      }
      // A capture may lack a frame, a view has one.
      if expected["frame"] == nil { keys.removeAll { $0 == "frame" } }
      for key in keys where "\(expected[key] ?? "")" != "\(actual[key] ?? "")" {
        let file = URL(fileURLWithPath: expected["capture"] as? String ?? "").lastPathComponent
        differences.append(
          "\(file) \(expected["element"] ?? "") \(key): \(expected[key] ?? "") became \(actual[key] ?? "")")
      }
    }
    #expect(differences == [])
  }

  @Test(
    "views that an app made have the identities that its SDK computes",
    .enabled(if: Repository.tool != nil, "ENCIRCLE does not name the tool"))
  func builtByHand() throws {
    let frame = CGRect(x: 0, y: 0, width: 390, height: 844)
    let window = UIWindow(frame: frame)
    let page = UIView(frame: frame)
    let table = UITableView(frame: frame)
    let row = UITableViewCell(frame: frame)
    let button = UIButton(frame: frame)
    let controller = UIViewController()
    row.standInClassNames = ["Shop.OrderCell", "UITableViewCell", "UIView", "UIResponder", "NSObject"]
    controller.standInClassNames = ["Shop.OrderPage", "UIViewController", "UIResponder", "NSObject"]
    controller.standInLoad(page)
    window.addSubview(page)
    page.addSubview(UIView(frame: frame))
    page.addSubview(table)
    table.addSubview(row)
    row.addSubview(button)
    table.standInIndexPaths[ObjectIdentifier(row)] = [1, 7]
    button.currentTitle = "再次购买"
    button.addTarget(Target(), action: "buyAgain:", for: .touchUpInside)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".xml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(Self.write([window]).utf8).write(to: file)
    let element = try #require(try Repository.resolve([file], style: "hubbledata").last)
    let path = "UIWindow(0)_UIView(0)_UITableView(0)_Shop.OrderCell(section:1 row:7)_UIButton(0)"
    #expect(element["identity"] as? String == "path(\(path))&controller(Shop.OrderPage)")
    #expect(element["content"] as? String == "再次购买")
    #expect(element["trackable"] as? Bool == true)
  }

  @Test("a capture that the probe writes has every attribute that UIKit reports", arguments: Repository.captures)
  func attributes(file: URL) throws {
    let root = try XMLNode.parse(Data(contentsOf: file))
    let loader = CaptureLoader(root)
    let tree = WindowTree(loader.windows, isPrivate: nil)
    let written = try XMLNode.parse(Data(Self.write(loader.windows).utf8))
    let nodes = root.all.dropFirst()
    let copies = written.all.dropFirst()
    #expect(nodes.count == copies.count && copies.count == tree.nodes.count)
    var missing: [String] = []
    for (i, (node, copy)) in zip(nodes, copies).enumerated() {
      var names = [
        "class", "controller", "frame", "gestures", "enabled", "hidden", "alpha", "tag", "reactTag", "nativeID",
      ]
      let view = tree.nodes[i].view
      if tree.nodes[i].privacy == .open {
        names += ["controllerTitle", "message", "identifier"]
        if !tree.nodes[i].holdsInput { names.append("label") }
        if view is UILabel { names.append("text") }
        if view is UIButton || view.next is UIAlertController { names.append("title") }
        if view is UIButton || view is UIImageView { names.append("imageName") }
      }
      if view is UIControl { names += ["actions", "selected"] }
      if view is UITableViewCell || view is UICollectionViewCell { names.append("indexPath") }
      if view is UITableViewHeaderFooterView { names += ["section", "role"] }
      if tree.nodes[i].privacy == .open {
        if view is UISwitch { names.append("on") }
        if view is UISegmentedControl || view is UIPageControl || view is UITabBar { names.append("selectedIndex") }
        if view is UIStepper || view is UISlider { names.append("value") }
      }
      for name in names {
        guard let value = node.attributes[name], copy.attributes[name] != value else { continue }
        if (name == "enabled" && value == "true") || (name == "tag" && value == "0") { continue }
        missing.append("\(i) \(name)=\(value) became \(copy.attributes[name] ?? "nothing")")
      }
    }
    #expect(missing == [])
  }

  @Test("nothing that somebody typed is in a capture that the probe writes", arguments: Repository.captures)
  func typedText(file: URL) throws {
    let loader = CaptureLoader(try XMLNode.parse(Data(contentsOf: file)))
    #expect(!Self.write(loader.windows).contains("do-not-leak"))
  }
}
