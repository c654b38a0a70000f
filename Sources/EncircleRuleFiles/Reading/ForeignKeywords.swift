import EncircleText

/// Words of other rule languages and query languages, with their equivalents in rule files.
package struct ForeignKeywords {
  /// The intended meaning.
  package enum Meaning {
    /// This word.
    case word(String)
    /// Something that is written in another way, which a sentence explains.
    case other(String)
  }

  // The words without separators and in lower case.
  private let meanings: [String: Meaning]
  // This is true if authors tend to write properties at this place, although they belong one level deeper.
  private var hasProperties = false
  private static let propertyPlace = "properties stand under 'where' in a clause, as in where: { $element_content: … }"

  /// The message about merge keys, which YAML 1.1 has and YAML 1.2 does not.
  static let mergeKeys =
    "merge keys are not read: what several rules share has a name under 'define', by which 'use' takes it"

  private init(_ words: [String: String], other: [String: String] = [:], hasProperties: Bool = false) {
    self.hasProperties = hasProperties
    var meanings: [String: Meaning] = [:]
    for (list, word) in words {
      for mistaken in list.splitBytes(at: " ") { meanings[String(mistaken)] = .word(word) }
    }
    for (list, sentence) in other {
      for mistaken in list.splitBytes(at: " ") { meanings[String(mistaken)] = .other(sentence) }
    }
    self.meanings = meanings
  }

  /// Returns the probable meaning of a word from another language; nil for unknown words.
  package func meaning(of word: String) -> Meaning? {
    guard word.utf8.count <= 24 else { return nil }
    if word.utf8.first == UInt8(ascii: "$"), hasProperties { return .other(Self.propertyPlace) }
    return meanings[word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }]
  }

  /// No words.
  package static let none = ForeignKeywords([:])

  /// For tests of values.
  package static let tests = ForeignKeywords(
    [
      "gte ge min atleast greaterthanorequal greaterthanorequals =>": ">=",
      "gt greaterthan above": ">",
      "lte le max atmost lessthanorequal lessthanorequals =<": "<=",
      "lt lessthan below": "<",
      "regex regexp re pattern rlike match ~ =~": "matches",
      "== = === eq equal equalto is value": "equals",
      "startswith beginswith starts begins hasprefix": "prefix",
      "endswith ends hassuffix": "suffix",
      "includes include has substring like": "contains",
      "wildcard fnmatch": "glob",
      "oneof anyof isin isset": "in", "anyitem some someitem hasitem": "any", "allitems every each": "all",
      "exist present defined": "exists",
      "semver versions versionrange": "version",
      "ignorecase caseinsensitive nocase icase insensitive": "fold",
      "instanceof subclassof isa iskindof class": "kindOf",
    ],
    other: [
      "!= ne neq notequal notequals isnot <>": "what must not hold stands under 'not', as in not: { equals: … }",
      "notin nin noneof": "what must not hold stands under 'not', as in not: { in: [ … ] }",
      "notcontains doesnotcontain notlike": "what must not hold stands under 'not', as in not: { contains: … }",
      "or": "several values are a list, as in [ a, b ]; other alternatives are clauses, in a list under 'include'",
      "and allof": "several tests in one mapping must all hold, as in { '>=': 1, '<': 5 }",
      "between range": "a range is two tests, as in { '>=': 1, '<=': 5 }",
      "isnull null empty": "a missing property is tested by exists: false, and null by equals: null",
    ])

  /// For the parts of a clause.
  package static let clause = ForeignKeywords(
    [
      "events eventname name eventtype type": "event",
      "pages screen screenname controller viewcontroller pagename vc": "page",
      "selectors path xpath element elementpath view css elementselector": "selector",
      "id ids eventids hash elementid": "eventID",
      "identities identitystring": "identity",
      "properties property props conditions condition filters filter params attributes when": "where",
      "inside in ancestor parent closest container": "within",
    ],
    other: [
      "or any anyof oneof": "alternatives are a list of clauses, one of which must match",
      "and all allof": "all parts of a clause must hold anyway: list them without 'and'",
      "not except exclude": "write exceptions under 'unless', next to 'include' or 'exclude'",
      "version appversion": "properties stand under 'where', as in where: { $app_version: { version: \">=5.2\" } }",
      "text content title label": propertyPlace,
      "unless emit name enabled description owner tags origin from to samekind tolerance checks":
        "it belongs to the rule: write it beside 'include' or 'exclude', one level higher",
      "include": "a clause cannot contain clauses: write its parts here, without 'include'",
      "app appid bundleid package":
        "the app belongs to the file, for all its rules; for one clause it is a property, as in where: { $app_id: … }",
    ], hasProperties: true)

  /// For the keys of `within`.
  package static let within = ForeignKeywords([
    "element class view cell path": "selector", "text content equals is contains value label where": "says",
  ])

  /// For the keys of a page that is excluded with exceptions.
  package static let excludedPage = ForeignKeywords([
    "class name controller kindof": "page", "except not without but": "unless",
  ])

  /// For the keys of a rule.
  package static let rule = ForeignKeywords(
    [
      "includes select match when if track": "include",
      "excludes ignore drop deny block": "exclude",
      "except not without": "unless",
      "as alias rename eventname output": "emit",
      "property props params parameters attributes variables vars capture": "properties",
      "title label": "name",
      "desc comment note summary": "description",
      "start since begin after startdate": "from",
      "end until till before enddate": "to",
      "tag labels": "tags", "source provenance importedfrom": "origin", "author team": "owner", "active on": "enabled",
      "key ruleid": "id",
      "samekinds anyrow similar": "sameKind", "check suppress": "checks",
      "tolerate similarity threshold fuzzy approximate": "tolerance",
    ],
    other: [
      "event page selector eventid identity where path":
        "write what a rule matches under 'include' or 'exclude', one level deeper",
      "disabled off": "to switch a rule off, write enabled: false",
    ], hasProperties: true)

  /// For the keys of where a rule comes from.
  package static let origin = ForeignKeywords([
    "from name system product source": "tool", "key number action definition": "id", "link href address": "url",
  ])

  /// For the keys of a property that a rule gives.
  package static let property = ForeignKeywords([
    "const constant literal equals is": "value", "prop field attribute from": "property",
    "position locator": "path", "selector xpath view of text content": "element",
    "regular regex regexp re pattern match matches expression find": "extract", "kind valuetype as": "type",
  ])

  /// For the keys of a rule file.
  package static let file = ForeignKeywords(
    [
      "rule events items selections": "rules", "application bundle bundleid appid package": "app",
      "pathstyle format sdk": "style", "class hierarchy superclasses": "classes", "field mapping": "fields",
      "page screens": "pages", "check lint": "checks", "schema": "$schema", "tracking mode": "track",
    ],
    other: [
      "include exclude id emit": "rules are a list under 'rules', each with a '-' in front"
    ])
}
