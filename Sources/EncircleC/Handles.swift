import CEncircle
import EncircleColumns
import EncircleEvents
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Bytes that a handle lends to its caller, until the next text takes their place.
final class LentText {
  private var bytes = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  private var capacity = 1
  private var count = 0

  init() { bytes[0] = 0 }

  deinit { bytes.deallocate() }

  var text: encircle_text { encircle_text(bytes: bytes, length: count) }

  func set(_ text: String) {
    var text = text
    text.withUTF8 { set($0) }
  }

  /// Keeps a copy, with a zero byte behind it.
  func set(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count + 1 > capacity {
      bytes.deallocate()
      capacity = text.count + 1
      bytes = .allocate(capacity: capacity)
    }
    for (i, byte) in text.enumerated() { bytes[i] = CChar(bitPattern: byte) }
    bytes[text.count] = 0
    count = text.count
  }
}

/// Rules that are loaded, which deciders share.
final class LoadedRules: Sendable {
  let matcher: Matcher
  /// The rules themselves; nil if they were compiled.
  let ruleSet: RuleSet?
  let version: String

  init(_ matcher: Matcher, _ ruleSet: RuleSet?, version: String) {
    self.matcher = matcher
    self.ruleSet = ruleSet
    self.version = version
  }
}

/// The object behind `encircle_rules`.
final class RulesHandle {
  private(set) var loaded: LoadedRules?
  let error = LentText()

  /// Loads compiled rules, or a rule file in YAML or JSON, compressed with gzip or not.
  func load(_ data: [UInt8], version: String) -> encircle_status {
    guard loaded == nil else {
      error.set("rules are loaded already: make another handle")
      return ENCIRCLE_INVALID_ARGUMENT
    }
    do {
      var source = ByteSource(data)
      let bytes = try source.readAll(limit: RuleFiles.maximumFileSize)
      if CompiledRules.isBeginning(of: bytes) {
        let compiled = try CompiledRules(bytes)
        guard !compiled.needsTextsWithin else { return refuseWithin() }
        loaded = LoadedRules(try Matcher(compiled: compiled), nil, version: version)
      } else if let text = String(validating: bytes, as: UTF8.self) {
        let ruleSet = try RuleFiles(text: text, name: Self.isJSON(text) ? "rules.json" : "rules.yaml").ruleSet()
        guard !ruleSet.rules.contains(where: { $0.isEnabled && $0.needsTextsWithin }) else { return refuseWithin() }
        loaded = LoadedRules(Matcher(ruleSet), ruleSet, version: version)
      } else {
        error.set("neither compiled rules nor a text in UTF-8")
        return ENCIRCLE_INVALID_RULES
      }
      error.set("")
      return ENCIRCLE_OK
    } catch let problem {
      error.set("\(problem)")
      return ENCIRCLE_INVALID_RULES
    }
  }

  /// Returns whether a rule file begins as JSON does: with a brace and a quote. In YAML, braces hold names without quotes, too.
  private static func isJSON(_ text: String) -> Bool {
    let beginning = text.utf8.lazy.filter { !isWhiteSpace($0) }.prefix(2)
    return beginning.elementsEqual([UInt8(ascii: "{"), UInt8(ascii: "\"")])
  }

  /// Refuses rules with `within`: without captures they would match nothing.
  private func refuseWithin() -> encircle_status {
    error.set("rules use 'within', which needs captures, and there are none here")
    return ENCIRCLE_INVALID_RULES
  }
}

/// The object behind `encircle_decider`.
final class DeciderHandle {
  private let rules: LoadedRules
  // Each of these is created on first use: for events, for columns, for explanations.
  private var events: EventDecider?
  private var columns: ArrowDecider?
  private var explainer: Explainer?
  let result = LentText()
  let error = LentText()

  init(_ rules: LoadedRules) { self.rules = rules }

