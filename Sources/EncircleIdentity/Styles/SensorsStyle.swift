import EncircleText
import EncircleTree

/// `$element_path` of Sensors Analytics for iOS: `UIView/UITableView[0]/UITableViewCell[0][-]`.
///
/// A path begins with the root view of the nearest controller, which has no index. In an alert, the class of the alert's controller
/// precedes it, with its index if it is a child controller. Without a controller, the path begins with the window, also without
/// index, because the SDK goes from view to superview up to the last one.
///
/// In an event, `[-]` stands for the row, segment or tab that `$element_position` gives.
///
/// Source: sa-sdk-ios 4.4.6 to 4.9.1, which agree: UIView+SAViewPath.m, UIView+SAElementPosition.m and SAUIProperties.m.
public struct SensorsStyle: PathStyle {
  /// This is true if the cell of the innermost list is written with its row rather than with `[-]`.
  public let isExact: Bool

  public init(isExact: Bool) { self.isExact = isExact }

  public var name: PathStyleName { isExact ? .sensorsExact : .sensors }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .iOS)
  }

  // Classes without a component, because their `sensorsdata_itemPath` is nil. They still count in the indexes of their siblings.
  private static let omittedClasses = [
    "UITableViewWrapperView", "UISegment", "_UISearchBarFieldEditor", "UIFieldEditor",
  ]

  public func path(of chain: [PathNode]) -> StyledPath? {
    let parts = parts(of: chain)
    if parts.isEmpty { return nil }
    return StyledPath(name, parts.reversed().map(\.component))
  }

  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    let parts = parts(of: chain)
    for (i, part) in parts.reversed().enumerated() {
      Self.write(part.className, part.place, isFirst: i == 0, to: &bytes)
    }
    return !parts.isEmpty
  }

  /// Returns the parts of the path, from the element upwards; empty if there is no path.
  private func parts(of chain: [PathNode]) -> [PathPart] {
    let start = chain.lastIndex { $0.controller != nil } ?? 0
    var parts: [PathPart] = []
    parts.reserveCapacity(chain.count - start + 2)
    // Going from the element upwards, only the first list is written with `[-]` instead of a row.
    var writesRows = isExact
    for i in stride(from: chain.count - 1, through: start, by: -1) {
      let node = chain[i]
      if case .segmentedControl(let selected) = node.role {
        let child: PathNode.Role? = i + 1 < chain.count ? chain[i + 1].role : nil
        if !writesRows {
          parts.append(PathPart("UISegment", .anyIndex))
          writesRows = true
        } else if case .segment(let place)? = child {
          parts.append(PathPart("UISegment", .index(place)))
        } else if let selected {
          parts.append(PathPart("UISegment", .index(selected)))
        }
      }
      let className = node.className
      guard !Self.omittedClasses.contains(where: { className.hasSameBytes(as: $0) }) else { continue }
      let written =
        switch node.role {
        case .sectionHeader: "[SectionHeader]"
        case .sectionFooter: "[SectionFooter]"
        default: className
        }
      parts.append(PathPart(written, place(of: node, isRoot: i == start, &writesRows)))
    }
    if let controller = chain[start].controller, controller.kinds.contains(.alertController) {
      let isChild = chain[..<start].contains { $0.controller != nil }
      parts.append(PathPart(controller.className, isChild ? .index(controller.index) : .none))
    }
    return parts
  }

  private func place(of node: PathNode, isRoot: Bool, _ writesRows: inout Bool) -> StyledComponent.Place {
    if let (section, row, kind) = node.placedCell {
      guard !writesRows else { return .cell(section: section, row: row, kind: kind) }
      writesRows = true
      return .anyCell(section: section, kind: kind)
    }
    switch node.role {
    case .sectionHeader(let section): return .sectionHeader(section)
    case .sectionFooter(let section): return .sectionFooter(section)
    default: break
    }
    if isRoot { return .none }
    if !writesRows, Self.isTab(node) {
      writesRows = true
      return .anyIndex
    }
    return .index(node.index)
  }

  /// Returns `$element_position`: the section and row of the nearest cell, the selected segment of a segmented control, or the
  /// number of a segment or tab. Elements inside a cell without an index path have no position.
  public func position(in chain: [PathNode]) -> String? {
    for node in chain.reversed() {
      if let (section, row, _) = node.placedCell { return "\(section):\(row)" }
      switch node.role {
      case .unplacedCell: return nil
      case .segment(let place): return String(place)
      case .segmentedControl(let selected?): return String(selected)
      default: if Self.isTab(node) { return String(node.index) }
      }
    }
    return nil
  }

  private static func isTab(_ node: PathNode) -> Bool { node.className.hasSameBytes(as: "UITabBarButton") }

  /// Returns the screen as far as the controllers around an element determine it. The result is nil in bars, in alerts and without
  /// a controller, where the screen is the page on top.
  static func screen(of chain: [PathNode]) -> String? {
    let controllers = chain.compactMap(\.controller)
    guard var screen = controllers.last, screen.kinds.isDisjoint(with: notScreens) else { return nil }
    for parent in controllers.dropLast().reversed() {
      guard parent.kinds.isDisjoint(with: ends) else { break }
      screen = parent
    }
    return screen.kinds.isDisjoint(with: notScreens) ? screen.className : nil
  }

  private static let notScreens: ViewKinds = [.navigationController, .tabBarController, .alertController]
  private static let ends: ViewKinds = [
    .navigationController, .tabBarController, .pageViewController, .splitViewController,
  ]

  /// Replaces the `[-]` in an event's path with the event's position. A position that does not fit the path is ignored.
  package static func fill(_ path: inout StyledPath, position: UnsafeBufferPointer<UInt8>) {
    guard let i = path.components.lastIndex(where: { $0.place.isUnknown }) else { return }
    let numbers = StyleText.split(position, UInt8(ascii: ":")).map { StyleText.number(position.part($0)) }
    switch (path.components[i].place, numbers.count) {
    case (.anyCell(let section, let kind), 2):
      guard numbers[0] == section, let row = numbers[1] else { return }
      path.components[i].place = .cell(section: section, row: row, kind: kind)
    case (.anyIndex, 1):
      if let number = numbers[0] { path.components[i].place = .index(number) }
    default: break
    }
  }

  // MARK: - Text

  /// ```
  /// path      = component *( "/" component )
  /// component = class [ "[" index "]" [ "[" index "]" ] ] / "[SectionHeader][" N "]" / "[SectionFooter][" N "]"
  /// index     = N / "-"
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.enumerated() {
      Self.write(component.className, component.place, isFirst: i == 0, to: &bytes)
    }
  }

  private static func write(
    _ className: String, _ place: StyledComponent.Place, isFirst: Bool, to bytes: inout [UInt8]
  ) {
    if !isFirst { bytes.append(UInt8(ascii: "/")) }
    bytes.append(contentsOf: className.utf8)
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

  /// Returns the requirement that the screen does not meet for a style that needs controllers and belongs to a platform, or nil.
  func unmetControllerRequirement(on platform: Platform) -> PathStyleRequirement? {
    if web != nil { return .app }
    if isAndroid != (platform == .android) { return platform == .android ? .android : .iOS }
    return structure.controllerKinds.isEmpty ? .controllers : nil
  }
}
