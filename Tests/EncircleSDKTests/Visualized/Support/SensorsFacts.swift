import EncircleIdentity
import EncircleTree

@testable import EncircleSDK

extension SnapshotScreen {
  /// The listed elements whose path, position or page in the `sensors` style is not what the SDK has said.
  var differences: [String] {
    let chains = PathChains(of: identified)
    let style = SensorsStyle(isExact: false)
    var differences: [String] = []
    for element in identified.tree.elements {
      let fact = facts[element.index]
      guard fact.isListed, let path = fact.path, !path.contains(" > ") else { continue }
      let chain = chains.chain(to: element)
      let own = style.path(of: chain)?.written
      if own != path { differences.append("\(path) is \(own ?? "-")") }
      let position = style.position(in: chain)
      if position != fact.position { differences.append("\(path) at \(fact.position ?? "-") is at \(position ?? "-")") }
      let page = identified.page(of: element, in: .sensors)
      if page != fact.screenName { differences.append("\(path) on \(fact.screenName ?? "-") is on \(page ?? "-")") }
    }
    return differences
  }
}
