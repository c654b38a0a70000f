import Foundation
import Testing
import UIKit

@testable import EncircleProbe

@MainActor @Suite struct CaptureTests {
  /// Returns what the probe writes about views.
  static func write(_ windows: [UIWindow]) -> String {
    var writer = ViewWriter(imageName: nil)
    writer.write(WindowTree(windows, isPrivate: nil), header: [("os", "iOS"), ("osVersion", "17.2")])
    return writer.xml.text
  }

  @Test(
    "captures that the probe writes have the identities of those whose views it found",
    .enabled(if: Repository.tool != nil, "ENCIRCLE does not name the tool"), arguments: ["hubbledata", "sensors"])
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
    #expect(expected.count == actual.count && expected.count > 5000)
    var differences: [String] = []
    for (expected, actual) in zip(expected, actual) {
      let name = expected["class"] as? String ?? ""
      var keys = ["element", "class", "path", "controller", "page", "identity", "event_id", "trackable", "type"]
      // UIKit tells the texts of these. For other classes, captures may have them from elsewhere.
      if ["UILabel", "UIButton", "UIButtonLabel", "UISwitch", "PrimaryButton"].contains(name) {
        keys.append("content")
      }
      for key in keys where "\(expected[key] ?? "")" != "\(actual[key] ?? "")" {
        let file = URL(fileURLWithPath: expected["capture"] as? String ?? "").lastPathComponent
        differences.append(
          "\(file) \(expected["element"] ?? "") \(key): \(expected[key] ?? "") became \(actual[key] ?? "")")
      }
    }
    #expect(differences == [])
  }

  @Test("a capture that the probe writes has every attribute that UIKit tells", arguments: Repository.captures)
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
        "class", "controller", "frame", "actions", "gestures", "enabled", "hidden", "alpha", "tag", "reactTag",
        "nativeID", "section", "role", "indexPath",
      ]
      let view = tree.nodes[i].view
      if tree.nodes[i].privacy == .open {
        names += ["controllerTitle", "message", "identifier"]
        if !tree.nodes[i].holdsInput { names.append("label") }
        if view is UILabel { names.append("text") }
        if view is UIButton || view.next is UIAlertController { names.append("title") }
        if view is UIButton || view is UIImageView { names.append("imageName") }
      }
      if view is UIControl { names.append("selected") }
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
