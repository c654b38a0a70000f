import EncircleEvents
import EncircleText
import EncircleTree

/// The anchors of rules, in a file beside them: JSON Lines, which `docs/drift.md` describes.
///
/// The first line identifies the format; every further line is a screen. A view takes some tens of bytes, because its names and
/// texts are numbers in the table of its screen.
public struct AnchorFile: Sendable {
  /// The version of the format that is written.
  public static let version = 1
  /// The ending of the file's name.
  public static let fileExtension = "anchors"

  public var anchors: [Anchor]

  public init(_ anchors: [Anchor] = []) { self.anchors = anchors }

  /// Replaces the anchors of the rules that `new` names, separately for each platform. Screens that no rule needs any more are
  /// removed.
  ///
  /// - Parameter new: The new anchors; no rule may be in two of them that are of one platform.
  /// - Complexity: O(elements of all anchors).
  public mutating func set(_ new: [Anchor]) {
    let rules = Dictionary(grouping: new) { $0.tree.isAndroid }.mapValues { Set($0.flatMap(\.rules)) }
    for number in anchors.indices {
      let replaced = rules[anchors[number].tree.isAndroid] ?? []
      anchors[number].rules.removeAll { replaced.contains($0) }
    }
    var places: [[UInt8]: Int] = [:]
    for (number, anchor) in anchors.enumerated().reversed() {
      places[Self.line(anchor, withRules: false)] = number
    }
    for anchor in new {
      let written = Self.line(anchor, withRules: false)
      if let same = places[written] {
        anchors[same].rules = (anchors[same].rules + anchor.rules).sorted()
      } else {
        places[written] = anchors.count
        anchors.append(anchor)
      }
    }
    anchors.removeAll { $0.rules.isEmpty }
  }

  /// Removes all rules but these, and the screens that are then without a rule.
  public mutating func keepRules(_ rules: Set<UTF8String>) {
    for number in anchors.indices { anchors[number].rules.removeAll { !rules.contains($0) } }
    anchors.removeAll { $0.rules.isEmpty }
  }

  // MARK: - Writing

  /// The file.
  ///
  /// - Complexity: O(elements + bytes).
  public var text: String {
    var json = JSONBuilder()
    json.object { $0.member("encircle_anchors", Self.version) }
    var text = json.line
    for anchor in anchors {
      text += String(decoding: Self.line(anchor, withRules: true), as: UTF8.self) + "\n"
    }
    return text
  }

  private static func line(_ anchor: Anchor, withRules: Bool) -> [UInt8] {
    let tree = anchor.tree
    var table = AnchorTable()
    var views = JSONBuilder()
    var open: [ElementID] = []
    views.array(Array(tree.elements)) { element, json in
      var closed = 0
      while let last = open.last, tree.subtreeEnd(of: last) <= element {
        open.removeLast()
        closed += 1
      }
      open.append(element)
      json.bytes.append(UInt8(ascii: "["))
      json.value(closed)
      func number(_ number: Int) {
        json.bytes.append(UInt8(ascii: ","))
        json.value(number)
      }
      number(table.string(tree.className(of: element)))
      if let frame = tree.frame(of: element) {
        json.bytes.append(UInt8(ascii: ","))
        json.array([frame.x, frame.y, frame.width, frame.height]) { $1.value($0) }
      }
      for (name, value) in tree.attributes(of: element) {
        number(table.attribute(name))
        number(table.string(value))
      }
      json.bytes.append(UInt8(ascii: "]"))
    }
    var json = JSONBuilder()
    json.object { json in
      json.member("capture", anchor.capture)
      json.member("page", anchor.page)
      if withRules { json.array("rules", anchor.rules) { $1.value($0.text) } }
      json.member("format", tree.format.rawValue)
      for (name, path) in AnchorHeader.members { json.member(name, tree.header[keyPath: path]) }
      json.array("attributes", table.attributes) { $1.value($0) }
      json.array("strings", table.strings) { $1.value($0) }
      json.key("views")
      json.bytes.append(contentsOf: views.bytes)
    }
    return json.bytes
  }
}

/// The members of a screen that are its header.
enum AnchorHeader {
  static let members: [(String, WritableKeyPath<ViewTree.Header, String?> & Sendable)] = [
    ("app", \.app), ("app_version", \.appVersion), ("os", \.os), ("os_version", \.osVersion), ("screen", \.screen),
    ("captured_at", \.capturedAt),
  ]
}

/// The names and texts of a screen, in the order of first occurrence.
private struct AnchorTable {
  private(set) var strings: [String] = []
  private(set) var attributes: [String] = []
  private var numbers: [UTF8String: Int] = [:]
  private var attributeNumbers: [UTF8String: Int] = [:]

  mutating func string(_ text: String) -> Int { Self.number(text, &strings, &numbers) }
  mutating func attribute(_ name: String) -> Int { Self.number(name, &attributes, &attributeNumbers) }

  private static func number(_ text: String, _ list: inout [String], _ numbers: inout [UTF8String: Int]) -> Int {
    let key = UTF8String(text)
    if let known = numbers[key] { return known }
    numbers[key] = list.count
    list.append(text)
    return list.count - 1
  }
}
