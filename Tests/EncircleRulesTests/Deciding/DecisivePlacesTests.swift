import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import Testing

/// The places on which decisions depend: what differs in none of them may be decided once.
@Suite struct DecisivePlacesTests {
  private static let spans = """
    version: 1
    rules:
      - { id: a, during: [{ to: 2026-01-01 }, { from: 2026-03-01 }], include: { event: x } }
    """
  private static let styles = """
    version: 1
    rules:
      - { id: a, style: sensors, include: { selector: UIButton } }
      - { id: b, style: sensors-android, include: { selector: android.widget.Button } }
      - { id: c, style: growingio, include: { event: VIEW_CLICK } }
    """

  @Test(
    "a place at which two events differ that are decided differently is among them",
    arguments: [
      (spans, "/time", #"{"event":"x","time":1769900000000}"#, #"{"event":"x","time":1775000000000}"#),
      (
        styles, "$lib", #"{"properties":{"$lib":"iOS","$element_path":"UIButton"}}"#,
        #"{"properties":{"$lib":"Android","$element_path":"UIButton"}}"#
      ),
      (
        styles, "$os", #"{"properties":{"$os":"iOS","$element_path":"UIButton"}}"#,
        #"{"properties":{"$os":"Android","$element_path":"UIButton"}}"#
      ),
      (
        styles, "/eventType", #"{"event":"VIEW_CLICK","eventType":"VIEW_CLICK"}"#, #"{"event":"VIEW_CLICK"}"#
      ),
    ])
  func places(rules: String, place: String, one: String, other: String) throws {
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    var decider = Decider(matcher)
    #expect(try decider.decide(json: one.utf8).rules != decider.decide(json: other.utf8).rules)
    #expect(matcher.decisivePlaces.contains(try #require(PropertyReference(parsing: place))))
  }

  @Test("rules without times do not make the time decisive")
  func others() throws {
    let rules = "version: 1\nrules: [{ id: a, include: { event: x } }]"
    let places = Matcher(try RuleFiles(text: rules).ruleSet()).decisivePlaces
    #expect(!places.contains(try #require(PropertyReference(parsing: "/time"))))
  }
}
