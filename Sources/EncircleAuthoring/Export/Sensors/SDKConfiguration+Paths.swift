import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension SDKConfiguration {
  typealias Place = (path: String, position: String?)

  static func places(
    _ paths: [UTF8String]?, of clause: RuleClause, _ number: Int, in ruleSet: RuleSet
  ) throws(Reason) -> [Place] {
    if clause.selectors.isEmpty {
      guard let paths else { throw Reason(.noElement, "It names no element.") }
      return paths.map { ($0.text, nil) }
    }
    guard paths == nil else { throw Reason(.selectorAndPath, "It has a selector and a path.") }
    guard ruleSet.style.isSensors else {
      throw Reason(.otherStyle, "Its selector is about paths of the style \(ruleSet.style.rawValue), not of sensors.")
        .at(.selector(.clauses, number, 0))
    }
    var places: [Place] = []
    for (i, selector) in clause.selectors.enumerated() {
      for read in selector.read(in: ruleSet.style) {
        let place = try at(.selector(.clauses, number, i)) { () throws(Reason) -> Place in try Self.place(of: read) }
        if !places.contains(where: { $0.path == place.path && $0.position == place.position }) { places.append(place) }
      }
    }
    return places
  }

  /// Returns the only path that a selector matches, with a position if the selector has a fixed row.
  ///
  /// - Parameter isInner: True if the selector begins at an element within the page instead of at its root.
  static func place(of selector: ElementSelector, isInner: Bool = false) throws(Reason) -> Place {
    guard selector.isAnchored else {
      throw Reason(.floating, "Its selector may begin anywhere; only one that begins with / can be expressed.")
    }
    var components: [String] = []
    var position: String?
    // In nested lists, the SDK leaves only the row of the innermost list open.
    var isInList = false
    for (i, step) in selector.steps.enumerated().reversed() {
      guard case .component(.name(let name), let locator) = step else {
        throw Reason(.wildcard, "Its selector has a wildcard: \(step).")
      }
      let isRoot = i == 0 && !isInner
      switch locator {
      case .some(.none): components.append(name.text)
      case nil:
        guard isRoot || name.text.beginsWithBytes(of: "[Section") else {
          throw Reason(.openIndex, "Its selector does not say which \(name) it means.")
        }
        components.append(name.text)
      case .index(let test):
        let isOpen = !isInList && ["UITabBarButton", "UISegment"].contains(name.text)
        if isOpen {
          components.append("\(name)[-]")
          isInList = true
          if let number = exact(test) {
            position = String(number)
          } else if test != .any {
            throw Reason(.several, "Its selector means several of \(name).")
          }
        } else {
          guard let number = exact(test) else { throw Reason(.several, "Its selector means several of \(name).") }
          components.append("\(name)[\(number)]")
        }
      case .conditions: throw Reason(.texts, "Its selector is one of a web page, which this SDK does not have.")
      case .texts: throw Reason(.texts, "Its selector asks for texts, which paths of this SDK do not have.")
      case .fields(let tests):
        let section = tests.first { $0.field == .section }.flatMap { exact($0.test) }
        guard let section, tests.allSatisfy({ [.section, .row, .item].contains($0.field) }) else {
          throw Reason(.openIndex, "Its selector does not say which section of \(name) it means.")
        }
        let row = tests.first { $0.field == .row || $0.field == .item }?.test ?? .any
        if let number = exact(row) {
          if isInList { components.append("\(name)[\(section)][\(number)]") } else { position = "\(section):\(number)" }
        } else if isInList || row != .any {
          throw Reason(.several, "Its selector means several rows of \(name).")
        }
        if !isInList { components.append("\(name)[\(section)][-]") }
        isInList = true
      }
    }
    return (components.reversed().joined(separator: "/"), position)
  }

  static func exact(_ test: ElementSelector.NumberTest) -> Int? {
    if case .range(let lower?, let upper?) = test, lower == upper { return lower }
    return nil
  }
}
