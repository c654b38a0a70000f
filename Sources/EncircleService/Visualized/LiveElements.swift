import EncircleIdentity
import EncircleSDK
import EncircleText
import EncircleTree

/// The elements of a running app's screen as JSON: as those of a stored capture, with what the SDK says about them.
enum LiveElements {
  /// - Complexity: O(elements · depth).
  static func json(of snapshot: SnapshotScreen) -> [UInt8] {
    let elements = ScreenElements(of: snapshot.identified)
    var json: [UInt8] = [UInt8(ascii: "[")]
    for element in snapshot.identified.tree.elements {
      if element.index > 0 { json.append(UInt8(ascii: ",")) }
      elements.append(element, to: &json)
      // It is an object with members.
      json.removeLast()
      append(snapshot.facts[element.index], to: &json)
      json.append(UInt8(ascii: "}"))
    }
    json.append(UInt8(ascii: "]"))
    return json
  }

  private static func append(_ facts: SnapshotScreen.ElementFacts, to json: inout [UInt8]) {
    func member(_ name: StaticString, _ text: String?) {
      json += ",\"\(name)\":".utf8
      if let text { JSONText.append(text, to: &json) } else { json += "null".utf8 }
    }
    json += ",\"level\":\(facts.level.map(String.init) ?? "null"),\"listed\":\(facts.isListed)".utf8
    json += ",\"visible\":\(facts.frame != nil),\"tappable\":\(facts.isTappable)".utf8
    member("element_path", facts.path)
    member("element_position", facts.position)
    member("screen_name", facts.screenName)
  }
}
