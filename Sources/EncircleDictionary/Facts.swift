import EncircleIdentity
import EncircleTree

/// A ``PathNode`` as a dictionary file stores it, with numbers in place of names.
///
/// `more` is a list of variable-length numbers: the locator (kind and values), the index, the role (kind and value),
/// flags and, depending on the flags, the controller (name, index, kinds), superclass, unique tag, label and resource
/// id, the role for GrowingIO's indexes (kind and value), the controllers of its current page, and Android's own facts. The
/// text of a control is not stored, because it changes more often than the other properties.
struct Facts: Hashable {
  var className: Int
  var more: [UInt8]

  /// Encodes a node.
  init(_ node: PathNode, _ name: (String) throws -> Int) rethrows {
    className = try name(node.className)
    var bytes: [UInt8] = []
    func number(_ number: Int) { Varint.append(number, to: &bytes) }
    // The sign is the lowest bit, as positions may be negative.
    func signed(_ number: Int) { Varint.append(number < 0 ? (-(number + 1)) << 1 | 1 : number << 1, to: &bytes) }
    switch node.locator {
    case .none: number(0)
    case .index(let index):
      number(1)
      number(index)
    case .row(let section, let row):
      number(2)
      number(section)
      number(row)
    case .item(let section, let item):
      number(3)
      number(section)
      number(item)
    case .position(let x, let y):
      number(4)
      signed(x)
      signed(y)
    }
    number(node.index)
    switch node.role {
    case .view: number(0)
    case .segmentedControl(nil): number(1)
    case .segmentedControl(let selected?):
      number(2)
      number(selected)
    case .segment(let place):
      number(3)
      number(place)
    case .sectionHeader(let section):
      number(4)
      number(section)
    case .sectionFooter(let section):
      number(5)
      number(section)
    case .alert: number(6)
    case .alertAction(let place):
      number(7)
      number(place)
    case .unplacedCell: number(8)
    }
    let names = [node.baseClass, node.uniqueTag, node.label, node.resourceID]
    var flags = node.controller == nil ? 0 : 1
    for (bit, name) in names.enumerated() where name != nil { flags |= 2 << bit }
    if node.listRole != nil { flags |= Self.hasListRole }
    if !node.currentPage.isEmpty { flags |= Self.hasCurrentPage }
    if node.android != nil { flags |= Self.isAndroid }
    number(flags)
    func write(_ controller: PathNode.Controller) throws {
      number(try name(controller.className))
      number(controller.index)
      number(Int(controller.kinds.rawValue))
    }
    if let controller = node.controller { try write(controller) }
    for text in names { if let text { number(try name(text)) } }
    switch node.listRole {
    case nil: break
    case .list: number(0)
    case .reusableView: number(1)
    case .segment(nil): number(2)
    case .segment(let place?):
      number(3)
      number(place)
    case .alertCell(let place):
      number(4)
      number(place)
    }
    if !node.currentPage.isEmpty {
      number(node.currentPage.count)
      for controller in node.currentPage { try write(controller) }
    }
    if let android = node.android { try Self.append(android, name, to: &bytes) }
    more = bytes
  }

  // Flags after those for the controller and the four names.
  private static let hasListRole = 1 << 5
  private static let hasCurrentPage = 1 << 6
  private static let isAndroid = 1 << 7

  init(className: Int, more: [UInt8]) {
    self.className = className
    self.more = more
  }

  /// Decodes the node. The result is nil if the bytes are invalid.
  func node(_ name: (Int) throws -> String) throws -> PathNode? {
    var rest = more[...]
    func number() -> Int? { Varint.read(&rest) }
    func signed() -> Int? { number().map { $0 & 1 == 0 ? $0 >> 1 : -($0 >> 1) - 1 } }
    guard let locator = Self.locator(&rest), let index = number(), let role = Self.role(&rest), let flags = number()
    else {
      return nil
    }
    var node = PathNode(try name(className), locator, index: index)
    node.role = role
    func controller() throws -> PathNode.Controller? {
      guard let controller = number(), let index = number(), let kinds = number(),
        let kinds = UInt32(exactly: kinds)
      else { return nil }
      return PathNode.Controller(try name(controller), index: index, kinds: ViewKinds(rawValue: kinds))
    }
    if flags & 1 != 0 {
      guard let controller = try controller() else { return nil }
      node.controller = controller
    }
    var texts: [String?] = []
    for bit in 0..<4 {
      guard flags & 2 << bit != 0 else {
        texts.append(nil)
        continue
      }
      guard let id = number() else { return nil }
      texts.append(try name(id))
    }
    (node.baseClass, node.uniqueTag, node.label, node.resourceID) = (texts[0], texts[1], texts[2], texts[3])
    if flags & Self.hasListRole != 0 {
      guard let role = Self.listRole(&rest) else { return nil }
      node.listRole = role
    }
    if flags & Self.hasCurrentPage != 0 {
      // Each controller takes at least three bytes, which bounds the number.
      guard let count = Varint.read(&rest), count <= rest.count else { return nil }
      for _ in 0..<count {
        guard let controller = try controller() else { return nil }
        node.currentPage.append(controller)
      }
    }
    if flags & Self.isAndroid != 0 {
      guard let android = try Self.android(&rest, name) else { return nil }
      node.android = android
    }
    return node
  }

  /// The locator, decoded without the rest.
  var locator: Locator? {
    var rest = more[...]
    return Self.locator(&rest)
  }

  private static func locator(_ rest: inout ArraySlice<UInt8>) -> Locator? {
    func signed(_ number: Int) -> Int { number & 1 == 0 ? number >> 1 : -(number >> 1) - 1 }
    guard let kind = Varint.read(&rest) else { return nil }
    if kind == 0 { return Locator.none }
    guard let first = Varint.read(&rest) else { return nil }
    if kind == 1 { return .index(first) }
    guard let second = Varint.read(&rest) else { return nil }
    return switch kind {
    case 2: .row(section: first, row: second)
    case 3: .item(section: first, item: second)
    case 4: .position(x: signed(first), y: signed(second))
    default: nil
    }
  }

  private static func listRole(_ rest: inout ArraySlice<UInt8>) -> PathNode.ListRole? {
    switch Varint.read(&rest) {
    case 0: .list
    case 1: .reusableView
    case 2: .segment(nil)
    case 3: Varint.read(&rest).map { .segment($0) }
    case 4: Varint.read(&rest).map { .alertCell($0) }
    default: nil
    }
  }

  private static func role(_ rest: inout ArraySlice<UInt8>) -> PathNode.Role? {
    guard let kind = Varint.read(&rest) else { return nil }
    switch kind {
    case 0: return .view
    case 1: return .segmentedControl(selected: nil)
    case 6: return .alert
    case 8: return .unplacedCell
    default: break
    }
    guard let value = Varint.read(&rest) else { return nil }
    return switch kind {
    case 2: .segmentedControl(selected: value)
    case 3: .segment(value)
    case 4: .sectionHeader(value)
    case 5: .sectionFooter(value)
    case 7: .alertAction(value)
    default: nil
    }
  }
}
