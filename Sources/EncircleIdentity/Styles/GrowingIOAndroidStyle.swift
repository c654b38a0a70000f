import EncircleText
import EncircleTree

/// `xpath` and `xcontent` of GrowingIO 4 for Android: the activity and the fragments, then the views of the innermost fragment.
///
/// `xpath` is a list of simple class names, and `xcontent` a list of their places: the resource id of an element if it belongs to the
/// app, else the number of earlier siblings with the same class name. A row of the innermost list has `-`, an outer row its
/// position. The place of a fragment is the resource id of its container. Written as one text, the lists have ` & ` between them.
///
/// A developer's tag restarts the path. It may contain slashes, and may have several places if its element is a row of an expandable
/// list, so the lists may differ in length. The surplus of the longer list belongs to the first component.
///
/// Source: growingio-sdk-android-autotracker 4.5.2, ViewNodeV4.java and Page.java, run over captures.
public struct GrowingIOAndroidStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .growingIOAndroid }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? { screen.unmetActivityRequirement }

  public func path(of chain: [PathNode]) -> StyledPath? {
    guard let element = chain.last, let android = element.android, !android.isIgnored else { return nil }
    var builder = PathBuilder()
    if let item = android.menuItem {
      builder.begin(Self.pages(of: chain, withFragments: false))
      builder.appendMenuItem(item)
    } else {
      builder = Self.builder(of: chain)
    }
    let own = StyledPath(.growingIOAndroid, builder.components)
    // Reading the path back splits a tag into the components that it has when an event is read.
    guard chain.contains(where: { $0.uniqueTag != nil }), var path = (try? read(own.written))?.first else { return own }
    let rest = own.components.dropFirst()
    path.components.replaceSubrange((path.components.count - rest.count)..., with: rest)
    return path
  }

  /// Returns the components of an element's views, and of the pages around them.
  private static func builder(of chain: [PathNode]) -> PathBuilder {
    var builder = PathBuilder()
    let start = chain.lastIndex { isPage($0) } ?? 0
    let root = chain[start]
    if let tag = root.uniqueTag, isPage(root) {
      builder.components = [StyledComponent(tag, .index(0))]
    } else {
      builder.begin(pages(of: chain, withFragments: true))
      builder.components.append(StyledComponent(AndroidName(root.className).simple, .index(0)))
    }
    builder.exact = builder.components
    for node in chain[(start + 1)...] {
      let android = node.android ?? AndroidNode()
      if let item = android.menuItem, android.isPopupItem {
        builder.begin(pages(of: chain, withFragments: true))
        builder.appendMenuItem(item)
      } else {
        builder.append(node, android)
      }
    }
    return builder
  }

  /// Returns `index`: the position of the innermost row, counted from 1, within the nearest list around the element inside its
  /// page. Views inside a row of a list that is itself the page's root view have none.
  public func position(in chain: [PathNode]) -> String? {
    guard let android = chain.last?.android, android.menuItem == nil else { return nil }
    var position: Int?
    var hasList = false
    let start = chain.lastIndex { Self.isPage($0) } ?? 0
    for node in chain[(start + 1)...] {
      let android = node.android ?? AndroidNode()
      hasList = hasList || android.isList
      if !hasList { position = nil }
      if android.isPopupItem, android.menuItem != nil {
        position = nil
        continue
      }
      switch android.place {
      case .row(let row, _), .page(let row), .group(let row), .child(_, let row): position = row
      case .view, .header, .footer, .refreshed: break
      }
    }
    return position.flatMap { $0 < .max ? String($0 + 1) : nil }
  }

  /// Returns the page that the SDK sends if it tracks all: the simple name of the innermost fragment that is shown, else of the
  /// activity.
  static func page(of chain: [PathNode]) -> String? {
    pages(of: chain, withFragments: chain.last?.android?.menuItem == nil).last?.className
  }

  private static func isPage(_ node: PathNode) -> Bool {
    switch node.android?.page {
    case .activity, .fragment: true
    case .hiddenFragment, nil: false
    }
  }

  private static func pages(of chain: [PathNode], withFragments: Bool) -> [StyledComponent] {
    var pages: [StyledComponent] = []
    if let owner = chain.first?.android?.owner {
      pages.append(StyledComponent(AndroidName(owner).simple, .index(0)))
    }
    for node in chain {
      guard let controller = node.controller, let page = node.android?.page else { continue }
      var component = StyledComponent(AndroidName(controller.className).simple, .index(0))
      switch page {
      case .activity: pages.append(component)
      case .fragment(let container):
        guard withFragments else { continue }
        component.setID(container)
        pages.append(component)
      case .hiddenFragment: break
      }
    }
    return pages
  }

  /// The components from the window down to an element, and the same components with positions in place of `-`.
  private struct PathBuilder {
    var components: [StyledComponent] = []
    var exact: [StyledComponent] = []

    mutating func begin(_ pages: [StyledComponent]) {
      components = pages
      exact = pages
    }

    mutating func appendMenuItem(_ item: String) {
      var component = StyledComponent("MenuItem", .index(0))
      component.setID(item.isEmpty ? nil : item)
      components += [StyledComponent("MenuView", .index(0)), component]
      exact = components
    }

    mutating func append(_ node: PathNode, _ android: AndroidNode) {
      if node.uniqueTag != nil { begin([]) }
      var own = StyledComponent(AndroidName(node.className).simple, .index(0))
      if android.hasOwnID { own.setID(node.resourceID) }
      func exactOnly(_ added: [StyledComponent], exact exactAdded: [StyledComponent]) {
        // A row starts from the exact path, so the rows around it have positions instead of `-`.
        components = exact + added
        exact += exactAdded
      }
      switch android.place {
      case .row(let row, _), .page(let row):
        let name = own.className
        exactOnly(
          [StyledComponent(name, .anyIndex)], exact: [StyledComponent(name, .cell(section: 0, row: row, kind: .table))])
      case .group(let group):
        exactOnly([StyledComponent("ELVG", .anyIndex), own], exact: [StyledComponent("ELVG", .index(group)), own])
      case .child(let group, let child):
        let outer = StyledComponent("ELVG", .index(group))
        exactOnly(
          [outer, StyledComponent("ELVC", .anyIndex), own], exact: [outer, StyledComponent("ELVC", .index(child)), own])
      case .header(let number): both([StyledComponent("ELH", .index(number)), own])
      case .footer(let number): both([StyledComponent("ELF", .index(number)), own])
      case .refreshed: both([own])
      case .view:
        if own.attributes.resourceID == nil { own.place = .index(android.nameIndex) }
        both([own])
      }
      if let tag = node.uniqueTag {
        components = [Self.joined(components, tag)]
        exact = [Self.joined(exact, tag)]
      }
    }

    private mutating func both(_ added: [StyledComponent]) {
      components += added
      exact += added
    }

    /// Returns one component for a tag, with the places of all components of its element.
    private static func joined(_ components: [StyledComponent], _ tag: String) -> StyledComponent {
      var result = StyledComponent(tag, components[0].place)
      result.attributes.resourceID = components[0].attributes.resourceID
      guard components.count > 1 else { return result }
      result.setID(components.map(GrowingIOAndroidStyle.placeText).joined(separator: "/"))
      return result
    }
  }

  // MARK: - Text

  /// Returns `xpath`: the class names, with a slash before each.
  static func xpath(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components {
      bytes.append(UInt8(ascii: "/"))
      bytes.append(contentsOf: component.className.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `xcontent`: the places, with a slash before each.
  static func xcontent(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components {
      bytes.append(UInt8(ascii: "/"))
      bytes.append(contentsOf: placeText(component).utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func placeText(_ component: StyledComponent) -> String {
    if let id = component.attributes.resourceID { return id }
    return switch component.place {
    case .index(let index), .group(let index), .listHeader(let index), .listFooter(let index),
      .sectionHeader(let index), .sectionFooter(let index), .cell(_, let index, _), .groupChild(_, let index):
      String(index)
    case .anyIndex, .anyCell: "-"
    case .none, .position: "0"
    }
  }

  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    StyleText.write(xpath: Self.xpath(of: path), xcontent: Self.xcontent(of: path), to: &bytes)
  }

  /// Parses `xpath & xcontent`.
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    [try Self.read(StyleText.Lists(text))]
  }

  /// Parses the two lists.
  static func read(_ lists: StyleText.Lists) throws(PathStyleError) -> StyledPath {
    let (names, places) = (lists.names, lists.places)
    let count = min(names.count, places.count)
    // The surplus of the longer list belongs to the first component.
    func part(_ ranges: [Range<Int>], _ i: Int) -> Range<Int> {
      let surplus = ranges.count - count
      return i == 0 ? ranges[0].lowerBound..<ranges[surplus].upperBound : ranges[surplus + i]
    }
    var components: [StyledComponent] = []
    components.reserveCapacity(count)
    for i in 0..<count {
      let name = lists.xpath.part(part(names, i))
      guard !name.isEmpty else { throw PathStyleError(.emptyComponent, offset: part(names, i).lowerBound) }
      let place = lists.xcontent.part(part(places, i))
      guard !place.isEmpty else {
        throw PathStyleError(.badIndex(""), offset: lists.offset + part(places, i).lowerBound)
      }
      var component = StyledComponent(StyleText.string(name))
      if sameBytes(place, "-") {
        component.place = .anyIndex
      } else if let index = StyleText.number(place) {
        component.place = .index(index)
      } else {
        component.setID(StyleText.string(place))
      }
      components.append(component)
    }
    return StyledPath(.growingIOAndroid, components)
  }

  /// Puts the `index` of an event, which counts from 1, in place of the `-` in its path.
  package static func fill(_ path: inout StyledPath, position: UnsafeBufferPointer<UInt8>) {
    guard let i = path.components.lastIndex(where: { $0.place == .anyIndex }), let index = StyleText.number(position),
      index > 0
    else { return }
    // A component with `-` is a row, even if the class around it is not known to be a list. Parts of expandable lists have indexes.
    let isPart = StyledPath.rowsOfExpandableLists.contains(path.components[i].className)
    path.components[i].place = isPart ? .index(index - 1) : .cell(section: 0, row: index - 1, kind: .table)
  }
}

extension StyledComponent {
  /// Gives the component a resource id in place of an index.
  fileprivate mutating func setID(_ id: String?) {
    guard let id, !id.isEmpty else { return }
    attributes.resourceID = id
    place = .none
  }
}
