import EncircleRules
import EncircleText

extension Condition {
  /// A text that two conditions share only if they are written alike.
  var key: String {
    var key = ""
    write(to: &key)
    return key
  }

  // Conditions nest no deeper than 32 levels.
  private func write(to key: inout String) {
    func write(_ word: String, _ parts: [Condition]) {
      key += "\(word)\(parts.count)("
      for part in parts { part.write(to: &key) }
      key += ")"
    }
    // Each text has its length in front, so that different lists of texts cannot look alike.
    func write(_ word: String, texts: [String]) {
      key += "\(word)\(texts.count)["
      for text in texts { key += "\(text.utf8.count):\(text)" }
      key += "]"
    }
    switch self {
    case .all(let parts): write("all", parts)
    case .any(let parts): write("any", parts)
    case .not(let part): write("not", [part])
    case .isOneOf(let values, let fold): write(fold ? "IN" : "in", texts: values.map(\.description))
    case .text(let test, let text, let fold): write(test.rawValue, texts: [text.text, fold ? "fold" : ""])
    case .matches(let expression): write("matches", texts: ["\(expression)", expression.foldsCase ? "fold" : ""])
    case .exists(let wanted): key += wanted ? "exists" : "absent"
    case .number(let comparison, let number): write(comparison.rawValue, texts: [number.description])
    case .version(let range): write("version", texts: [range.description])
    case .items(let test, let part): write("\(test.rawValue) item", [part])
    case .numberInText(let part): write("number in text", [part])
    case .sample(let sample): write("sample", texts: ["\(sample.millionths)", sample.salt.text])
    case .kindOf(let names): write("kind", texts: names.map(\.text))
    }
  }
}
