import EncircleTree

/// A view, a view controller, or an element of a web page, as a payload lists it.
struct SnapshotObject {
  /// The class and its superclasses, nearest first; empty if the object does not state them.
  var classes: [String] = []
  /// The ids of the objects inside it.
  var subelements: [String] = []
  /// The place in the window, in points.
  var frame: Frame?
  /// The number in pre-order, from 1; later objects lie on top.
  var level: Int?
  /// `$element_path`, `$element_position` and `$element_content` of its events.
  var path: String?
  var position: String?
  var content: String?
  /// The class and title of the page.
  var screenName: String?
  var title: String?
  /// This is true if a tap on the object causes an event; nil if the message does not say.
  var isTappable: Bool?
  /// This is true if the object is an element of a web page.
  var isWeb = false
  var tagName: String?
  var elementSelector: String?
  var listSelector: String?
  /// The address and title of the web page.
  var url: String?
  var webTitle: String?
  /// The id that a developer has given the object.
  var identifier: String?

  var className: String? { classes.first }
}

extension SnapshotObject {
  /// The longest list of superclasses that is read.
  private static let superclassLimit = 40
  /// The longest name of a class, in bytes.
  private static let nameLimit = 512

  init(_ node: Int, _ json: SnapshotJSON) {
    json.forEachMember(of: node) { name, value in
      switch name {
      case "class":
        classes = []
        json.forEachElement(of: value) { element in
          if let name = json.string(element), Self.isClassName(name) { classes.append(name) }
          return classes.count < Self.superclassLimit
        }
      case "properties": readProperties(value, json)
      default: break
      }
    }
  }

  /// Returns whether a text may be the name of a class. The names of generic Swift classes contain spaces.
  private static func isClassName(_ name: String) -> Bool {
    (1...nameLimit).contains(name.utf8.count) && name.utf8.first != 0x20
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private mutating func readProperties(_ node: Int, _ json: SnapshotJSON) {
    var restorationIdentifier: String?
    json.forEachMember(of: node) { name, value in
      switch name {
      case "subelements":
        subelements = []
        json.forEachElement(of: value) { element in
          if let id = json.string(element) { subelements.append(id) }
          return true
        }
      case "frame": frame = Self.frame(value, json)
      case "element_level": level = json.integer(value)
      case "element_path": path = json.nonEmpty(value)
      case "element_position": position = json.nonEmpty(value)
      case "element_content": content = json.beginning(value).flatMap { $0.isEmpty ? nil : $0 }
      case "screen_name": screenName = json.nonEmpty(value)
      case "title": title = json.nonEmpty(value)
      case "enableAppClick": isTappable = json.bool(value)
      case "is_h5": isWeb = json.bool(value) ?? false
      case "tag_name": tagName = json.nonEmpty(value)
      case "element_selector": elementSelector = json.nonEmpty(value)
      case "url": url = json.nonEmpty(value)
      case "h5_title": webTitle = json.nonEmpty(value)
      case "list_selector": listSelector = json.nonEmpty(value)
      case "sensorsAnalyticsViewID": identifier = json.nonEmpty(value)
      case "restorationIdentifier": restorationIdentifier = json.nonEmpty(value)
      default: break
      }
    }
    identifier = identifier ?? restorationIdentifier
  }

  private static func frame(_ node: Int, _ json: SnapshotJSON) -> Frame? {
    var x: Double?
    var y: Double?
    var width: Double?
    var height: Double?
    json.forEachMember(of: node) { name, value in
      switch name {
      case "X": x = json.number(value)
      case "Y": y = json.number(value)
      case "Width": width = json.number(value)
      case "Height": height = json.number(value)
      default: break
      }
    }
    guard let x, let y, let width, let height, width >= 0, height >= 0 else { return nil }
    return Frame(x: x, y: y, width: width, height: height)
  }
}
