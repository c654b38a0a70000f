import EncircleAuthoring
import EncircleIdentity
import EncircleSDK
import EncircleText
import EncircleTree

/// The elements of a running app's screen as JSON: the members of a stored capture's elements, and the SDK's facts about them.
enum LiveElements {
  /// - Complexity: O(elements · depth).
  static func json(of snapshot: SnapshotScreen) -> [UInt8] {
    let elements = ScreenElements(of: snapshot.identified)
    var json = JSONBuilder()
    json.array(Array(snapshot.identified.tree.elements)) { element, json in
      let facts = snapshot.facts[element.index]
      json.object {
        elements.write(element, to: &$0)
        $0.nullable("level", facts.level)
        $0.member("listed", facts.isListed)
        $0.member("visible", facts.frame != nil)
        $0.member("tappable", facts.isTappable)
        $0.nullable("element_path", facts.path)
        $0.nullable("element_position", facts.position)
        $0.nullable("screen_name", facts.screenName)
      }
    }
    return json.bytes
  }
}
