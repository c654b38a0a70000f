import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// A rule that ends with a version of the app, as `unless: { where: { $app_version: { version: ">=5.2" } } }` says.
///
/// Events of old versions stay selected, stored ones included.
public enum RetiredRule {
  /// Returns a rule that applies only before a version of the app. In a rule set with several styles, it gets an
  /// exception for each of its styles, because their events have the version in different places.
  ///
  /// - Important: Each platform numbers its versions in its own way.
  ///
  /// - Parameters:
  ///   - rule: As its file has it.
  ///   - read: The same rule as it was read.
  ///   - ruleSet: The rule set that contains it.
  ///   - version: The first version in which it does not apply.
  ///   - screens: Screens of the platforms that the version is of; nil for all platforms.
  /// - Returns: Nil if the text is not a version.
  /// - Complexity: O(clauses × styles).
  public static func retiring(
    _ rule: EventObject, read: SelectionRule, in ruleSet: RuleSet, from version: String,
    on screens: [IdentifiedTree]? = nil
  ) -> EventObject? {
    guard VersionNumber(version) != nil else { return nil }
    let settings = ruleSet.withoutRules
    let ended = screens.map { Set($0.map { settings.part(for: $0).style }) }
    let test: EventObject = ["version": .string(">=" + version)]
    let clauses = ruleSet.styles.compactMap { style -> EventValue? in
      guard read.clauses.contains(where: { $0.isFor(style) }),
        ended?.contains(where: { $0.isAndroid == style.isAndroid && $0.isWeb == style.isWeb }) ?? true,
        let place = ruleSet.fields(of: style).places(of: .appVersion).first
      else { return nil }
      let condition: EventValue = .object([place.description: .object(test)])
      return .object(
        ruleSet.otherStyles.isEmpty
          ? ["where": condition] : ["style": .string(style.rawValue), "where": condition])
    }
    guard !clauses.isEmpty else { return nil }
    var rule = rule
    switch rule["unless"] {
    case nil, .null?: rule["unless"] = clauses.count == 1 ? clauses[0] : .list(clauses)
    case .list(let others)?: rule["unless"] = .list(others + clauses)
    case let other?: rule["unless"] = .list([other] + clauses)
    }
    return rule
  }
}

extension SelectionRule {
  /// Returns whether the rule does not apply to the version of any of these screens: for each, a clause of `unless` holds
  /// that tests only the version.
  ///
  /// - Parameter screens: Each with the settings for its events.
  func isRetired(on screens: [(screen: IdentifiedTree, settings: SelectionSettings)]) -> Bool {
    guard !screens.isEmpty, !unless.isEmpty else { return false }
    return screens.allSatisfy { screen, settings in
      guard let version = screen.tree.header.appVersion else { return false }
      let places = settings.fields.places(of: .appVersion)
      return unless.contains { clause in
        guard clause.isFor(settings.style), clause.event == nil, clause.page == nil, clause.selectors.isEmpty,
          clause.eventIDs.isEmpty, clause.properties.count == 1, let test = clause.properties.first,
          places.contains(test.property)
        else { return false }
        return ConditionProbe(test.condition).holds(.string(version))
      }
    }
  }

  /// Returns whether the rule has an end, and none of these screens is known to be captured before it.
  func isOver(on screens: [IdentifiedTree]) -> Bool {
    guard let to else { return false }
    return !screens.contains { screen in
      screen.tree.header.capturedAt.flatMap { Timestamp.parse($0) }.map { $0.lowerBound <= to } ?? false
    }
  }
}