  private var eventDecider: EventDecider {
    if let events { return events }
    let new = EventDecider(rules.matcher)
    events = new
    return new
  }

  func decide(_ event: UnsafeBufferPointer<UInt8>) -> encircle_status {
    do throws(Rejection) {
      result.set(try eventDecider.decide(event))
      error.set("")
      return ENCIRCLE_OK
    } catch let problem {
      error.set(problem.description)
      return ENCIRCLE_INVALID_EVENT
    }
  }

  func decide(lines: UnsafeBufferPointer<UInt8>) -> encircle_status {
    result.set(eventDecider.decide(lines: lines))
    error.set("")
    return ENCIRCLE_OK
  }

  func decide(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>,
    _ outSchema: UnsafeMutablePointer<ArrowSchema>, _ outArray: UnsafeMutablePointer<ArrowArray>
  ) -> encircle_status {
    let columns = columns ?? ArrowDecider(rules.matcher, version: rules.version)
    self.columns = columns
    do throws(ArrowProblem) {
      try columns.decide(schema, array, into: outSchema, outArray)
      error.set("")
      return ENCIRCLE_OK
    } catch let problem {
      error.set(problem.description)
      return problem == .tooLarge ? ENCIRCLE_TOO_LARGE : ENCIRCLE_INVALID_COLUMNS
    }
  }

  func explain(_ json: UnsafeBufferPointer<UInt8>) -> encircle_status {
    guard let ruleSet = rules.ruleSet else {
      error.set("compiled rules only decide events: load the rule file to explain decisions")
      return ENCIRCLE_UNSUPPORTED
    }
    // The event is decided first, so that a text that is not an event gets the same error as from `encircle_decide`.
    let status = decide(json)
    guard status == ENCIRCLE_OK else { return status }
    let explainer = explainer ?? Explainer(ruleSet)
    self.explainer = explainer
    do throws(JSONError) {
      let explanation = explainer.explain(try AnalyticsEvent(json: MessageReader.withoutByteOrderMark(json)))
      result.set(ExplanationText.json(explanation, explanation.rules))
      error.set("")
      return ENCIRCLE_OK
    } catch let problem {
      error.set("\(problem)")
      return ENCIRCLE_INVALID_EVENT
    }
  }
}

/// Decides events that are JSON texts, and writes the decisions as `encircle match` does.
final class EventDecider {
  private let matcher: Matcher
  private var decider: Decider
  private var record: DecisionRecord
  private var output: [UInt8] = []

  init(_ matcher: Matcher) {
    self.matcher = matcher
    decider = Decider(matcher)
    record = DecisionRecord(for: matcher)
  }

  /// Returns the decision on one event.
  func decide(_ event: UnsafeBufferPointer<UInt8>) throws(Rejection) -> String {
    try decideRecord(event)
    output.removeAll(keepingCapacity: true)
    record.appendObject(matcher, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Decides one event, with all that `encircle match` writes of a decision.
  private func decideRecord(_ event: UnsafeBufferPointer<UInt8>) throws(Rejection) {
    try record.decide(message: event, &decider, matcher, findingEventID: true, readingProperties: true)
  }

  /// Returns one line for each line: the decision, or the reason why there is none.
  func decide(lines: UnsafeBufferPointer<UInt8>) -> String {
    output.removeAll(keepingCapacity: true)
    var start = 0
    var number = 0
    while start < lines.count {
      let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
      number += 1
      do throws(Rejection) {
        try decideRecord(lines.part(start..<end))
        record.appendLine(number, matcher, to: &output)
      } catch let problem {
        output.append("{\"line\":")
        appendDecimal(number, to: &output)
        output.append(",\"error\":")
        JSONText.append(problem.reason.message, to: &output)
        output.append(",\"column\":")
        appendDecimal(problem.location.column, to: &output)
        output.append("}\n")
      }
      start = end + 1
    }
    return String(decoding: output, as: UTF8.self)
  }
}
