import EncircleText
import EncircleTree

/// Paths of NetEase HubbleData for Android: `page:DecorView[0]/LinearLayout[0]/Button[0]#pay`. The id is its SHA-256.
///
/// The page is the activity. The index of an element with a resource id, and of the root of a window, is 0. The index of an item in a
/// list is its position in the adapter. The root view of a fragment is written as the fragment's class with `[-]`. Classes have their
/// simple names, without packages. The root in a dump, which accessibility calls a `FrameLayout`, is written as `DecorView`.
///
/// `docs/styles.md` describes the format.
public struct HubbleDataAndroidStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .hubbleDataAndroid }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .android).map { $0 == .controllers ? .activity : $0 }
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    // The page is the activity around the element, never a fragment. A dialog has the activity beneath it.
    let activity = chain.last { $0.controller != nil && !Self.isFragment($0) }?.controller?.className
    guard let page = activity ?? chain.first?.android?.owner else { return nil }
    let named = chain.firstIndex { $0.className.utf8.reversed().starts(with: "DecorView".utf8.reversed()) }
    let decor = named ?? 0
    let isSubstitute =
      named == nil && chain[0].android?.owner == nil
      && chain[0].className.hasSameBytes(as: "android.widget.FrameLayout")
    let components = chain[decor...].enumerated().map { i, node in
      if let controller = node.controller, Self.isFragment(node) {
        return StyledComponent(AndroidName(controller.className).simple, .anyIndex)
      }
      let name = i == 0 && isSubstitute ? "DecorView" : AndroidName(node.className).simple
      var component = StyledComponent(name, Self.place(of: node))
      if let id = node.resourceID { component.attributes.resourceID = id }
      // The root of a window has no siblings, even if a dump has several windows.
      let isRoot = decor + i == 0
      if isRoot || node.resourceID != nil, case .index = component.place { component.place = .index(0) }
      return component
    }
    return StyledPath(.hubbleDataAndroid, page: page, components)
  }

  private static func place(of node: PathNode) -> StyledComponent.Place {
    switch node.android?.place {
    case .group(let group): .group(group)
    case .child(let group, let child): .groupChild(group: group, child: child)
    case .header(let number): .listHeader(number)
    case .footer(let number): .listFooter(number)
    case .row(let row, isKnown: true): .index(row)
    case .row, .page, .refreshed, .view, nil: node.cell.map { .index($0.row) } ?? .index(node.index)
    }
  }

  private static func isFragment(_ node: PathNode) -> Bool {
    switch node.android?.page {
    case .fragment, .hiddenFragment: true
    case .activity, nil: false
    }
  }

  // MARK: - Text

  /// ```
  /// path      = page ":" component *( "/" component )
  /// component = class "[" index "]" [ "#" id ]
  /// index     = N / "-" / "group:" N / "group:" N ",child:" N / "header:" N / "footer:" N
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: (path.page ?? "").utf8)
    bytes.append(UInt8(ascii: ":"))
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "/")) }
      bytes.append(contentsOf: component.className.utf8)
      Self.write(component.place, to: &bytes)
      if let id = component.attributes.resourceID {
        bytes.append(UInt8(ascii: "#"))
        bytes.append(contentsOf: id.utf8)
      }
    }
  }

  private static func write(_ place: StyledComponent.Place, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    switch place {
    case .index(let index): appendDecimal(index, to: &bytes)
    case .cell(_, let row, _): appendDecimal(row, to: &bytes)
    case .anyIndex, .anyCell: bytes.append(UInt8(ascii: "-"))
    case .none, .position, .sectionHeader, .sectionFooter: bytes.append(UInt8(ascii: "0"))
    case .group(let group):
      append("group:", to: &bytes)
      appendDecimal(group, to: &bytes)
    case .groupChild(let group, let child):
      append("group:", to: &bytes)
      appendDecimal(group, to: &bytes)
      append(",child:", to: &bytes)
      appendDecimal(child, to: &bytes)
    case .listHeader(let number):
      append("header:", to: &bytes)
      appendDecimal(number, to: &bytes)
    case .listFooter(let number):
      append("footer:", to: &bytes)
      appendDecimal(number, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try StyleText.checkUTF8(text)
    // A page has no colon, because it is a class name, but `[group:1]` does.
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      !text.part(0..<colon).contains(UInt8(ascii: "["))
    else { throw PathStyleError(.noPage, offset: 0) }
    var components: [StyledComponent] = []
    for range in StyleText.split(text.part(colon + 1..<text.count), UInt8(ascii: "/")) {
      let offset = colon + 1 + range.lowerBound
      components.append(try Self.component(text.part(offset..<offset + range.count), offset: offset))
    }
    return [StyledPath(.hubbleDataAndroid, page: StyleText.string(text.part(0..<colon)), components)]
  }

  private static func component(
    _ text: UnsafeBufferPointer<UInt8>, offset: Int
  ) throws(PathStyleError) -> StyledComponent {
    var (component, end) = try StyleText.component(
      text, open: text.firstIndex(of: UInt8(ascii: "[")), offset: offset, place)
    let rest = text.part(end..<text.count)
    if !rest.isEmpty {
      guard rest.first == UInt8(ascii: "#") else {
        throw PathStyleError(.badIndex(StyleText.string(rest)), offset: offset + end)
      }
      component.attributes.resourceID = StyleText.string(rest.part(1..<rest.count))
    }
    return component
  }

  private static func place(_ text: UnsafeBufferPointer<UInt8>) -> StyledComponent.Place? {
    if sameBytes(text, "-") { return .anyIndex }
    if let index = StyleText.number(text) { return .index(index) }
    func number(after prefix: StaticString, in text: UnsafeBufferPointer<UInt8>) -> Int? {
      text.starts(withLiteral: prefix) ? StyleText.number(text.part(prefix.utf8CodeUnitCount..<text.count)) : nil
    }
    if let number = number(after: "header:", in: text) { return .listHeader(number) }
    if let number = number(after: "footer:", in: text) { return .listFooter(number) }
    if let group = number(after: "group:", in: text) { return .group(group) }
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
      let group = number(after: "group:", in: text.part(0..<comma)),
      let child = number(after: "child:", in: text.part(comma + 1..<text.count))
    else { return nil }
    return .groupChild(group: group, child: child)
  }
}

extension IdentifiedTree {
  /// Calls `body` with the elements of an Android screen and the event IDs that HubbleData's SDK makes of their paths, which differ from
  /// the IDs of their identities.
  ///
  /// - Complexity: O(elements × depth) for an Android screen, else O(1).
  package func forEachAndroidID(_ body: (ElementID, EventID) -> Void) {
    let style = PathStyleName.hubbleDataAndroid
    guard style.style.unmetRequirement(for: self) == nil else { return }
    PathChains(of: self).forEach { element, chain in
      if let digest = style.digest(ofPathOf: chain), let id = digest.withUnsafeBytes({ EventID(bytes: $0) }) {
        body(element, id)
      }
    }
  }

  /// Returns the event IDs that HubbleData's SDK for Android makes, by element; none for other screens.
  ///
  /// - Complexity: As for ``forEachAndroidID(_:)``.
  package func androidIDs() -> [ElementID: EventID] {
    var ids: [ElementID: EventID] = [:]
    forEachAndroidID { ids[$0] = $1 }
    return ids
  }
}
