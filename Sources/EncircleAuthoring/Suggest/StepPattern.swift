import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A step of a candidate.
struct StepPattern: Hashable, Sendable {
  /// The number of a class of the capture.
  var classNumber: Int32
  /// The pattern for the locator; nil matches any.
  var locator: ElementSelector.LocatorPattern?
}

extension StepPattern {
  func step(_ index: ElementIndex) -> ElementSelector.Step {
    // Every element of the class has its name.
    let name = index.elements(ofClass: classNumber).first.map { index.screen.className(of: ElementID(rawValue: $0)) }
    return .component(.name(UTF8String(name ?? "")), locator)
  }
}

extension ElementSelector.LocatorPattern {
  /// Creates the pattern that matches one locator; in place of an unknown number it matches any.
  package init(exactly locator: Locator) {
    func test(_ number: Int) -> ElementSelector.NumberTest { number == Locator.unknown ? .any : .exactly(number) }
    switch locator {
    case .none: self = .none
    case .index(let index): self = .index(test(index))
    case .row(let section, let row): self = .fields([.init(.section, test(section)), .init(.row, test(row))])
    case .item(let section, let item): self = .fields([.init(.section, test(section)), .init(.item, test(item))])
    case .position(let x, let y): self = .fields([.init(.indexx, test(x)), .init(.indexy, test(y))])
    }
  }

  /// For a pattern of a cell's locator, the patterns for any row or item of its section and of any section; empty for
  /// others.
  var withFreeRow: [Self] {
    guard case .fields(let tests) = self, let row = tests.first(where: { $0.field == .row || $0.field == .item }) else {
      return []
    }
    let sections = tests.filter { $0.field == .section }.map(\.test) + [.any]
    return sections.map { .fields([.init(.section, $0), .init(row.field, .any)]) }
  }
}
