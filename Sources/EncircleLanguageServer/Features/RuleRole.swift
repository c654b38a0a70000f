import EncircleRuleFiles
import EncircleRules

/// The role of a node in a file of rules or tests.
enum RuleRole: Equatable {
  /// The subject of a test.
  enum Subject: Equatable {
    case event, page
    case property(String)
    /// The text of an element around the event's element.
    case saying
  }

  case definitions, namedClauses, namedValues, usedClause, usedValue
  case ruleFile, version, tracking, style, ownStyle, sample, windows, flag, tolerance, app
  case classes, className, pages, pageNames, pageName, titledPages, identityOptions, fields, property
  case checks, checkSetting, severity
  case within
  case rules, rule, clauses, selectors, eventIDs, identities, properties
  case givenProperties, givenProperty, pathNumber, valueType
  case origin, originTool
  case test(Subject), value(Subject)
  case testFile, tests, ruleTest, expectation, expectedProperties, ruleIDs, emits, elements
  case other

  /// Creates the role of the node at a path in a file of rules or tests; in other files, each node has the role ``other``.
  init(_ path: [YAMLPlace.Step], inFile name: String) {
    switch RuleDirectory.Companion(ofFile: name) {
    case .tests: self = .testFile
    case .plan, .coverage: self = .other
    case nil: self = RuleProject.isProjectFile(name) ? .other : .ruleFile
    }
    for step in path {
      switch step {
      case .key(let key): self = member(key)
      case .item: self = item
      }
    }
  }

  private func member(_ key: String) -> RuleRole {
    switch self {
    case .ruleFile: memberOfFile(key)
    case .rule: memberOfRule(key)
    case .classes: .className
    case .definitions: key == "clauses" ? .namedClauses : key == "values" ? .namedValues : .other
    case .namedClauses: .clauses
    case .namedValues: .test(.property(""))
    case .pages: key == "exclude" ? .pageNames : .flag
    case .identityOptions: .titledPages
    case .fields: .property
    case .checks: .checkSetting
    case .checkSetting: key == "severity" ? .severity : .other
    case .clauses: memberOfClause(key)
    case .pageNames, .pageName: key == "unless" ? .clauses : key == "page" ? .pageName : .other
    case .within: key == "selector" ? .selectors : key == "says" ? .test(.saying) : .other
    case .properties: .test(.property(key))
    case .givenProperties: .givenProperty
    case .givenProperty: memberOfGivenProperty(key)
    case .origin: key == "tool" ? .originTool : .other
    case .test(let subject): memberOfTest(key, subject)
    case .testFile: key == "tests" ? .tests : .other
    case .ruleTest: memberOfRuleTest(key)
    case .expectation: memberOfExpectation(key)
    default: .other
    }
  }

  private func memberOfFile(_ key: String) -> RuleRole {
    switch key {
    case "version": .version
    case "app": .app
    case "style": .style
    case "track": .tracking
    case "classes": .classes
    case "pages": .pages
    case "identity": .identityOptions
    case "fields": .fields
    case "checks": .checks
    case "define": .definitions
    case "rules": .rules
    default: .other
    }
  }

  private func memberOfRule(_ key: String) -> RuleRole {
    switch key {
    case "include", "exclude", "unless": .clauses
    case "enabled", "sameKind": .flag
    case "tolerance": .tolerance
    case "properties": .givenProperties
    case "style": .ownStyle
    case "during": .windows
    case "origin": .origin
    case "checks": .checks
    default: .other
    }
  }

  private func memberOfGivenProperty(_ key: String) -> RuleRole {
    switch key {
    case "property": .property
    case "path": .pathNumber
    case "element": .selectors
    case "type": .valueType
    default: .other
    }
  }

  private func memberOfClause(_ key: String) -> RuleRole {
    switch key {
    case "style": .ownStyle
    case "use": .usedClause
    case "event": .test(.event)
    case "page": .test(.page)
    case "selector": .selectors
    case "eventID": .eventIDs
    case "identity": .identities
    case "within": .within
    case "where": .properties
    default: .other
    }
  }

  private func memberOfTest(_ key: String, _ subject: Subject) -> RuleRole {
    switch key {
    case "not", "any", "all", "number": self
    case "sample": .sample
    case "use": .usedValue
    case "fold", "exists": .flag
    case "kindOf": .className
    case "equals", "in", "prefix", "suffix", "contains", "glob": .value(subject)
    default: .other
    }
  }

  private func memberOfRuleTest(_ key: String) -> RuleRole {
    switch key {
    case "selector": .selectors
    case "elements": .elements
    case "page": .value(.page)
    case "expect": .expectation
    default: .other
    }
  }

  private func memberOfExpectation(_ key: String) -> RuleRole {
    switch key {
    case "rules", "includes", "excludedBy": .ruleIDs
    case "emit": .emits
    case "properties": .expectedProperties
    case "pages": .pageNames
    case "selected": .flag
    default: .other
    }
  }

  private var item: RuleRole {
    switch self {
    case .rules: .rule
    case .tests: .ruleTest
    case .pageNames: .pageName
    case .test(let subject): .value(subject)
    // The value is one item or a list of items.
    case .clauses, .selectors, .eventIDs, .identities, .value, .className, .ruleIDs, .emits, .elements, .titledPages,
      .property, .app, .windows, .usedClause:
      self
    default: .other
    }
  }

  /// The keys that a mapping of the role may have.
  var keys: [String] {
    switch self {
    case .ruleFile: RuleFileKeys.file
    case .pages: RuleFileKeys.pages
    case .definitions: RuleFileKeys.define
    case .identityOptions: RuleFileKeys.identity
    case .fields: RuleFileKeys.fields
    case .checks: RuleFileKeys.checks
    case .checkSetting: RuleFileKeys.checkSetting
    case .rule: RuleFileKeys.rule
    case .clauses: RuleFileKeys.clause
    case .pageNames, .pageName: RuleFileKeys.excludedPage
    case .within: RuleFileKeys.within
    case .test(.saying): RuleFileKeys.saysTest
    case .givenProperty: RuleFileKeys.property
    case .test(.page): RuleFileKeys.pageTest
    case .test(.event): RuleFileKeys.nameTest
    case .sample: RuleFileKeys.sample
    case .windows: RuleFileKeys.window
    case .origin: RuleFileKeys.origin
    case .test: RuleFileKeys.test
    case .testFile: RuleTestKeys.file
    case .ruleTest: RuleTestKeys.test
    case .expectation: RuleTestKeys.expectation
    default: []
    }
  }
}
