import EncircleText

/// A path of one style in another style, and the information that was lost.
public struct PathConversion: Sendable {
  /// The path in the other style.
  public var path: StyledPath
  /// The lost information in words; empty if nothing was lost.
  public var losses: [String]

  /// Compares a path with one of the same element in another style.
  public init(of path: StyledPath, to other: StyledPath) {
    self.path = other
    losses = Self.losses(from: path, to: other)
  }

  /// Converts a path without knowing its element; nil if the path does not contain enough.
  ///
  /// This is possible within a style, and between `sensors-exact` and `sensors` if all rows are known.
  public static func direct(_ path: StyledPath, to target: PathStyleName) -> PathConversion? {
    var result = StyledPath(target, [])
    switch (path.style, target) {
    case (let a, let b) where a == b: result = path
    case (.sensorsExact, .sensors):
      result.components = path.components
      // Only the cell of the innermost list becomes any cell.
      if let i = path.components.lastIndex(where: {
        switch $0.place {
        case .cell: true
        case .index: UTF8String($0.className) == "UISegment" || UTF8String($0.className) == "UITabBarButton"
        default: false
        }
      }) {
        if case .cell(let section, _, let kind) = path.components[i].place {
          result.components[i].place = .anyCell(section: section, kind: kind)
        } else {
          result.components[i].place = .anyIndex
        }
      }
    case (.sensors, .sensorsExact):
      guard !path.components.contains(where: { $0.place.isUnknown }) else { return nil }
      result.components = path.components
    default: return nil
    }
    return PathConversion(of: path, to: result)
  }

  private static func losses(from a: StyledPath, to b: StyledPath) -> [String] {
    var losses: [String] = []
    if let page = a.page, b.page.map({ UTF8String($0) }) != UTF8String(page),
      !b.components.contains(where: { $0.names(page) })
    {
      losses.append("the page \(page)")
    }
    // Each path may omit some of the element's ancestors, but both list the others in the same order. So comparing from the end
    // finds the components that only one path has.
    var i = a.components.count - 1
    var j = b.components.count - 1
    var components: [String] = []
    var rows: [String] = []
    var indexes: [String] = []
    var texts = 0
    while i >= 0 {
      let old = a.components[i]
      guard let match = stride(from: j, through: 0, by: -1).first(where: { b.components[$0].isClass(old) }) else {
        components.append(old.className)
        i -= 1
        continue
      }
      // A match that skips components must leave one for the next component of `a`; otherwise it belongs to another
      // element.
      if match < j, i > 0, j >= 0, !rest(of: a, i, isIn: b, match) {
        components.append(old.className)
        i -= 1
        continue
      }
      let new = b.components[match]
      switch (old.place, new.place) {
      case (.cell(let section, let row, _), let place) where !place.isCell(section, row):
        rows.append("\(old.className) in section \(section), row \(row)")
      case (.groupChild(let group, let child), let place) where !place.isCell(group, child):
        rows.append("\(old.className) in group \(group), child \(child)")
      case (.anyCell(let section, _), let place) where !place.isSection(section):
        rows.append("\(old.className) in section \(section)")
      case (.index(let index), .none), (.index(let index), .anyIndex): indexes.append("\(old.className) \(index)")
      case (.position(let x, let y), let place) where place != .position(x: x, y: y):
        indexes.append("\(old.className) at \(x), \(y)")
      default: break
      }
      if old.attributes != .init(), old.attributes != new.attributes { texts += 1 }
      j = match - 1
      i -= 1
    }
    if !rows.isEmpty { losses.append("the row of \(list(rows))") }
    if !indexes.isEmpty { losses.append("the index of \(list(indexes))") }
    if !components.isEmpty { losses.append("the component\(components.count == 1 ? "" : "s") \(list(components))") }
    if texts > 0 { losses.append("attributes of \(counted(texts, "component"))") }
    return losses
  }

  // Returns whether the component before `i` in `a` also occurs before the match in `b`.
  private static func rest(of a: StyledPath, _ i: Int, isIn b: StyledPath, _ match: Int) -> Bool {
    guard match > 0 else { return i == 0 }
    return b.components[..<match].contains { $0.isClass(a.components[i - 1]) }
  }

  private static func list(_ names: [String]) -> String {
    NameList.text(names.reversed(), atMost: 6)
  }
}

extension StyledComponent {
  fileprivate func isClass(_ other: StyledComponent) -> Bool {
    className.hasSameBytes(as: other.className)
      || AndroidName(className).simple.hasSameBytes(as: AndroidName(other.className).simple)
      || PostHogStyle.typeName(className).hasSameBytes(as: PostHogStyle.typeName(other.className))
  }

  fileprivate func names(_ page: String) -> Bool { isClass(StyledComponent(page)) }
}

extension StyledComponent.Place {
  /// This is true if the path lacks the row or index.
  var isUnknown: Bool {
    switch self {
    case .anyIndex, .anyCell: true
    default: false
    }
  }

  fileprivate func isCell(_ section: Int, _ row: Int) -> Bool {
    switch self {
    case .cell(section, row, _), .groupChild(section, row): true
    default: false
    }
  }

  fileprivate func isSection(_ section: Int) -> Bool {
    switch self {
    case .cell(section, _, _), .anyCell(section, _): true
    default: false
    }
  }
}
