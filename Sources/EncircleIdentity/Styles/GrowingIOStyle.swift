import EncircleText
import EncircleTree

/// `xpath` and `xcontent` of GrowingIO 4 for iOS: the controllers from the outermost to the owning one, then its views.
///
/// `xpath` is a list of classes and `xcontent` a list of as many indexes. As one text, they have ` & ` between them:
/// `/UINavigationController/HomeViewController/UIView/UITableView/Section/ProductCell & /0/0/0/0/0/-`.
///
/// Source: growingio-sdk-ios-autotracker, GrowingNode and GrowingNodeHelper.
public struct GrowingIOStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .growingIO }

  public func lack(of screen: IdentifiedTree) -> PathStyleLack? { screen.lackOfControllers(on: .iOS) }

  // Classes without a component, as their `growingNodeSubPath` is nil.
  private static let omittedClasses: Set<UTF8String> = [
    "UITableViewWrapperView", "_UIAlertControllerPhoneTVMacView", "_UIAlertControllerView",
  ]

  public func path(of chain: [PathNode]) -> StyledPath? {
    var components: [StyledComponent] = []
    // Going from the element upwards, the first list, and no other, has any row in place of its own.
    var writesRows = false
    let start = chain.lastIndex { $0.controller != nil } ?? 0
    var isTagged = false
    for i in stride(from: chain.count - 1, through: start, by: -1) {
      let node = chain[i]
      if let tag = node.uniqueTag {
        components.append(StyledComponent(tag, .index(node.index)))
        isTagged = true
        break
      }
      guard !Self.omittedClasses.contains(UTF8String(node.className)) else { continue }
      if let (section, row, kind) = node.cell {
        let place: StyledComponent.Place =
          writesRows ? .cell(section: section, row: row, kind: kind) : .anyCell(section: section, kind: kind)
        writesRows = true
        components.append(StyledComponent(node.className, place))
        continue
      }
      switch node.role {
      case .segment(let place):
        components.append(StyledComponent(node.className, writesRows ? .index(place) : .anyIndex))
        writesRows = true
      case .alertAction(let place): components.append(StyledComponent("Button", .index(place)))
      case .sectionHeader(let section), .sectionFooter(let section):
        components.append(StyledComponent(node.className, .index(section)))
      case .view, .segmentedControl, .alert, .unplacedCell:
        // The SDK does not count the siblings of the root view.
        components.append(StyledComponent(node.className, .index(i == start ? 0 : node.index)))
      }
    }
    if !isTagged {
      for node in chain.reversed() {
        if let controller = node.controller {
          components.append(StyledComponent(controller.className, .index(controller.index)))
        }
      }
    }
    guard !components.isEmpty else { return nil }
    components.reverse()
    return StyledPath(.growingIO, components)
  }

  /// Returns `index`: the row in the innermost list, counted from 1.
  public func position(in chain: [PathNode]) -> String? {
    for node in chain.reversed() {
      if let (_, row, _) = node.cell, row < .max { return String(row + 1) }
      if case .segment(let place) = node.role { return String(place + 1) }
    }
    return nil
  }

  // MARK: - Text

  /// Returns `xpath`: the classes, with a slash before each.
  public static func xpath(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components {
      if isCell(component.place) { append("/Section", to: &bytes) }
      bytes.append(UInt8(ascii: "/"))
      bytes.append(contentsOf: component.className.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `xcontent`: the indexes, with a slash before each.
  public static func xcontent(of path: StyledPath) -> String {
    var bytes: [UInt8] = []
    for component in path.components {
      bytes.append(UInt8(ascii: "/"))
      func number(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) } else { appendDecimal(number, to: &bytes) }
      }
      switch component.place.locator {
      case .none, .position: number(0)
      case .index(let index): number(index)
      case .row(let section, let row), .item(let section, let row):
        number(section)
        bytes.append(UInt8(ascii: "/"))
        number(row)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isCell(_ place: StyledComponent.Place) -> Bool {
    switch place {
    case .cell, .anyCell, .groupChild: true
    default: false
    }
  }

  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: Self.xpath(of: path).utf8)
    append(" & ", to: &bytes)
    bytes.append(contentsOf: Self.xcontent(of: path).utf8)
  }

  /// Parses `xpath & xcontent`.
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    guard let middle = StyleText.lastAmpersand(text) else { throw PathStyleError(.noIndexes, offset: text.count) }
    return [try Self.read(xpath: text.part(0..<middle), xcontent: text.part(middle + 3..<text.count), middle + 3)]
  }

  /// Parses the two lists.
  ///
  /// `Section` and the class after it stand for one cell, as the SDK writes them.
  ///
  /// - Parameter offset: The offset of the second list in the text to which errors refer.
  package static func read(
    xpath: UnsafeBufferPointer<UInt8>, xcontent: UnsafeBufferPointer<UInt8>, _ offset: Int = 0
  ) throws(PathStyleError) -> StyledPath {
    try StyleText.checkUTF8(xpath)
    guard xpath.first == UInt8(ascii: "/") else { throw PathStyleError(.noLeadingSeparator, offset: 0) }
    guard xcontent.first == UInt8(ascii: "/") else { throw PathStyleError(.noLeadingSeparator, offset: offset) }
    let names = StyleText.split(xpath.part(1..<xpath.count), UInt8(ascii: "/"))
    let indexes = StyleText.split(xcontent.part(1..<xcontent.count), UInt8(ascii: "/"))
    guard names.count == indexes.count else {
      throw PathStyleError(.unequal(classes: names.count, indexes: indexes.count), offset: offset)
    }
    func name(_ i: Int) throws(PathStyleError) -> UnsafeBufferPointer<UInt8> {
      guard !names[i].isEmpty else { throw PathStyleError(.emptyComponent, offset: 1 + names[i].lowerBound) }
      return xpath.part(1 + names[i].lowerBound..<1 + names[i].upperBound)
    }
    func index(_ i: Int) throws(PathStyleError) -> Int? {
      let text = xcontent.part(1 + indexes[i].lowerBound..<1 + indexes[i].upperBound)
      if sameBytes(text, "-") { return nil }
      guard let number = StyleText.number(text) else {
        throw PathStyleError(.badIndex(StyleText.string(text)), offset: offset + 1 + indexes[i].lowerBound)
      }
      return number
    }
    var components: [StyledComponent] = []
    var i = 0
    while i < names.count {
      let className = try name(i)
      if sameBytes(className, "Section"), i + 1 < names.count, let section = try index(i) {
        let row = try index(i + 1)
        components.append(
          StyledComponent(
            StyleText.string(try name(i + 1)),
            row.map { .cell(section: section, row: $0, kind: nil) } ?? .anyCell(section: section, kind: nil)))
        i += 2
      } else {
        let number = try index(i)
        components.append(StyledComponent(StyleText.string(className), number.map { .index($0) } ?? .anyIndex))
        i += 1
      }
    }
    return StyledPath(.growingIO, components)
  }
}
