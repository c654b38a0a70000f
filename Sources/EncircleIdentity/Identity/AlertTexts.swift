import EncircleTree

extension IdentifiedTree {
  /// Returns the title and message of the alert around an element, each nil if the alert has none; nil outside of alerts.
  public func alertTexts(of element: ElementID) -> (title: String?, message: String?)? {
    let alert = structure.alerts[element.index]
    guard alert >= 0 else { return nil }
    let view = ElementID(rawValue: alert)
    return (tree.value(.title, of: view), tree.value(.message, of: view))
  }

  /// The number of elements in alerts.
  package var alertElementCount: Int { structure.alerts.count { $0 >= 0 } }
}
