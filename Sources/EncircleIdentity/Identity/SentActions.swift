import EncircleText
import EncircleTree

extension IdentifiedTree {
  /// Returns the actions that events of an element carry, joined by `,`; nil if they carry none.
  package func sentActions(of element: ElementID) -> UTF8String? {
    guard isNavigationBarItem(element), let actions = tree.value(.actions, of: element) else { return nil }
    let names = actions.utf8.split(whereSeparator: isWhiteSpace).map { String(Substring($0)) }
    return names.isEmpty ? nil : UTF8String(names.joined(separator: ","))
  }
}
