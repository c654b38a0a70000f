import EncircleText
import EncircleTree

/// `$element_path` of Sensors Analytics for Android:
/// `android.widget.LinearLayout[0]/…/com.example.shop.ProductCard[-]/android.widget.Button[0]`.
///
/// A path begins below the `DecorView` of a window; without a `DecorView`, it begins with a slash. Classes have their full names, with
/// a dot before inner ones. An index counts the earlier siblings of the class and of its subclasses. The root view of an outermost
/// fragment is written as the fragment.
///
/// In an event, `[-]` stands for the row of the innermost list, which `$element_position` gives; rows of expandable lists are separate
/// components, `ELVG` for a group and `ELVC` for a child in one.
///
/// Source: sa-sdk-android 6.8.5, ViewUtil.java and SAViewUtils.java, run over captures.
public struct SensorsAndroidStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .sensorsAndroid }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? { screen.unmetActivityRequirement }

  public func path(of chain: [PathNode]) -> StyledPath? {
    guard let root = chain.first, root.android != nil else { return nil }
    let components = components(of: chain)
    var path = StyledPath(.sensorsAndroid, components)
    path.beginsWithSlash =
      !components.isEmpty && !AndroidKinds.ofBuiltIn(root.className).contains(.decorView)
    return path
  }

  /// Returns `$element_position`: the position of the nearest row, `group:child` in an expandable list.
  public func position(in chain: [PathNode]) -> String? {
    var last: Position?
    for node in chain.dropFirst() { last = Position(node.android?.place ?? .view) ?? last }
    return last?.text
  }

  private enum Position {
    case row(Int)
    case child(Int, Int)

    init?(_ place: AndroidNode.Place) {
      switch place {
      case .row(let row, _), .page(let row), .group(let row): self = .row(row)
      case .child(let group, let child): self = .child(group, child)
      case .view, .header, .footer, .refreshed: return nil
      }
    }

    var text: String {
      switch self {
      case .row(let row): String(row)
      case .child(let group, let child): "\(group):\(child)"
      }
    }

    func place(of component: StyledComponent) -> StyledComponent.Place {
      switch self {
      case .row(let row): component.className == "ELVG" ? .index(row) : .cell(section: 0, row: row, kind: .table)
      case .child(let group, let child): .groupChild(group: group, child: child)
      }
    }
  }

  /// Returns the components of the nodes below the root of the window.
  private func components(of chain: [PathNode]) -> [StyledComponent] {
    var components: [StyledComponent] = []
    var around: Position?
    var isInFragment = chain.first?.android.map(Self.isFragment) ?? false
    for node in chain.dropFirst() {
      let android = node.android ?? AndroidNode()
      var own = StyledComponent(AndroidName(node.className).canonical, .index(0))
      var before: [StyledComponent] = []
      switch android.place {
      case .row, .page: own.place = .anyIndex
      case .group: before = [StyledComponent("ELVG", .anyIndex)]
      case .child(let group, _): before = [StyledComponent("ELVG", .index(group)), StyledComponent("ELVC", .anyIndex)]
      case .header(let number): before = [StyledComponent("ELH", .index(number))]
      case .footer(let number): before = [StyledComponent("ELF", .index(number))]
      case .refreshed: break
      case .view:
        if let controller = node.controller, Self.isFragment(android), !isInFragment {
          own.className = AndroidName(controller.className).canonical
        } else {
          own.place = .index(android.kindIndex)
        }
      }
      before.append(own)
      // If there is another list inside a row, the row's `-` is replaced by its position.
      if let around, before.contains(where: { $0.place == .anyIndex }),
        let i = components.lastIndex(where: { $0.place == .anyIndex })
      {
        components[i].place = around.place(of: components[i])
      }
      components += before
      around = Position(android.place) ?? around
      isInFragment = isInFragment || Self.isFragment(android)
    }
    return components
  }

  private static func isFragment(_ node: AndroidNode) -> Bool {
    switch node.page {
    case .fragment, .hiddenFragment: true
    case .activity, nil: false
    }
  }

  /// Returns the page as the SDK sends it: the activity, and in a fragment `Activity|Fragment`.
  static func page(of chain: [PathNode]) -> String? {
    let activity = chain.last { $0.android?.page == .activity }?.controller?.className ?? chain.first?.android?.owner
    let fragment = chain.last { $0.android.map(isFragment) ?? false }?.controller?.className
    return page(activity: activity, fragment: fragment)
  }

  static func page(activity: String?, fragment: String?) -> String? {
    let names = [activity, fragment].compactMap { $0 }.map { AndroidName($0).canonical }
    return names.isEmpty ? nil : names.joined(separator: "|")
  }

  /// Replaces the `[-]` in an event's path with the event's position. A malformed position is ignored.
  package static func fill(_ path: inout StyledPath, position: UnsafeBufferPointer<UInt8>) {
    guard let i = path.components.lastIndex(where: { $0.place == .anyIndex }) else { return }
    let numbers = StyleText.split(position, UInt8(ascii: ":")).map { StyleText.number(position.part($0)) }
    let component = path.components[i]
    if numbers.count == 1, let row = numbers[0] { path.components[i].place = Position.row(row).place(of: component) }
    if numbers.count == 2, let group = numbers[0], let child = numbers[1] {
      path.components[i].place = Position.child(group, child).place(of: component)
    }
  }

  // MARK: - Text

  /// ```
  /// path      = [ "/" ] [ component *( "/" component ) ]
  /// component = class "[" index "]"
  /// index     = N / "-" / N ":" N
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    if path.beginsWithSlash { bytes.append(UInt8(ascii: "/")) }
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "/")) }
      bytes.append(contentsOf: component.className.utf8)
      bytes.append(UInt8(ascii: "["))
      switch component.place {
      case .index(let index), .sectionHeader(let index), .sectionFooter(let index), .group(let index),
        .listHeader(let index), .listFooter(let index), .cell(_, let index, _):
        appendDecimal(index, to: &bytes)
      case .anyIndex, .anyCell: bytes.append(UInt8(ascii: "-"))
      case .groupChild(let group, let child):
        appendDecimal(group, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendDecimal(child, to: &bytes)
      case .none, .position: bytes.append(UInt8(ascii: "0"))
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try StyleText.checkUTF8(text)
    var path = StyledPath(.sensorsAndroid, [])
    path.beginsWithSlash = text.first == UInt8(ascii: "/")
    let start = path.beginsWithSlash ? 1 : 0
    for range in StyleText.split(text.part(start..<text.count), UInt8(ascii: "/")) {
      let offset = start + range.lowerBound
      path.components.append(try Self.component(text.part(offset..<offset + range.count), offset: offset))
    }
    return [path]
  }

  private static func component(
    _ text: UnsafeBufferPointer<UInt8>, offset: Int
  ) throws(PathStyleError) -> StyledComponent {
    let (component, end) = try StyleText.component(
      text, open: text.lastIndex(of: UInt8(ascii: "[")), offset: offset, place)
    guard end == text.count else {
      throw PathStyleError(.badIndex(StyleText.string(text.part(end..<text.count))), offset: offset + end)
    }
    return component
  }

  private static func place(_ text: UnsafeBufferPointer<UInt8>) -> StyledComponent.Place? {
    if sameBytes(text, "-") { return .anyIndex }
    if let index = StyleText.number(text) { return .index(index) }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let group = StyleText.number(text.part(0..<colon)),
      let child = StyleText.number(text.part(colon + 1..<text.count))
    else { return nil }
    return .groupChild(group: group, child: child)
  }
}

extension IdentifiedTree {
  /// The requirement of an Android style that needs the activity which the screen does not meet; nil if it meets all. A dump of
  /// uiautomator does not name the activity but is accepted, because its resource ids and texts are the same as in events.
  var unmetActivityRequirement: PathStyleRequirement? {
    guard isAndroid else { return web == nil ? .android : .app }
    return structure.controllerKinds.isEmpty && tree.format == .viewTree ? .activity : nil
  }
}
