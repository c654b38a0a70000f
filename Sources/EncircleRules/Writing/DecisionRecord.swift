import EncircleEvents
import EncircleIdentity
import EncircleText

/// The decision on one event, as bytes that the matcher owns, to avoid creating strings.
///
/// One record is reused for all events. Its contents are valid until its decider decides the next event.
package struct DecisionRecord {
  /// This is true if the event is selected.
  package private(set) var isSelected = false
  /// The event ID of the element; nil if it is unknown, or was not asked for.
  package private(set) var eventID: EventID?
  /// The numbers of the rules that match, in byte order of their ids.
  package private(set) var rules = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
  /// The numbers of the excluded pages that the event is on.
  package private(set) var pages: [Int] = []
  /// The names under which the event is selected, in byte order, without duplicates.
  package private(set) var names: [DecisionText.EmitName] = []
  /// The rule that would probably select the event; nil if a rule is about the event, or if the matcher tolerates nothing.
  package private(set) var resolution = Decision.Resolution.none
  /// The rule that would probably select the event, where no rule is about it.
  package private(set) var approximate: Approximation?

  /// The properties that the rules give the event; none unless it is selected.
  package private(set) var properties: [RulePropertyValues] = []

  private let usesTolerance: Bool
  private let givesProperties: Bool

  /// Creates a record for the decisions of a matcher.
  package init(for matcher: Matcher) {
    usesTolerance = matcher.toleranceTable != nil
    givesProperties = matcher.givesProperties
  }

  /// Decides the event that a reader has returned last.
  package mutating func decide(
    eventOf reader: borrowing EventReader, _ decider: inout Decider, _ matcher: borrowing Matcher,
    findingEventID: Bool = true
  ) {
    isSelected = decider.selects(eventOf: reader)
    resolution = decider.resolution(ofEventOf: reader)
    // The event ID distinguishes an unknown element from an unreadable path.
    eventID = findingEventID || resolution == .unresolved ? decider.eventID(ofEventOf: reader) : nil
    takeMatches(of: decider, matcher)
    if givesProperties { properties = isSelected ? decider.properties(ofEventOf: reader) : [] }
    if usesTolerance { approximate = decider.approximation(ofEventOf: reader) }
  }

  /// Decides an event that arrives as a single JSON text, without determining how its element was found or which rule would probably
  /// select it.
  ///
  /// - Throws: A `Rejection` with the place of the problem; the contents of the record are then meaningless.
  package mutating func decide(
    message: UnsafeBufferPointer<UInt8>, _ decider: inout Decider, _ matcher: borrowing Matcher,
    findingEventID: Bool = false, readingProperties: Bool = false
  ) throws(Rejection) {
    isSelected = try decider.selects(message: message)
    eventID = findingEventID ? decider.eventIDOfMessage() : nil
    resolution = .none
    approximate = nil
    takeMatches(of: decider, matcher)
    properties = readingProperties && givesProperties && isSelected ? decider.propertiesOfMessage() : []
  }

  private mutating func takeMatches(of decider: borrowing Decider, _ matcher: borrowing Matcher) {
    rules = decider.matchedNumbers
    pages = decider.matchedPages
    names.removeAll(keepingCapacity: true)
    if isSelected { DecisionText.collectNames(of: rules, matcher, into: &names) }
  }

  /// Appends the decision as a line.
  ///
  /// - Parameters:
  ///   - line: The line of the event in its input, from 1.
  ///   - item: The number of the event within the group of events on that line, from 1; nil if the event is not in a group.
  ///   - input: A member that names the input, followed by a comma; empty for none.
  ///   - showsDetails: True to include the rules' names, owners, tags and origins; see ``SelectionRule/details``.
  package func appendLine(
    _ line: Int, item: Int? = nil, input: [UInt8] = [], showsResolution: Bool = false, showsDetails: Bool = false,
    _ matcher: borrowing Matcher,
    to bytes: inout [UInt8]
  ) {
    bytes.append("{")
    bytes.append(contentsOf: input)
    bytes.append("\"line\":")
    appendDecimal(line, to: &bytes)
    if let item {
      bytes.append(",\"item\":")
      appendDecimal(item, to: &bytes)
    }
    bytes.append(",")
    appendMembers(showsResolution, showsDetails, matcher, to: &bytes)
    bytes.append("}\n")
  }

  /// Appends the decision as an object.
  package func appendObject(_ matcher: borrowing Matcher, to bytes: inout [UInt8]) {
    bytes.append("{")
    appendMembers(false, false, matcher, to: &bytes)
    bytes.append("}")
  }

  /// Appends an event as a line, with the decision as its member `$encircle`. What a collector stated there about its arrival stays, as
  /// repeats could not be recognised without it.
  package func appendEvent(
    of reader: borrowing EventReader, showsResolution: Bool = false, showsDetails: Bool = false,
    _ matcher: borrowing Matcher,
    to bytes: inout [UInt8]
  ) {
    let arrival = reader.withEvent { DecisionText.appendOpen($0, to: &bytes) }
    appendMembers(showsResolution, showsDetails, matcher, to: &bytes)
    bytes.append(contentsOf: arrival)
    bytes.append("}}\n")
  }

  private func appendMembers(
    _ showsResolution: Bool, _ showsDetails: Bool, _ matcher: borrowing Matcher, to bytes: inout [UInt8]
  ) {
    if let eventID {
      bytes.append("\"event_id\":\"")
      eventID.write(to: &bytes)
      bytes.append("\",")
    }
    if !isSelected, rules.isEmpty, pages.isEmpty {
      // This is the decision on most events of a stream.
      bytes.append("\"selected\":false,\"rules\":[],\"excluded_by\":[],\"emit\":[]")
    } else {
      appendMatches(matcher, to: &bytes)
    }
    if showsDetails { appendDetails(matcher, to: &bytes) }
    if !properties.isEmpty { append(to: &bytes) { $0.member(properties) } }
    if let approximate { append(to: &bytes) { $0.member(approximate) } }
    if showsResolution { appendResolution(to: &bytes) }
  }

  /// Appends whether the event is selected, with the matching rules and the names.
  private func appendMatches(_ matcher: borrowing Matcher, to bytes: inout [UInt8]) {
    bytes.append(isSelected ? "\"selected\":true,\"rules\":[" : "\"selected\":false,\"rules\":[")
    var excludes = 0
    var isFirst = true
    for rule in rules {
      if matcher.isExclude(Int(rule)) {
        excludes += 1
      } else {
        Self.appendElement(matcher.idBytes(ofRule: Int(rule)), &isFirst, to: &bytes)
      }
    }
    bytes.append("],\"excluded_by\":[")
    isFirst = true
    if excludes > 0 {
      for rule in rules where matcher.isExclude(Int(rule)) {
        Self.appendElement(matcher.idBytes(ofRule: Int(rule)), &isFirst, to: &bytes)
      }
    }
    if !pages.isEmpty {
      bytes.append("],\"pages\":[")
      isFirst = true
      for name in matcher.excludedPageNames(pages) {
        var text = name.text
        text.withUTF8 { Self.appendElement($0, &isFirst, to: &bytes) }
      }
    }
    bytes.append("],\"emit\":[")
    isFirst = true
    for name in names { Self.appendElement(name.bytes, &isFirst, to: &bytes) }
    bytes.append("]")
  }

  /// Appends the details of the rules that match, by their IDs; nothing if no rule has any.
  private func appendDetails(_ matcher: borrowing Matcher, to bytes: inout [UInt8]) {
    var isFirst = true
    for rule in rules {
      let details = matcher.detailBytes(ofRule: Int(rule))
      if details.isEmpty { continue }
      bytes.append(isFirst ? ",\"details\":{" : ",")
      isFirst = false
      JSONText.append(matcher.idBytes(ofRule: Int(rule)), to: &bytes)
      bytes.append(":")
      bytes.append(contentsOf: details)
    }
    if !isFirst { bytes.append("}") }
  }

  /// Appends members that few decisions have.
  private func append(to bytes: inout [UInt8], _ write: (inout JSONBuilder) -> Void) {
    var json = JSONBuilder()
    swap(&json.bytes, &bytes)
    write(&json)
    swap(&json.bytes, &bytes)
  }

  /// Appends how the element of an event was found, or why it was not found or is uncertain.
  private func appendResolution(to bytes: inout [UInt8]) {
    bytes.append(",\"resolution\":\"")
    bytes.append(contentsOf: resolution.rawValue.utf8)
    switch resolution {
    case .none, .path, .dictionary: bytes.append("\"")
    case .ambiguous: bytes.append("\",\"reason\":\"the path has several readings\"")
    case .unresolved:
      bytes.append(
        eventID == nil
          ? "\",\"reason\":\"the path cannot be read\"" : "\",\"reason\":\"nothing known has the event ID\"")
    }
  }

  private static func appendElement(
    _ text: UnsafeBufferPointer<UInt8>, _ isFirst: inout Bool, to bytes: inout [UInt8]
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    JSONText.append(text, to: &bytes)
  }
}
