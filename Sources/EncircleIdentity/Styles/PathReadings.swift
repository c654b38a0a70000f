import EncircleText
import EncircleTree

/// The paths that the text of an event's path may stand for. A selector matches the event if it matches one of them.
package struct PathReadings: Sendable {
  package var graph: PathGraph
  /// This is true if the text is ambiguous. Otherwise the paths are several forms of one path.
  package var isAmbiguous: Bool
  /// The page, or nil if the path does not name it.
  package var page: String?
}

extension PathStyle {
  /// Parses the path of an event.
  ///
  /// Paths in most styles do not show whether a cell belongs to a table or to a collection. Usually the classes of the cell and of the
  /// elements around it decide; otherwise the cell is read both with a row and with an item. A component with an Android resource id is
  /// read both with the id as part of the class name, `Button#pay`, and without it.
  ///
  /// - Parameters:
  ///   - text: The path. In the styles `growingio` and `growingio-android`, it is `xpath`, or both lists with ` & ` between
  ///     them.
  ///   - indexes: `xcontent` of these styles, if the event has it separately.
  ///   - position: `$element_position` of the styles `sensors` and `sensors-android`, and `index` of `growingio` and
  ///     `growingio-android`, which replace the `-` in the path.
  ///   - properties: In style `sensors-web`, the other properties that describe the element; `indexes` is then `$element_selector`.
  ///   - hierarchy: The class hierarchy, which determines the classes of cells.
  ///   - inAnyRow: True if rows of Android's lists are read as any row, whatever `position` and path say.
  /// - Throws: A ``PathStyleError`` if the text is not a path of the style.
  /// - Complexity: O(length), except for ambiguous paths of style `hubbledata`, which take as long as in
  ///   ``ElementPath/init(parsing:notation:vocabulary:)``.
  package func readings(
    of text: UnsafeBufferPointer<UInt8>, indexes: UnsafeBufferPointer<UInt8>? = nil,
    position: UnsafeBufferPointer<UInt8>? = nil, properties: WebProperties? = nil,
    vocabulary: ClassVocabulary? = nil, hierarchy: ClassHierarchy = .builtIn, inAnyRow: Bool = false
  ) throws(PathStyleError) -> PathReadings {
    guard !text.isEmpty else { throw PathStyleError(.empty, offset: 0) }
    guard text.count + (indexes?.count ?? 0) <= ElementPath.maximumLength else {
      throw PathStyleError(.tooLong, offset: ElementPath.maximumLength)
    }
    if name == .hubbleData {
      let graph = try HubbleDataStyle.graph(text, vocabulary)
      return PathReadings(graph: graph, isAmbiguous: graph.count > 1, page: nil)
    }
    // A style for apps would read a path of a web page as one strange class name.
    if !name.isWeb, StyleText.isPagePath(text) { throw PathStyleError(.webPath, offset: 0) }
    var styled: StyledPath
    if name == .growingIO, let indexes {
      styled = try GrowingIOStyle.read(StyleText.Lists(xpath: text, xcontent: indexes))
    } else if name == .growingIOAndroid, let indexes {
      styled = try GrowingIOAndroidStyle.read(StyleText.Lists(xpath: text, xcontent: indexes))
    } else {
      // Only paths of style hubbledata have several readings.
      styled = try read(text, vocabulary: vocabulary)[0]
    }
    if name == .sensorsWeb {
      if let indexes { SensorsWebStyle.add(selector: indexes, to: &styled) }
      if let properties { SensorsWebStyle.add(properties, to: &styled) }
    }
    styled.removeObservations()
    if inAnyRow, name.isAndroid {
      styled.openRows(hierarchy)
    } else if let position {
      styled.fill(position: position)
    }
    let graph = PathGraph(styled.forms(hierarchy).map { .component($0) })
    return PathReadings(graph: graph, isAmbiguous: false, page: styled.page)
  }
}

extension PathComponent {
  /// Returns the form of a component in paths of texts: the likeliest one, which comes first, but without a resource id.
  static func plain(of forms: [PathComponent]) -> PathComponent? {
    // Forms with and without a resource id have the same locator.
    forms.first?.locator == forms.last?.locator ? forms.last : forms.first
  }

