import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The values that captures and events have for the properties that rules test.
struct KnownValues {
  /// The values of one property.
  struct Column {
    /// The number of occurrences of each text.
    fileprivate(set) var texts: [UTF8String: Int] = [:]
    /// The pages on which short texts occur: without its page, a short text says little.
    fileprivate(set) var pagesOfShortTexts: [UTF8String: Set<UTF8String>] = [:]
    /// The number of values of each type.
    fileprivate(set) var textCount = 0
    fileprivate(set) var numberCount = 0
    fileprivate(set) var boolCount = 0
    fileprivate(set) var listCount = 0
    /// The number of nulls and objects.
    fileprivate(set) var otherCount = 0
    /// This is true if some texts are missing here, because they were too many or too long.
    fileprivate(set) var isOpen = false
    /// The numbers of elements of captures and of events that have the property.
    fileprivate(set) var captureCount = 0
    fileprivate(set) var eventCount = 0

    /// The number of values.
    var count: Int { textCount + numberCount + boolCount + listCount + otherCount }

    /// The source of the values in words.
    var source: String {
      if captureCount == 0 { return "the events" }
      return eventCount == 0 ? "the captures" : "the captures and events"
    }

    fileprivate mutating func add(_ value: EventValue, page: UTF8String?, isCapture: Bool) {
      if isCapture { captureCount += 1 } else { eventCount += 1 }
      switch value {
      case .string(let text):
        textCount += 1
        guard text.utf8.count <= KnownValues.longestText else {
          isOpen = true
          return
        }
        let key = UTF8String(text)
        if texts[key] != nil || texts.count < KnownValues.maximumTexts {
          texts[key, default: 0] += 1
          if let page, text.utf8.count <= KnownValues.shortText, !text.utf8.allSatisfy({ $0 < 0x80 }) {
            pagesOfShortTexts[key, default: []].insert(page)
          }
        } else {
          isOpen = true
        }
      case .number: numberCount += 1
      case .bool: boolCount += 1
      case .list: listCount += 1
      case .null, .object: otherCount += 1
      }
    }
  }

  // If there are more texts, or longer ones, people write them or they are identifiers. A new text then proves nothing.
  private static let maximumTexts = 2_000
  private static let longestText = 512
  // This is enough for three Chinese or Japanese characters of four bytes each.
  private static let shortText = 12
  // The number of elements of captures that may still be read.
  private var elements = 100_000
  // The number of texts of elements that may still be kept.
  private var shown = 50_000

  /// The values by property; properties that no rule tests are not here.
  private(set) var columns: [PropertyReference: Column] = [:]
  /// All texts, titles and messages of elements, including elements that send no events.
  private(set) var shownTexts: Set<UTF8String> = []
  private let fields: EventFields
  private let needsElements: Bool
  private let needsTexts: Bool
  // The properties whose values are recorded. They are kept separately, because iterating over the keys of `columns` would
  // copy it on every change.
  private let places: [PropertyReference]

  /// - Parameters:
  ///   - ruleSet: The rules whose tests count.
  ///   - earlier: The values from an earlier check. Captures that it has read are only read for properties that it lacked.
  init(_ ruleSet: RuleSet, after earlier: (values: KnownValues, rules: CommonRules)? = nil) {
    fields = ruleSet.fields
    var columns: [PropertyReference: Column] = [:]
    for rule in ruleSet.rules where rule.isEnabled {
      for clause in rule.clauses + rule.unless {
        for test in clause.properties { columns[test.property] = Column() }
      }
    }
    // ElementEvents puts everything into `properties`.
    func isOfElements(_ place: PropertyReference) -> Bool { if case .property = place { true } else { false } }
    var places = Array(columns.keys)
    var needsTexts = places.contains(where: isOfElements)
    if let (earlier, rules) = earlier {
      for place in places { if let known = earlier.columns[place] { columns[place] = known } }
      if rules.isRepeated {
        places.removeAll { earlier.columns[$0] != nil }
        if earlier.columns.keys.contains(where: isOfElements) { needsTexts = false }
      }
      if !rules.isRepeated { elements = earlier.elements }
      shownTexts = earlier.shownTexts
      shown -= shownTexts.count
    }
    self.columns = columns
    self.places = places
    needsElements = places.contains(where: isOfElements)
    self.needsTexts = needsTexts
  }

  /// This is true if a rule tests a property or a text that a capture can supply.
  var needsCaptures: Bool { needsElements || needsTexts }

  /// Adds the texts of a capture's elements.
  mutating func addTexts(of screen: IdentifiedTree) {
    guard needsTexts, shown > 0 else { return }
    for element in screen.tree.elements where shown > 0 && !screen.holdsTypedText(element) {
      for name in [AttributeName.text, .title, .message, .label] {
        guard let text = screen.tree.value(name, of: element), text.utf8.count <= Self.longestText else { continue }
        if shownTexts.insert(UTF8String(text)).inserted { shown -= 1 }
      }
    }
  }

  /// This is true if the events of taps on elements are still asked for.
  var takesTaps: Bool { needsElements && elements > 0 }

  /// Adds the values of the event that a tap on an element of a capture would send, if such events are asked for.
  mutating func addTap(_ event: AnalyticsEvent) {
    guard takesTaps else { return }
    elements -= 1
    add(event, isCapture: true)
  }

  /// Adds the values of an event.
  mutating func add(_ event: AnalyticsEvent) { add(event, isCapture: false) }

  private mutating func add(_ event: AnalyticsEvent, isCapture: Bool) {
    let page = event.text(.page, fields).map { UTF8String($0) }
    for place in places {
      if let value = event.value(at: place) { columns[place]?.add(value, page: page, isCapture: isCapture) }
    }
  }
}
