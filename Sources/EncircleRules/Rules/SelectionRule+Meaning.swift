import EncircleEvents
import EncircleText

extension SelectionRule {
  /// The rule as bytes: rules with equal bytes make the same decisions and give events the same names and properties. Details that
  /// only inform people, such as the owner, are omitted.
  ///
  /// - Complexity: O(size of the rule).
  package var meaning: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(isEnabled ? 1 : 0)
    bytes.append(sameKind ? 1 : 0)
    ByteCoding.append(effect.rawValue, to: &bytes)
    Self.append(names, to: &bytes) { ByteCoding.append($0, to: &$1) }
    Self.append(apps, to: &bytes) { ByteCoding.append($0.text, to: &$1) }
    Self.append([Window(from: from, to: to)] + windows, to: &bytes) { window, bytes in
      for bound in [window.from, window.to] { ByteCoding.append(bound.map { "\($0)" } ?? "", to: &bytes) }
    }
    ByteCoding.append(tolerance.map { "\($0)" } ?? "", to: &bytes)
    Self.append(clauses, to: &bytes) { $0.encode(to: &$1) }
    Self.append(unless, to: &bytes) { $0.encode(to: &$1) }
    Self.append(properties, to: &bytes) { $0.encode(to: &$1) }
    return bytes
  }

  fileprivate static func append<Item>(
    _ items: [Item], to bytes: inout [UInt8], _ append: (Item, inout [UInt8]) -> Void
  ) {
    ByteCoding.append(items.count, to: &bytes)
    for item in items { append(item, &bytes) }
  }
}

extension RuleClause {
  fileprivate func encode(to bytes: inout [UInt8]) {
    for condition in [event, page] {
      bytes.append(condition == nil ? 0 : 1)
      condition?.encode(to: &bytes)
    }
    SelectionRule.append(selectors + [place].compactMap { $0 }, to: &bytes) {
      ByteCoding.append($0.description, to: &$1)
    }
    bytes.append(place == nil ? 0 : 1)
    SelectionRule.append(eventIDs, to: &bytes) { element, bytes in
      ByteCoding.append(element.eventID.description, to: &bytes)
      ByteCoding.append(element.identity?.text ?? "", to: &bytes)
    }
    SelectionRule.append(properties, to: &bytes) { test, bytes in
      ByteCoding.append(test.property.description, to: &bytes)
      test.condition.encode(to: &bytes)
    }
    switch style {
    case .unstated: ByteCoding.append("", to: &bytes)
    case .any: ByteCoding.append("any", to: &bytes)
    case .only(let style): ByteCoding.append("only \(style.rawValue)", to: &bytes)
    }
  }
}
