import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree

extension ScreenElements {
  /// Writes all elements as the elements of a JSON array.
  ///
  /// - Complexity: O(length of all paths and contents).
  func writeAll(to json: inout JSONBuilder) {
    screen.forEachIdentity { element, path, _, eventID in
      json.element { write(element, path: path, eventID, to: &$0) }
    }
  }

  /// Writes the members of an element.
  ///
  /// - Complexity: O(length of its identity and content).
  func write(_ element: ElementID, to json: inout JSONBuilder) {
    let path = Array(screen.path(of: element).written(.underscores).utf8)
    path.withUnsafeBufferPointer { write(element, path: $0, screen.eventID(of: element), to: &json) }
  }

  private func write(
    _ element: ElementID, path: UnsafeBufferPointer<UInt8>, _ eventID: EventID, to json: inout JSONBuilder
  ) {
    let type = types[element.index]
    json.member("element", element.index)
    json.nullable("parent", screen.tree.parent(of: element)?.index)
    json.member("depth", Int(depths[element.index]))
    json.member("class", screen.className(of: element))
    json.member("frame") { json in
      guard let frame = frames[element] else { return json.null() }
      json.array([frame.x, frame.y, frame.width, frame.height]) { $1.value($0) }
    }
    json.member("path", path)
    json.nullable("page", screen.page(of: element))
    json.nullable("controller", screen.controller(of: element))
    json.nullable("type", type?.sent.rawValue)
    json.nullable("kind", type?.rawValue)
    json.nullable("tracked", tracked[element.index] < 0 ? nil : Int(tracked[element.index]))
    json.member("event_id", eventID)
    json.nullable("content", content(of: element))
    json.member("hidden", hidden[element.index])
    json.nullable("list_position", listPosition(of: element))
    json.member("z_order", Int(zOrder[element.index]))
  }

  /// Returns the place in the nearest list, `section:row`, as events contain it.
  private func listPosition(of element: ElementID) -> String? {
    switch screen.cellLocator(of: element) {
    case .row(let section, let row)?: "\(section):\(row)"
    case .item(let section, let item)?: "\(section):\(item)"
    default: nil
    }
  }
}