  /// Returns the forms of a component of a dictionary's path. In the styles of Android, one with a resource id also has the form
  /// without it.
  package func forms(in style: PathStyleName) -> [PathComponent] {
    guard style.isAndroid, let sign = className.utf8.firstIndex(of: UInt8(ascii: "#")) else { return [self] }
    return [self, PathComponent(String(Substring(className.utf8[..<sign])), locator)]
  }
}

extension StyledPath {
  /// Replaces classes made by key-value observing with the classes in the app's source.
  fileprivate mutating func removeObservations() {
    for i in components.indices where components[i].className.utf8.first == UInt8(ascii: "N") {
      components[i].className.withUTF8 { name in
        RuntimeSubclass.isObservation(name)
          ? String(decoding: name.part(RuntimeSubclass.writtenClass(in: name)), as: UTF8.self) : nil
      }.map { components[i].className = $0 }
    }
  }

  /// Replaces the `-` in the path with the position that an event gives beside the path, if the style has such positions.
  package mutating func fill(position: UnsafeBufferPointer<UInt8>) {
    switch style {
    case .sensors: SensorsStyle.fill(&self, position: position)
    case .sensorsAndroid: SensorsAndroidStyle.fill(&self, position: position)
    case .growingIO: if let index = StyleText.number(position) { GrowingIOStyle.fill(&self, index: index) }
    case .growingIOAndroid: GrowingIOAndroidStyle.fill(&self, position: position)
    case .hubbleData, .hubbleDataAndroid, .lede, .sensorsExact, .postHog, .sensorsWeb, .postHogWeb: break
    }
  }

  /// Opens the rows that a path of Android writes as indexes: those of outer lists, and in `hubbledata-android` all.
  fileprivate mutating func openRows(_ hierarchy: ClassHierarchy) {
    for i in indexedRows(hierarchy) { components[i].place = .anyIndex }
  }

  /// Returns the numbers of the components that a path of Android writes with an index although they are rows.
  package func indexedRows(_ hierarchy: ClassHierarchy) -> [Int] {
    components.indices.dropFirst().filter { i in
      guard case .index = components[i].place, !Self.partsOfLists.contains(components[i].className) else {
        return false
      }
      return Self.isListOfRows(components[i - 1].className, hierarchy)
    }
  }

  /// Returns the forms of each component, against which selectors are matched; those without resource ids come last.
  package func componentForms(_ hierarchy: ClassHierarchy) -> [[PathComponent]] { forms(hierarchy) }

  /// Returns the forms of each component, against which selectors are matched; those without resource ids come last.
  func forms(_ hierarchy: ClassHierarchy) -> [[PathComponent]] {
    if style == .sensorsAndroid || style == .growingIOAndroid { return androidForms(hierarchy) }
    if style.isWeb {
      return components.map { component in
        [PathComponent(component.className, texts: component.attributes.web.map(ComponentTexts.init))]
      }
    }
    var list: CellKind?
    return components.map { component in
      var places = [component.place]
      // The kind of a cell, or both kinds.
      var kinds: [CellKind] {
        let kind = Self.kind(ofCell: component.className, hierarchy) ?? list
        return kind.map { [$0] } ?? [.table, .collection]
      }
      switch component.place {
      case .cell(let section, let row, nil): places = kinds.map { .cell(section: section, row: row, kind: $0) }
      case .anyCell(let section, nil): places = kinds.map { .anyCell(section: section, kind: $0) }
      default:
        if let kind = Self.kind(ofList: component.className, hierarchy) { list = kind }
      }
      let texts = ComponentTexts(text: component.attributes.text, id: component.attributes.label)
      let plain = places.map { PathComponent(component.className, $0.locator, texts: texts) }
      guard let id = component.attributes.resourceID else { return plain }
      return places.map { PathComponent(component.className + "#" + id, $0.locator) } + plain
    }
  }

