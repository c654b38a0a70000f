import EncircleIdentity

// The part of `Facts` for an Android element, at the end: two indexes, the place (kind and values), flags and, depending on the
// flags, the name of a fragment's container, of the window's activity and of a menu item.
extension Facts {
  private enum Flag {
    static let isList = 1
    static let hasOwnID = 2
    static let isPopupItem = 4
    static let isIgnored = 8
    static let activity = 16
    static let fragment = 32
    static let hiddenFragment = 64
    static let container = 128
    static let owner = 256
    static let menuItem = 512
  }

  static func append(_ node: AndroidNode, _ name: (String) throws -> Int, to bytes: inout [UInt8]) rethrows {
    func numbers(_ numbers: Int...) { for number in numbers { Varint.append(number, to: &bytes) } }
    numbers(node.kindIndex, node.nameIndex)
    switch node.place {
    case .view: numbers(0)
    case .row(let row, let isKnown): numbers(isKnown ? 1 : 2, row)
    case .page(let shown): numbers(3, shown)
    case .group(let group): numbers(4, group)
    case .child(let group, let child): numbers(5, group, child)
    case .header(let number): numbers(6, number)
    case .footer(let number): numbers(7, number)
    case .refreshed: numbers(8)
    }
    var flags = 0
    if node.isList { flags |= Flag.isList }
    if node.hasOwnID { flags |= Flag.hasOwnID }
    if node.isPopupItem { flags |= Flag.isPopupItem }
    if node.isIgnored { flags |= Flag.isIgnored }
    var names: [String] = []
    func add(_ text: String?, _ flag: Int) {
      guard let text else { return }
      flags |= flag
      names.append(text)
    }
    switch node.page {
    case .activity: flags |= Flag.activity
    case .fragment(let container):
      flags |= Flag.fragment
      add(container, Flag.container)
    case .hiddenFragment: flags |= Flag.hiddenFragment
    case nil: break
    }
    add(node.owner, Flag.owner)
    add(node.menuItem, Flag.menuItem)
    numbers(flags)
    for text in names { Varint.append(try name(text), to: &bytes) }
  }

  /// Decodes the output of ``append(_:_:to:)``. Returns nil if the bytes are invalid.
  static func android(_ rest: inout ArraySlice<UInt8>, _ name: (Int) throws -> String) throws -> AndroidNode? {
    var node = AndroidNode()
    guard let kindIndex = Varint.read(&rest), let nameIndex = Varint.read(&rest), let place = place(&rest),
      let flags = Varint.read(&rest)
    else { return nil }
    node.kindIndex = kindIndex
    node.nameIndex = nameIndex
    node.place = place
    node.isList = flags & Flag.isList != 0
    node.hasOwnID = flags & Flag.hasOwnID != 0
    node.isPopupItem = flags & Flag.isPopupItem != 0
    node.isIgnored = flags & Flag.isIgnored != 0
    var texts: [Int: String] = [:]
    for flag in [Flag.container, Flag.owner, Flag.menuItem] where flags & flag != 0 {
      guard let id = Varint.read(&rest) else { return nil }
      texts[flag] = try name(id)
    }
    if flags & Flag.activity != 0 { node.page = .activity }
    if flags & Flag.fragment != 0 { node.page = .fragment(container: texts[Flag.container]) }
    if flags & Flag.hiddenFragment != 0 { node.page = .hiddenFragment }
    node.owner = texts[Flag.owner]
    node.menuItem = texts[Flag.menuItem]
    return node
  }

  private static func place(_ rest: inout ArraySlice<UInt8>) -> AndroidNode.Place? {
    guard let kind = Varint.read(&rest) else { return nil }
    if kind == 0 { return .view }
    if kind == 8 { return .refreshed }
    guard let first = Varint.read(&rest) else { return nil }
    switch kind {
    case 1: return .row(first, isKnown: true)
    case 2: return .row(first, isKnown: false)
    case 3: return .page(shown: first)
    case 4: return .group(first)
    case 5: return Varint.read(&rest).map { .child(group: first, child: $0) }
    case 6: return .header(first)
    case 7: return .footer(first)
    default: return nil
    }
  }
}
