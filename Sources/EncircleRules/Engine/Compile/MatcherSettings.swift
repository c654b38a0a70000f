import EncircleIdentity
import EncircleText
import EncircleTree

/// The settings of a rule set: everything beside its rules.
struct MatcherSettings: Sendable {
  var track: RuleSet.Tracking
  var excludedPages: [ExcludedPage]
  var excludesDefaultPages: Bool
  var identity: IdentityOptions
  var classes: [UTF8String: UTF8String]
  var fields: EventFields
  var style: PathStyleName

  init(_ ruleSet: RuleSet) {
    track = ruleSet.track
    excludedPages = ruleSet.excludedPages
    excludesDefaultPages = ruleSet.excludesDefaultPages
    identity = ruleSet.identity
    classes = ruleSet.classes
    fields = ruleSet.fields
    style = ruleSet.style
  }

  func hierarchy(_ dictionary: ElementDictionary) -> ClassHierarchy {
    var hierarchy = dictionary.hierarchy
    hierarchy.add(classes)
    if style.isAndroid { hierarchy.insertShortNames() }
    return hierarchy
  }

  func vocabulary(_ dictionary: ElementDictionary) -> ClassVocabulary {
    var vocabulary = dictionary.vocabulary
    for name in classes.keys { vocabulary.insert(name.text) }
    return vocabulary
  }
}
