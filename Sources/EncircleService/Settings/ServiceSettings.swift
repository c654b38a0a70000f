import EncircleText

/// The settings that can be changed while the service runs.
struct ServiceSettings: Encodable, Sendable, Equatable {
  /// This is true if a second person must approve before rules are published.
  var approval = false
  /// The number of days for which events are kept.
  var retentionDays: Int
  /// The number of events that are kept.
  var retentionRows: Int
  /// The properties of events that are never stored, by name or JSON Pointer.
  var redact: [String]
  /// The significance level of alarms: the probability of any alarm if no rule's rate has really changed.
  var healthAlpha = 0.001

  init(_ configuration: ServiceConfiguration) {
    retentionDays = configuration.retention.days
    retentionRows = configuration.retention.rows
    redact = configuration.redactedProperties
  }

  /// Returns the settings with some of them changed by the members of an object.
  ///
  /// - Throws: ``ServiceError`` with 422 if a value is invalid.
  func changed(by change: Change) throws -> ServiceSettings {
    var settings = self
    settings.approval = change.approval ?? approval
    settings.retentionDays =
      try Self.checked(change.retentionDays, as: \.retention.days, "retention_days") ?? retentionDays
    settings.retentionRows =
      try Self.checked(change.retentionRows, as: \.retention.rows, "retention_rows") ?? retentionRows
    settings.redact = try change.redact.map(Self.checkedNames) ?? redact
    if let alpha = change.healthAlpha {
      guard alpha > 0, alpha <= 0.5 else {
        throw Self.wrong("health_alpha", "This must be a number above 0, and no more than 0.5.")
      }
      settings.healthAlpha = alpha
    }
    return settings
  }

  /// Returns the members whose values differ from the configuration because they were set while a service ran. A limit that has
  /// its default in the configuration counts as not stated there.
  func membersInPlace(of configuration: ServiceConfiguration) -> [String] {
    let (stated, usual) = (configuration.retention, EventLimits())
    var members: [String] = []
    if !configuration.redactedProperties.allSatisfy({ name in redact.contains { $0.hasSameBytes(as: name) } }) {
      members.append("redact")
    }
    if stated.days != usual.days, stated.days != retentionDays { members.append("retention_days") }
    if stated.rows != usual.rows, stated.rows != retentionRows { members.append("retention_rows") }
    return members
  }

  /// Changes of some settings. Members that are nil leave their setting unchanged.
  struct Change: Encodable, Sendable {
    var approval: Bool?
    var retentionDays: Int?
    var retentionRows: Int?
    var redact: [String]?
    var healthAlpha: Double?

    /// Returns this change combined with a later one.
    func followed(by later: Change) -> Change {
      Change(
        approval: later.approval ?? approval, retentionDays: later.retentionDays ?? retentionDays,
        retentionRows: later.retentionRows ?? retentionRows, redact: later.redact ?? redact,
        healthAlpha: later.healthAlpha ?? healthAlpha)
    }
  }

  private static func checked(
    _ value: Int?, as path: KeyPath<ServiceConfiguration, Int>, _ name: String
  ) throws -> Int? {
    let range = Setting.range(of: path)
    guard let value, !range.contains(value) else { return value }
    throw wrong(name, "This must be a whole number from \(range.lowerBound) to \(range.upperBound).")
  }

  private static func checkedNames(_ names: [String]) throws -> [String] {
    guard names.count <= 1_000 else { throw wrong("redact", "No more than 1000 properties can be named.") }
    for (i, name) in names.enumerated()
    where name.unicodeScalars.count > 250 || !ServiceConfiguration.isProperty(name) {
      throw wrong("redact/\(i)", "This must be the name of a property, or a JSON Pointer, of at most 250 characters.")
    }
    return names
  }

  private static func wrong(_ pointer: String, _ message: String) -> ServiceError {
    .invalid(message, code: "bad-value", location: .init(pointer: "/\(pointer)"))
  }
}

extension ServiceSettings.Change {
  init(_ body: JSONBody) throws {
    approval = try body.optional("approval") { try $0.flag }
    retentionDays = try body.optional("retention_days") { try $0.integer }
    retentionRows = try body.optional("retention_rows") { try $0.integer }
    redact = try body.optional("redact") { try $0.texts }
    healthAlpha = try body.optional("health_alpha") { try $0.double }
  }
}
