import EncircleAuthoring
import EncircleRules

/// The releases of plans.
extension PlanLibrary {
  /// Returns the plan joined with the rules in force, and with the draft's; without events if a rule set has no plan.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  func bothPlans(_ name: String) throws -> (current: TrackingPlan, draft: TrackingPlan) {
    (try joined(name, draft: false).plan, try joined(name, draft: true).plan)
  }

  /// Returns the record of a version; nil if it has none.
  static func record(of version: String, _ records: [String: ReleaseRecord]) -> ReleaseRecord? {
    ReleaseStore.version(version, among: records.keys).flatMap { records[$0] }
  }

  /// Returns the release that a version of the app belongs to.
  ///
  /// - Throws: ``ServiceError`` with 404 for a version that the plan does not mention and that has no record.
  func release(_ version: String, of name: String) throws -> PlanRelease {
    let plans = try bothPlans(name)
    let version = PlanRelease.version(for: version, in: plans.current) ?? version
    return try Self.release(version, of: name, plans, Self.record(of: version, try releases.releases(of: name)))
  }

  private static func release(
    _ version: String, of name: String, _ plans: (current: TrackingPlan, draft: TrackingPlan), _ known: ReleaseRecord?
  ) throws -> PlanRelease {
    let release = PlanRelease(version, plans.current, draft: plans.draft, known ?? ReleaseRecord())
    guard known != nil || !release.events.isEmpty else { throw noRelease(version, name) }
    return release
  }

  /// Sets the owner of a release, and the reviewer who must accept it.
  ///
  /// - Parameter check: Throws if the release is not the one that the caller has seen. It is called in the transaction, so that
  ///   nobody else changes the people or the acceptance between the check and the change.
  func setPeople(
    _ owner: String?, _ reviewer: String?, of version: String, in name: String, by: String,
    check: (PlanRelease) throws -> Void
  ) throws -> PlanRelease {
    let plans = try bothPlans(name)
    let version = PlanRelease.version(for: version, in: plans.current) ?? version
    try RuleSetLibrary.explaining(name) {
      try releases.set(owner: owner, reviewer: reviewer, of: version, in: name, by: by) { known in
        // A version for which nothing is planned has no release.
        try check(try Self.release(version, of: name, plans, known))
      }
    }
    return try release(version, of: name)
  }

  /// Adds the events that have arrived to the accepted ones of a release.
  ///
  /// - Parameter tried: The version of the app that sent them, which may be a pre-release.
  /// - Throws: ``ServiceError`` with 404 for an unknown release, or 409 if none of its events has arrived.
  func accept(
    _ arrived: [ReleaseRecord.Item], of tried: String, in name: String, _ plan: TrackingPlan, by: String
  ) throws -> PlanRelease {
    guard let version = PlanRelease.version(for: tried, in: plan) else { throw Self.noRelease(tried, name) }
    let wanted = Set(plan.entries.filter { PlanRelease.isNew($0, in: version) }.flatMap(PlanRelease.items))
    let new = wanted.intersection(arrived)
    guard !new.isEmpty else {
      throw ServiceError.conflict("No event of this release has arrived as planned.", code: "nothing-arrived")
    }
    try RuleSetLibrary.explaining(name) {
      try releases.accept(new, among: wanted, of: version, in: name, by: by)
    }
    return try release(version, of: name)
  }

  /// Withdraws the acceptance of the release that a version of the app belongs to.
  func unaccept(_ version: String, in name: String, by: String) throws {
    let version = PlanRelease.version(for: version, in: try joined(name, draft: false).plan) ?? version
    try RuleSetLibrary.explaining(name) { try releases.unaccept(version, in: name, by: by) }
  }

  private static func noRelease(_ version: String, _ name: String) -> ServiceError {
    ServiceError(
      .notFound, code: "no-release", message: "The plan of '\(name)' has no event that is new in this version.")
  }
}
