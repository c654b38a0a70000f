import EncircleText
import EncircleTree

/// `$element_path` of Sensors Analytics for iOS: `UIView/UITableView[0]/UITableViewCell[0][-]`.
///
/// A path begins with the root view of the owning controller, which has no index. In an alert, `UIAlertController`
/// stands before it. Without a controller, the path begins with the window, also without index, as the SDK goes from
/// view to superview until there is none.
///
/// Source: sa-sdk-ios, UIView+SAElementPath.m, SAVisualizedUtils.m and SAAutoTrackUtils.m (4.x).
public struct SensorsStyle: PathStyle {
  /// Whether the cell of the innermost list is written with its row rather than with `[-]`.
  public let isExact: Bool

  public init(isExact: Bool) { self.isExact = isExact }

  public var name: PathStyleName { isExact ? .sensorsExact : .sensors }

  public func lack(of screen: IdentifiedTree) -> PathStyleLack? { screen.lackOfControllers(on: .iOS) }

  // Classes without a component, as their `sensorsdata_itemPath` is nil. Their siblings' indexes still count them.
  private static let omittedClasses: Set<UTF8String> = [
    "UITableViewWrapperView", "UISegment", "_UISearchBarFieldEditor", "UIFieldEditor",
  ]

  public func path(of chain: [PathNode]) -> StyledPath? {
    let start = chain.lastIndex { $0.controller != nil } ?? 0
    let isInAlert = chain.contains { $0.role == .alert }
    var components: [StyledComponent] = []
    // Going from the element upwards, the first list, and no other, has any row in place of its own.
    var writesRows = isExact
    for i in stride(from: chain.count - 1, through: start, by: -1) {
      let node = chain[i]
      if case .segmentedControl(let selected) = node.role {
        let child: PathNode.Role? = i + 1 < chain.count ? chain[i + 1].role : nil
        if !writesRows {
          components.append(StyledComponent("UISegment", .anyIndex))
          writesRows = true
        } else if case .segment(let place)? = child {
          components.append(StyledComponent("UISegment", .index(place)))
        } else if let selected {
          components.append(StyledComponent("UISegment", .index(selected)))
        }
      }
      guard !Self.omittedClasses.contains(UTF8String(node.className)) else { continue }
      components.append(StyledComponent(node.className, place(of: node, isRoot: i == start, isInAlert, &writesRows)))
      switch node.role {
      case .sectionHeader: components[components.count - 1].className = "[SectionHeader]"
      case .sectionFooter: components[components.count - 1].className = "[SectionFooter]"
      default: break
      }
    }
    if let controller = chain[start].controller, controller.kinds.contains(.alertController) {
      components.append(StyledComponent("UIAlertController"))
    }
    guard !components.isEmpty else { return nil }
    components.reverse()
    return StyledPath(name, components)
  }

  private func place(
    of node: PathNode, isRoot: Bool, _ isInAlert: Bool, _ writesRows: inout Bool
  ) -> StyledComponent.Place {
    if isRoot { return .none }
    if let (section, row, kind) = node.cell {
      guard !writesRows, !isInAlert else { return .cell(section: section, row: row, kind: kind) }
      writesRows = true
      return .anyCell(section: section, kind: kind)
    }
    switch node.role {
    case .sectionHeader(let section): return .sectionHeader(section)
    case .sectionFooter(let section): return .sectionFooter(section)
    default: break
    }
    if !writesRows, node.className.utf8.elementsEqual("UITabBarButton".utf8) {
      writesRows = true
      return .anyIndex
    }
    return .index(node.index)
  }

  /// Returns `$element_position`, the place of the nearest cell, segment or tab; nil in alerts and outside of lists.
  public func position(in chain: [PathNode]) -> String? {
    guard !chain.contains(where: { $0.role == .alert }) else { return nil }
    for node in chain.reversed() {
      if let (section, row, _) = node.cell { return "\(section):\(row)" }
      if case .segment(let place) = node.role { return String(place) }
      if node.className.utf8.elementsEqual("UITabBarButton".utf8) { return String(node.index) }
    }
    return nil
  }

