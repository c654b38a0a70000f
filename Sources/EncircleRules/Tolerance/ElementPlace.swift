import EncircleIdentity
import EncircleText

/// The place of an element: its page and its path.
public struct ElementPlace: Hashable, Sendable {
  /// Nil if an event does not say it.
  public var page: UTF8String?
  public var path: ElementPath

  public init(page: UTF8String?, path: ElementPath) {
    self.page = page
    self.path = path
  }

  /// The path without the rows of lists: the same for the elements in the same place of all rows.
  var shape: [PathComponent] { path.shape }

  /// The rows of the lists, outermost first.
  var rows: [Locator] { path.components.filter(\.isCell).map(\.locator) }

  /// Returns the path with other rows, as many as it has now.
  func path(withRows rows: [Locator]) -> ElementPath {
    var rest = rows[...]
    return ElementPath(
      path.components.map { component in
        guard component.isCell, let row = rest.popFirst() else { return component }
        return PathComponent(component.className, component.locator.with(row), texts: component.texts)
      })
  }
}

extension ElementPath {
  /// The components without the rows of lists: the same for the elements in the same place of all rows.
  package var shape: [PathComponent] {
    components.map { $0.isCell ? PathComponent($0.className, .none, texts: $0.texts) : $0 }
  }
}

extension PathComponent {
  var isCell: Bool {
    switch locator {
    case .row, .item: true
    default: false
    }
  }
}

extension Locator {
  /// Returns the locator of a cell with the numbers of another one.
  fileprivate func with(_ other: Locator) -> Locator {
    let numbers: (section: Int, row: Int)
    switch other {
    case .row(let section, let row): numbers = (section, row)
    case .item(let section, let item): numbers = (section, item)
    default: return self
    }
    return if case .item = self { .item(section: numbers.section, item: numbers.row) } else {
      .row(section: numbers.section, row: numbers.row)
    }
  }
}
