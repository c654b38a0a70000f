import EncircleIdentity
import EncircleText
import EncircleTree

/// The places of cells around an element whose rows are not in the capture, by their classes. The index of such a cell is not a
/// place in a list: events have a row there.
struct UnknownPlaces {
  private var places: [UTF8String: Locator] = [:]

  /// Finds the cells from an element upwards.
  init(around element: ElementID, in screen: IdentifiedTree) {
    for element in screen.tree.inclusiveAncestors(of: element) {
      guard let place = screen.unknownPlace(of: element) else { continue }
      // Paths of Android have the row as an index, or beside the path.
      let written = screen.tree.isAndroid ? .index(Locator.unknown) : place
      for name in screen.writtenNames(of: element) { places[UTF8String(name)] = written }
    }
  }

  /// Returns the forms of a path's components, with any row in place of the indexes that cells happen to have in the capture.
  func forms(of path: StyledPath, _ hierarchy: ClassHierarchy) -> [[PathComponent]] {
    let forms = path.componentForms(hierarchy)
    return places.isEmpty ? forms : forms.map { $0.map(withoutIndex) }
  }

  private func withoutIndex(_ component: PathComponent) -> PathComponent {
    guard case .index = component.locator, let place = places[UTF8String(component.className)] else { return component }
    return PathComponent(component.className, place)
  }
}
