import EncircleIdentity
import EncircleText
import EncircleTree

/// The settings of a rule set: everything except its rules.
struct MatcherSettings: Sendable {
  var track: RuleSet.Tracking
  var excludedPages: [ExcludedPage]
  var excludesDefaultPages: Bool
  var identity: IdentityOptions
  var classes: [UTF8String: UTF8String]
  var fields: EventFields
  var style: PathStyleName
  /// This is true if some rule reads properties off other elements of screens.
  var readsScreens: Bool

  init(_ ruleSet: RuleSet) {
    track = ruleSet.track
    excludedPages = ruleSet.excludedPages
    excludesDefaultPages = ruleSet.excludesDefaultPages
    identity = ruleSet.identity
    classes = ruleSet.classes
    fields = ruleSet.fields
    style = ruleSet.style
    readsScreens = ruleSet.readsScreens
  }

  func hierarchy(_ dictionary: ElementDictionary) -> ClassHierarchy {
    var hierarchy = dictionary.hierarchy
    hierarchy.add(classes)
    if style == .postHog { addScreens(to: &hierarchy) }
    if style.isAndroid { hierarchy.insertShortNames() }
    return hierarchy
  }

  /// Adds PostHog's names for controllers as subclasses of the controllers, so that class tests and excluded pages also apply to
  /// these names.
  private func addScreens(to hierarchy: inout ClassHierarchy) {
    var names = Set(classes.keys).union(classes.values).union(excludedPages.map(\.name))
    if excludesDefaultPages { names.formUnion(ExcludedPage.defaults.map(\.name)) }
    hierarchy.forEachClass(kindOfAny: ["UIViewController"]) { names.insert(UTF8String($0)) }
    // If two controllers have the same name in PostHog, the first in byte order counts, regardless of the order in which they were found.
    for name in names.sorted() {
      let screen = PathStyleName.postHogScreen(ofController: name.text)
      if !screen.isEmpty, UTF8String(screen) != name, hierarchy.superclasses(of: screen).isEmpty {
        hierarchy.add(screen, superclass: name.text)
      }
    }
  }

  func vocabulary(_ dictionary: ElementDictionary) -> ClassVocabulary {
    var vocabulary = dictionary.vocabulary
    for name in classes.keys { vocabulary.insert(name.text) }
    return vocabulary
  }
}