  /// Returns the forms of Android components. These styles give a row only one number, so a row is both a row of section 0 and an
  /// index. If the class around it is unknown, so that the component may or may not be a row, the index comes first.
  private func androidForms(_ hierarchy: ClassHierarchy) -> [[PathComponent]] {
    var around: StyledComponent?
    return components.map { component in
      let name = component.className
      defer { around = component }
      if let id = component.attributes.resourceID {
        return [PathComponent(name + "#" + id, .none), PathComponent(name, .none)]
      }
      if case .groupChild(let group, let child) = component.place {
        return [PathComponent(name, .row(section: group, row: child))]
      }
      var number = Locator.unknown
      switch component.place.locator {
      case .index(let index): number = index
      case .row(_, let row), .item(_, let row): number = row
      case .none, .position: return [PathComponent(name, component.place.locator)]
      }
      let index = PathComponent(name, .index(number))
      // A child of a group is in the section of the group.
      if name.hasSameBytes(as: "ELVC"), case .index(let group)? = around?.place.locator {
        return [PathComponent(name, .row(section: group, row: number)), index]
      }
      let row = PathComponent(name, .row(section: 0, row: number))
      switch Self.isRow(component, in: around?.className, hierarchy) {
      case true?: return [row, index]
      case false?: return [index]
      case nil: return [index, row]
      }
    }
  }

  /// Returns whether a component is a row; nil if that is unknown.
  private static func isRow(_ component: StyledComponent, in list: String?, _ hierarchy: ClassHierarchy) -> Bool? {
    switch component.place {
    case .anyIndex, .anyCell, .cell: return true
    default: break
    }
    if rowsOfExpandableLists.contains(component.className) { return true }
    // A tag restarts the path, so the list around it is unknown, and its element may be a row.
    guard let list else { return nil }
    guard !partsOfLists.contains(list), !partsOfLists.contains(component.className) else { return false }
    func isAny(of names: [String]) -> Bool { names.contains { hierarchy.isClass(list, kindOf: $0) } }
    guard hierarchy.contains(list) else {
      return shortListNames.contains { $0.hasSameBytes(as: list) } ? true : nil
    }
    if isAny(of: listClasses) { return true }
    // The name of a fragment stands for its root view, which may be a list.
    return isAny(of: fragmentClasses) ? nil : false
  }

  /// Returns whether the children of a class, by its full or its short name, are rows. A pager has pages.
  private static func isListOfRows(_ name: String, _ hierarchy: ClassHierarchy) -> Bool {
    rowListClasses.contains { hierarchy.isClass(name, kindOf: $0) }
      || shortRowListNames.contains { $0.hasSameBytes(as: name) }
  }

  // What an expandable list has between itself and its views: groups and children, which are rows, headers and footers.
  private static let partsOfLists = rowsOfExpandableLists + ["ELH", "ELF"]
  static let rowsOfExpandableLists = ["ELVG", "ELVC"]
  private static let rowListClasses = [
    "android.widget.AdapterView", "androidx.recyclerview.widget.RecyclerView",
    "android.support.v7.widget.RecyclerView",
  ]
  // Several classes share the short names RecyclerView and ViewPager, so these are not classes of the hierarchy.
  private static let shortListNames = listClasses.map { AndroidName($0).simple }
  private static let shortRowListNames = rowListClasses.map { AndroidName($0).simple }
  private static let listClasses =
    rowListClasses + ["androidx.viewpager.widget.ViewPager", "android.support.v4.view.ViewPager"]
  private static let fragmentClasses = [
    "android.app.Fragment", "android.support.v4.app.Fragment", "androidx.fragment.app.Fragment",
  ]

  private typealias CellKind = StyledComponent.CellKind

  private static func kind(ofCell name: String, _ hierarchy: ClassHierarchy) -> CellKind? {
    if hierarchy.isClass(name, kindOf: "UITableViewCell") { return .table }
    if hierarchy.isClass(name, kindOf: "UICollectionViewCell") { return .collection }
    return nil
  }

  private static func kind(ofList name: String, _ hierarchy: ClassHierarchy) -> CellKind? {
    if hierarchy.isClass(name, kindOf: "UITableView") { return .table }
    if hierarchy.isClass(name, kindOf: "UICollectionView") { return .collection }
    return nil
  }
}