  // MARK: - Text

  /// ```
  /// path      = component *( "/" component )
  /// component = class [ "[" index "]" [ "[" index "]" ] ] / "[SectionHeader][" N "]" / "[SectionFooter][" N "]"
  /// index     = N / "-"
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "/")) }
      bytes.append(contentsOf: component.className.utf8)
      Self.write(component.place, to: &bytes)
    }
  }

  private static func write(_ place: StyledComponent.Place, to bytes: inout [UInt8]) {
    func bracket(_ number: Int?) {
      bytes.append(UInt8(ascii: "["))
      if let number { appendDecimal(number, to: &bytes) } else { bytes.append(UInt8(ascii: "-")) }
      bytes.append(UInt8(ascii: "]"))
    }
    switch place {
    case .none, .position: return
    case .index(let index), .sectionHeader(let index), .sectionFooter(let index), .group(let index),
      .listHeader(let index), .listFooter(let index):
      bracket(index)
    case .anyIndex: bracket(nil)
    case .cell(let section, let row, _):
      bracket(section)
      bracket(row)
    case .anyCell(let section, _):
      bracket(section)
      bracket(nil)
    case .groupChild(let group, let child):
      bracket(group)
      bracket(child)
    }
  }

  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try StyleText.checkUTF8(text)
    var components: [StyledComponent] = []
    for range in StyleText.split(text, UInt8(ascii: "/")) {
      components.append(try Self.component(text.part(range), offset: range.lowerBound))
    }
    return [StyledPath(name, components)]
  }

  private static func component(
    _ text: UnsafeBufferPointer<UInt8>, offset: Int
  ) throws(PathStyleError) -> StyledComponent {
    guard !text.isEmpty else { throw PathStyleError(.emptyComponent, offset: offset) }
    // The ranges inside brackets at the end of the text, at most two.
    var brackets: [Range<Int>] = []
    var end = text.count
    while end > 0, text[end - 1] == UInt8(ascii: "]"), brackets.count < 2,
      let open = text.part(0..<end).lastIndex(of: UInt8(ascii: "["))
    {
      let inner = open + 1..<end - 1
      // `[SectionHeader]` is a class name.
      if brackets.count == 1, open == 0 { break }
      brackets.insert(inner, at: 0)
      end = open
    }
    guard end > 0 else { throw PathStyleError(.emptyComponent, offset: offset) }
    let name = text.part(0..<end)
    func number(_ range: Range<Int>) throws(PathStyleError) -> Int? {
      let inner = text.part(range)
      if sameBytes(inner, "-") { return nil }
      guard let number = StyleText.number(inner) else {
        throw PathStyleError(.badIndex(StyleText.string(inner)), offset: offset + range.lowerBound)
      }
      return number
    }
    var place = StyledComponent.Place.none
    switch brackets.count {
    case 0: break
    case 1:
      let index = try number(brackets[0])
      if let index, sameBytes(name, "[SectionHeader]") {
        place = .sectionHeader(index)
      } else if let index, sameBytes(name, "[SectionFooter]") {
        place = .sectionFooter(index)
      } else {
        place = index.map { .index($0) } ?? .anyIndex
      }
    default:
      guard let section = try number(brackets[0]) else {
        throw PathStyleError(.badIndex("-"), offset: offset + brackets[0].lowerBound)
      }
      let row = try number(brackets[1])
      place = row.map { .cell(section: section, row: $0, kind: nil) } ?? .anyCell(section: section, kind: nil)
    }
    return StyledComponent(StyleText.string(name), place)
  }
}

extension IdentifiedTree {
  enum Platform {
    case iOS
    case android
  }

  /// Returns what the screen lacks for a style that needs controllers and is one of a platform; nil if it lacks
  /// nothing.
  func lackOfControllers(on platform: Platform) -> PathStyleLack? {
    if isAndroid != (platform == .android) { return platform == .android ? .android : .iOS }
    return structure.controllerKinds.isEmpty ? .controllers : nil
  }
}
