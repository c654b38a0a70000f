import EncircleEvents
import EncircleRules
import EncircleText

/// A rule that ends with a version of the app, as `unless: { where: { $app_version: { version: ">=5.2" } } }` says.
///
/// Events of old versions, also those that are stored, stay selected.
public enum RetiredRule {
  /// Returns a rule that does not apply from a version of the app on.
  ///
  /// - Parameters:
  ///   - rule: As its file has it.
  ///   - version: The first version in which it does not apply.
  /// - Returns: Nil for a text that is no version.
  public static func retiring(_ rule: EventObject, from version: String, _ fields: EventFields) -> EventObject? {
    guard VersionNumber(version) != nil, let place = fields.places(of: .appVersion).first else { return nil }
    let test: EventObject = ["version": .string(">=" + version)]
    let clause: EventObject = ["where": .object([place.description: .object(test)])]
    var rule = rule
    switch rule["unless"] {
    case nil, .null?: rule["unless"] = .object(clause)
    case .list(let clauses)?: rule["unless"] = .list(clauses + [.object(clause)])
    case let other?: rule["unless"] = .list([other, .object(clause)])
    }
    return rule
  }
}

extension SelectionRule {
  /// Returns whether the rule applies to the version of none of these screens: whether for each of them a clause of `unless`
  /// holds that tests nothing but the version.
  func isRetired(on screens: [NamedScreen], _ fields: EventFields) -> Bool {
    guard !screens.isEmpty, !unless.isEmpty else { return false }
    let places = fields.places(of: .appVersion)
    let probes = unless.compactMap { clause -> ConditionProbe? in
      guard clause.event == nil, clause.page == nil, clause.selectors.isEmpty, clause.eventIDs.isEmpty,
        clause.properties.count == 1, let test = clause.properties.first, places.contains(test.property)
      else { return nil }
      return ConditionProbe(test.condition)
    }
    return screens.allSatisfy { screen in
      guard let version = screen.screen.tree.header.appVersion else { return false }
      return probes.contains { $0.holds(.string(version)) }
    }
  }
}
